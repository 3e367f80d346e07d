import { IsString, Length, Validate } from 'class-validator';
import { AdAccountEntry } from '../../core/http/failure.dto.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';
import { IsDay } from '../connections.dto.js';

export class CoverageQuery {
  /** One of the connection's streams; the first if omitted. */
  @MayBeMissing()
  @IsString()
  @Length(1, 64)
  stream?: string;

  /** First day; 42 days before `to` if omitted. */
  @MayBeMissing()
  @Validate(IsDay)
  from?: string;

  /** Last day; today if omitted. */
  @MayBeMissing()
  @Validate(IsDay)
  to?: string;
}

export class CoverageDayEntry {
  date: string;
  state: 'missing' | 'loading' | 'provisional' | 'final' | 'failed' | 'empty_confirmed' | 'restated';
  rows: number;
  costMicros: string;
  /** Whether it was read after it ended in the account's time zone. Until then more rows may follow. */
  isComplete: boolean;
  /** How often the day's sums changed after the first load. */
  revisions: number;
  lastChangedAt: string | null;
  /** When it was last read and compared; null: never. */
  lastReadAt: string | null;
  /** The run that last wrote it, or that is loading it; null: none, or its rows were taken over from another connection. */
  runId: string | null;
}

export class CoverageAccount {
  account: AdAccountEntry;
  completeThrough: string | null;
  days: CoverageDayEntry[];
}

export class CoverageSummary {
  /** Account-days in this range. */
  expected: number;
  loaded: number;
  loading: number;
  toRepair: number;
}

export class CoverageAnswer {
  stream: string;
  from: string;
  to: string;
  accounts: CoverageAccount[];
  summary: CoverageSummary;
}

export class Completeness {
  /** Whether every account-day of every selected stream was loaded and verified. */
  isComplete: boolean;
  completeThrough: string | null;
  expected: number;
  loaded: number;
  missing: number;
  asOf: string;
}

export class DailyEntry {
  date: string;
  rows: number;
  /** Rows of account-days that may still change; the others are settled. */
  provisionalRows: number;
  /** In `currency`; null if a part of it has no exchange rate. */
  costMicros: string | null;
  /** Whether the day may still change in any account. */
  isProvisional: boolean;
}

export class CurrencyCost {
  currency: string;
  /** Cost of the accounts with this currency. */
  costMicros: string;
  /** The same in the currency of the answer, each day at its rate; null if a day has no exchange rate. */
  convertedMicros: string | null;
}

/** How many runs of a connection ended on a day of the organization's time zone. Canceled and skipped runs are not counted. */
export class RunsOfDay {
  /** Day on which the runs ended, in the organization's time zone. */
  date: string;
  /** Runs that verified every row. */
  verified: number;
  /** Runs that verified only some chunks, or could not verify yet. */
  incomplete: number;
  /** Runs that ended with an error and verified nothing. */
  failed: number;
}

export class DailyAnswer {
  /** The accounts' currency; the organization's currency if they differ. */
  currency: string;
  /** Whether the accounts have different currencies: then costs are converted at the rate of each day. */
  isMixedCurrency: boolean;
  /** Cost over all days, by the currencies of the accounts. */
  currencies: CurrencyCost[];
  days: DailyEntry[];
  /** Days on which a run ended. */
  runs: RunsOfDay[];
}

export class DailyQuery {
  @MayBeMissing()
  @Validate(IsDay)
  from?: string;

  @MayBeMissing()
  @Validate(IsDay)
  to?: string;
}
