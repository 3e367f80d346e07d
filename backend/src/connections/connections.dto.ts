import type { DestinationProvider, SourceProvider } from '../connectors/kit/contract.js';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Max,
  MaxLength,
  Min,
  Validate,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { isDay } from '../connectors/kit/days.js';
import { AdAccountEntry, CheckEntry, Failure } from '../core/http/failure.dto.js';
import { PageQuery } from '../core/http/page.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';
import { RunProgress, RunSummary } from '../sync/index.js';
import { LeftOutColumns } from './excluded-columns.dto.js';
import { ScheduleBody } from './schedule/schedule.dto.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

@ValidatorConstraint({ name: 'day' })
export class IsDay implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return (
      typeof value === 'string' &&
      isDay(value) &&
      value >= '2000-01-01' &&
      value <= new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    );
  }
  defaultMessage(): string {
    return '$property must be a day from 2000-01-01 to today, as YYYY-MM-DD';
  }
}

/** The settings of a planned connection, to estimate its cost. */
export class EstimateBody {
  @IsUUID()
  sourceId: string;

  @IsUUID()
  destinationId: string;

  /** Names of streams of the source. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  streams: string[];

  @IsObject()
  @ValidateNested()
  @Type(() => ScheduleBody)
  schedule: ScheduleBody;

  /** Days each run reads again, 0 to 90; null uses the provider's own windows. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(90)
  lookbackDays?: number | null;

  /** First day to load, in each account's time zone. */
  @Validate(IsDay)
  historyFrom: string;

  /** Excluded columns; none if omitted. An existing column of the table is kept and empty from then on. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(({ stream }: LeftOutColumns) => stream)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => LeftOutColumns)
  leftOut?: LeftOutColumns[];
}

export class CreateConnectionBody extends EstimateBody {
  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;
}

export class UpdateConnectionBody {
  /** 1 to 120 characters. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 120)
  name?: string;

  /** Names of streams of the source. */
  @MayBeMissing()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  streams?: string[];

  @MayBeMissing()
  @IsObject()
  @ValidateNested()
  @Type(() => ScheduleBody)
  schedule?: ScheduleBody;

  /** Days each run reads again, 0 to 90; null uses the provider's own windows. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(90)
  lookbackDays?: number | null;

  /** First day to load, in each account's time zone. */
  @MayBeMissing()
  @Validate(IsDay)
  historyFrom?: string;

  /**
   * Excluded columns; replaces the previous ones. If a column is included again, a run starts automatically and loads all days of
   * the stream.
   */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(({ stream }: LeftOutColumns) => stream)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => LeftOutColumns)
  leftOut?: LeftOutColumns[];

  /** Up to 20 tags of up to 40 characters. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 40, { each: true })
  tags?: string[];

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export const HEALTHS = [
  'needs_reauth',
  'failing',
  'stale',
  'partial',
  'unverified',
  'rate_limited',
  'backfilling',
  'healthy',
  'never_run',
  'paused',
] as const;
export type Health = (typeof HEALTHS)[number];

export class ConnectionsQuery extends PageQuery {
  /** Only connections with this health. */
  @MayBeMissing()
  @IsIn(HEALTHS)
  health?: Health;

  /** Part of the name or a tag of the connection, or of the name of its source or destination. */
  @MayBeMissing()
  @IsString()
  @MaxLength(120)
  search?: string;

  /** Only connections whose source or destination uses this app. */
  @MayBeMissing()
  @IsUUID()
  appId?: string;
}

export class ConnectionSource {
  id: string;
  name: string;
  provider: SourceProvider;
  appId: string;
  accounts: AdAccountEntry[];
}

export class ConnectionDestination {
  id: string;
  name: string;
  provider: DestinationProvider;
  /** Short name of the target: `database.schema`. */
  target: string;
}

export class ConnectionStream {
  name: string;
  isSelected: boolean;
  /** Table at the destination. */
  targetTable: string;
  /** Columns that are not written. */
  leftOut: string[];
}

export class DayRows {
  day: string;
  /** Null if the day is not loaded. */
  rows: number | null;
}

export class ConnectionEntry {
  id: string;
  name: string;
  source: ConnectionSource;
  destination: ConnectionDestination;
  streams: ConnectionStream[];
  schedule: ScheduleBody;
  /** Null uses the provider's own windows. */
  lookbackDays: number | null;
  historyFrom: string;
  desired: 'active' | 'paused';
  /** Computed; the worst that applies. */
  health: Health;
  /** One line with the cause. */
  healthReason: string;
  /** The end whose access has expired, so that a user must sign in again or enter new credentials; null if both are connected. */
  endedAccess: 'source' | 'destination' | null;
  failure: Failure | null;
  /** The last day up to which every account-day is complete. */
  completeThrough: string | null;
  lastRun: RunSummary | null;
  activeRun: RunProgress | null;
  nextRunAt: string | null;
  /** The last 30 days, oldest first. */
  rowsByDay: DayRows[];
  tags: string[];
  createdAt: string;
  version: number;
}

export class ConnectionPage {
  items: ConnectionEntry[];
  nextCursor: string | null;
  /** Number of connections by health, and `all`; not affected by filters. */
  counts: Record<string, number>;
}

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

export class Estimate {
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
