import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, IsUUID, Max, Min, Validate } from 'class-validator';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { FreshnessTarget, IsDay } from '../connections/index.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';

export const FRESHNESS_STATES = ['on_time', 'recovered', 'complete', 'waiting', 'late', 'incomplete'] as const;
export type FreshnessStateName = (typeof FRESHNESS_STATES)[number];

export const FRESHNESS_REASONS = [
  'not_over',
  'not_due',
  'missing',
  'subscription',
  'paused',
  'needs_reauth',
  'run_in_progress',
  'run_failed',
] as const;
export type FreshnessReason = (typeof FRESHNESS_REASONS)[number];

export class FreshnessQuery {
  /** First day; 13 days before `to` if omitted. */
  @MayBeMissing()
  @Validate(IsDay)
  from?: string;

  /** Last day, in each account's calendar; the last day that has ended in every account of the connection if omitted. */
  @MayBeMissing()
  @Validate(IsDay)
  to?: string;
}

const listed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value));

export class FreshnessListQuery extends PageQuery {
  /** Maximum number of connections, 1 to 100. */
  @ApiPropertyOptional()
  @MayBeMissing()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  override limit: number = 25;

  /** First day; 13 days before `to` if omitted. At most 31 days. */
  @MayBeMissing()
  @Validate(IsDay)
  from?: string;

  /** Last day, in each account's calendar; the last day that has ended in every account of the connection if omitted. */
  @MayBeMissing()
  @Validate(IsDay)
  to?: string;

  /** Only these connections. */
  @ApiPropertyOptional({
    type: 'array',
    maxItems: LIST_LIMITS.freshnessConnections,
    items: { type: 'string', format: 'uuid', maxLength: 36 },
  })
  @MayBeMissing()
  @listed
  @IsArray()
  @ArrayMaxSize(LIST_LIMITS.freshnessConnections)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  connectionIds?: string[];
}

export class MissingAccountDay {
  stream: string;
  accountId: string;
  accountName: string;
  /** `not_over`: the day has not ended in the account's calendar, or was last read before it ended. */
  state: 'missing' | 'loading' | 'failed' | 'not_over';
}

export class FreshnessDayEntry {
  day: string;
  /** Whether every account-day of every selected stream was read and verified after the day ended in the account's calendar. */
  isComplete: boolean;
  /**
   * `on_time`: complete by the deadline. `recovered`: complete after the deadline. `complete`: complete, and not known since when.
   * `waiting`: not complete, and the deadline is ahead. `late`: not complete, and the deadline has passed. `incomplete`: not
   * complete, and the connection has no target, or runs were stopped when the deadline passed.
   */
  state: FreshnessStateName;
  /** Why it is not complete, the most important last; empty if it is complete. */
  reasons: FreshnessReason[];
  /** Account-days of all streams. */
  expected: number;
  complete: number;
  /** The first account-days that are missing. `expected - complete` is their number. */
  missing: MissingAccountDay[];
  /** When it is due; null without a target. */
  deadline: string | null;
  /** When the last account-day was read that made it complete; null if that is not stored. */
  completedAt: string | null;
}

/** Why the newest days are not complete, with the action that resolves it. */
export class FreshnessCause {
  code: 'missing' | 'subscription' | 'paused' | 'needs_reauth' | 'run_in_progress' | 'run_failed';
  message: string;
  action: string;
}

export class FreshnessEntry {
  connectionId: string;
  name: string;
  target: FreshnessTarget | null;
  /** The last day that has ended in every account; null if the connection loads no day that has ended. */
  day: string | null;
  /** Whether this day is complete. */
  isComplete: boolean;
  /** State of this day; null without one. */
  state: FreshnessStateName | null;
  /** The last day up to which every account-day is complete. */
  completeThrough: string | null;
  /** Null if every listed day that has ended is complete. */
  cause: FreshnessCause | null;
  /** Oldest first. Days before the start date of the connection are omitted. */
  days: FreshnessDayEntry[];
  asOf: string;
}

export class FreshnessPage {
  items: FreshnessEntry[];
  nextCursor: string | null;
}
