import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length, Validate } from 'class-validator';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';
import { PageQuery } from '../../core/http/page.dto.js';
import { IsDay } from '../connections.dto.js';

export class RestatementsQuery extends PageQuery {
  /** Only this stream; all streams if omitted. */
  @MayBeMissing()
  @IsString()
  @Length(1, 64)
  stream?: string;

  /** Only this account; all accounts if omitted. */
  @MayBeMissing()
  @IsString()
  @Length(1, 64)
  account?: string;

  /** First day. */
  @MayBeMissing()
  @Validate(IsDay)
  from?: string;

  /** Last day. */
  @MayBeMissing()
  @Validate(IsDay)
  to?: string;

  /** `restated`: only days that changed after they had settled. `all`, the default: every day that changed after its first load. */
  @ApiPropertyOptional()
  @MayBeMissing()
  @IsIn(['all', 'restated'])
  kind: 'all' | 'restated' = 'all';
}

/** Sums of one day. */
export class DaySums {
  rows: number;
  /** In micros of the account's currency, as digits. */
  costMicros: string;
  clicks: number;
  impressions: number;
  /** Null: not known. */
  conversions: number | null;
}

/** A day of an account whose sums changed after the first load. */
export class RestatementEntry {
  stream: string;
  /** The provider's id of the account. */
  accountId: string;
  accountName: string;
  /** ISO 4217 currency of the costs; null for an account that is no longer part of the source. */
  currency: string | null;
  /** The day, in the account's calendar. */
  date: string;
  state: 'missing' | 'loading' | 'provisional' | 'final' | 'failed' | 'empty_confirmed' | 'restated';
  /** Number of changes after the first load. */
  revisions: number;
  firstLoadedAt: string;
  lastChangedAt: string;
  /** Number of days after the day when it last changed. */
  lastChangedAfterDays: number;
  firstLoad: DaySums;
  /** The sums that the day had settled with; null: it has not changed since it settled. */
  settled: DaySums | null;
  /** The sums as last loaded. */
  current: DaySums;
}

export class RestatementPage {
  items: RestatementEntry[];
  nextCursor: string | null;
}

export class SettlingQuery {
  /** One of the connection's streams; the first if omitted. */
  @MayBeMissing()
  @IsString()
  @Length(1, 64)
  stream?: string;
}

/** After how many days a metric of an account no longer changed. */
export class MetricSettling {
  /** Smallest number of days after which 95 % of the days had their last change; null: not known, see `reason`. */
  days: number | null;
  /** Why the number is not known: too few days have settled, or the stream has no such column. */
  reason: 'not_enough_days' | 'not_in_stream' | null;
}

export class AccountSettling {
  accountId: string;
  accountName: string;
  /** Settled days of the last 180 that were loaded within two days, so that every change was seen. */
  knownDays: number;
  cost: MetricSettling;
  clicks: MetricSettling;
  impressions: MetricSettling;
  conversions: MetricSettling;
}

export class SettlingTimes {
  stream: string;
  /** Number of days that must be known before a settling time is given. */
  neededDays: number;
  accounts: AccountSettling[];
}
