import { ApiProperty } from '@nestjs/swagger';
import { CheckEntry } from '../core/http/failure.dto.js';

export class EstimateFirstLoad {
  days: number;
  slices: number;
  apiCalls: number;
  rows: number;
  minutes: number;
}

export class EstimateCost {
  rows: number;
  apiCalls: number;
}

/** 30 days of the schedule. */
export class EstimateMonth extends EstimateCost {
  runs: number;
  /** Each new day, read once. */
  newDays: EstimateCost;
  /** Days that are read again because they may have changed. */
  lookback: EstimateCost;
  minutesPerRun: number;
}

/** A schedule with fewer runs that keeps the same days up to date. */
export class EstimateSparing extends EstimateMonth {
  everyMinutes: number;
}

/** Daily limit of a platform for all connections of the installation. */
export class EstimateDailyCalls {
  limit: number;
  /** The platform's name of the access level with this limit. */
  access: string;
}

export class EstimateSample {
  stream: string;
  columns: string[];
  @ApiProperty({ type: 'array', items: { type: 'array', items: { type: ['string', 'null'] } } })
  rows: (string | null)[][];
}

/** One of the requested streams. */
export class EstimateStream {
  stream: string;
  /** Rows of 30 new days over all open accounts. */
  rowsPerMonth: number;
}

export class Estimate {
  streams: EstimateStream[];
  firstLoad: EstimateFirstLoad;
  eachMonth: EstimateMonth;
  /** Offered if most reads are repeated. */
  sparing: EstimateSparing | null;
  /** Null if the platform uses another kind of limit. */
  dailyCalls: EstimateDailyCalls | null;
  /** Days that are read again once a day: the widest window of all accounts. */
  lookbackDays: number;
  /** Days of the window that every run reads. */
  recentDays: number;
  sample: EstimateSample;
  /** When the platform was read: at most ten minutes ago. */
  readAt: string;
  checks: CheckEntry[];
}
