import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsString, Length, Validate } from 'class-validator';
import { IsDay } from '../connections/index.js';
import { Failure } from '../core/http/failure.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';

export const PRESETS = ['last_30_days', 'last_90_days', 'this_year', 'last_400_days', 'all_available'] as const;
export type Preset = (typeof PRESETS)[number];
export const MODES = ['fill_missing', 'replace'] as const;
export type BackfillModeName = (typeof MODES)[number];

export const BACKFILL_STATES = [
  'scheduled',
  'running',
  'paused',
  'completed',
  'completed_with_errors',
  'failed',
  'cancelled',
] as const;
export type BackfillStateName = (typeof BACKFILL_STATES)[number];

/** Streams and accounts of a connection. */
export class BackfillSelection {
  /** Names of streams of the connection; all if omitted. */
  @MayBeMissing()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  streams?: string[];

  /** The provider's ids of accounts of the source; all if omitted. */
  @MayBeMissing()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  accounts?: string[];
}

/** The days are a preset, or `from` and `to`. */
export class BackfillBody extends BackfillSelection {
  /** Days that end yesterday in every account's time zone. */
  @MayBeMissing()
  @IsIn(PRESETS)
  preset?: Preset;

  /** First day, in each account's time zone. Moved to the first day that the platform still has. */
  @MayBeMissing()
  @Validate(IsDay)
  from?: string;

  /** Last day, in each account's time zone. */
  @MayBeMissing()
  @Validate(IsDay)
  to?: string;

  /** `fill_missing` reads days that are not loaded; `replace` reads every day again. */
  @IsIn(MODES)
  mode: BackfillModeName;
}

export class ReloadBody extends BackfillSelection {
  /** First day, in each account's time zone. */
  @Validate(IsDay)
  from: string;

  /** Last day, in each account's time zone. */
  @Validate(IsDay)
  to: string;
}

export class ResyncBody {
  /** Name of a stream of the connection. */
  @IsString()
  @Length(1, 64)
  stream: string;
}

export class BackfillEstimate {
  /** First day that is loaded. */
  from: string;
  to: string;
  /** The first day, if the platform no longer has the requested one; otherwise null. */
  adjustedFrom: string | null;
  adjustedReason: string | null;
  /** Days to read, counted for each stream and account. 0: all of them are loaded. */
  accountDays: number;
  apiCalls: number;
  /** From the days that are loaded already; null: none is loaded. */
  rows: number | null;
  minutes: number;
}

export class BackfillProgress {
  chunksTotal: number;
  chunksDone: number;
  chunksFailed: number;
  /** Counted for each stream and account. */
  daysTotal: number;
  daysDone: number;
  rows: number;
  rowsPerSecond: number;
  /** Null: not known yet, or not running. */
  secondsLeft: number | null;
}

export class BackfillEntry {
  id: string;
  connectionId: string;
  state: BackfillStateName;
  /** `resync` loads a stream into a new table, which then takes the place of the old one. */
  mode: BackfillModeName | 'resync';
  /** Of a re-sync: whether its new table is loaded, takes the place of the old one, or has it. Otherwise null. */
  phase: 'loading' | 'swapping' | 'swapped' | null;
  streams: string[];
  accounts: string[];
  requestedFrom: string;
  /** First day that is loaded. */
  from: string;
  to: string;
  /** The first day, if the platform no longer has the requested one; otherwise null. */
  adjustedFrom: string | null;
  adjustedReason: string | null;
  /** Largest number of days of a chunk. Halved when the platform finds a chunk too large. */
  chunkDays: number;
  /** As shown before the start. */
  estimate: BackfillEstimate;
  /** `user`, `connection` (it is paused) or `subscription` (it has lapsed); the last two resume automatically. */
  pausedReason: string | null;
  failure: Failure | null;
  /** Name of the user who started it. */
  startedBy: string | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  progress: BackfillProgress;
}

export class BackfillChunkEntry {
  id: string;
  stream: string;
  accountId: string;
  from: string;
  to: string;
  state: 'pending' | 'running' | 'done' | 'failed';
  rows: number;
  /** The run that loads or loaded it; null: none yet. */
  runId: string | null;
  failure: Failure | null;
}

export class BackfillDetail extends BackfillEntry {
  /** Newest first. */
  chunks: BackfillChunkEntry[];
}

export class BackfillPage {
  items: BackfillEntry[];
  nextCursor: string | null;
}

export class BackfillsQuery extends PageQuery {
  /** Only backfills in this state. */
  @MayBeMissing()
  @IsIn(BACKFILL_STATES)
  state?: BackfillStateName;
}
