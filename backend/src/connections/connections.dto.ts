import { ProviderOf } from '../catalog/index.js';
import type { ProviderName } from '../connectors/kit/contract.js';
import { destinationProviders, sourceProviders } from '../connectors/registry.js';
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
import { AdAccountEntry, Failure } from '../core/http/failure.dto.js';
import { PageQuery } from '../core/http/page.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';
import { RunProgress, RunSummary } from '../sync/index.js';
import { LeftOutColumns } from './excluded-columns.dto.js';
import { FreshnessTarget, FreshnessTargetBody } from './freshness-target.dto.js';
import { HashedFields } from './hashed-fields.dto.js';
import { EMPTY_POLICIES, type EmptyPolicyName, SCHEMA_POLICIES, type SchemaPolicyName } from './schema/schema.dto.js';
import { ScheduleBody } from './schedule/schedule.dto.js';

/** Spaces around a tag would make two tags that look the same. */
const trimmedTags = Transform(({ value }: { value: unknown }) =>
  Array.isArray(value) ? value.map((tag: unknown) => (typeof tag === 'string' ? tag.trim() : tag)) : value,
);

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

  /** Text columns that are stored as SHA-256 hashes; none if omitted. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(({ stream }: HashedFields) => stream)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => HashedFields)
  hashedFields?: HashedFields[];
}

export class CreateConnectionBody extends EstimateBody {
  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;

  /** When each day must be complete; null or omitted: no target. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => FreshnessTargetBody)
  freshnessTarget?: FreshnessTargetBody | null;

  /** `allow_empty` accepts days without rows although no total of the provider confirms them; `expect_rows` if omitted. */
  @MayBeMissing()
  @IsIn(EMPTY_POLICIES)
  emptyPolicy?: EmptyPolicyName;

  /** What happens when the source offers other streams or columns; `propagate_columns` if omitted. */
  @MayBeMissing()
  @IsIn(SCHEMA_POLICIES)
  schemaPolicy?: SchemaPolicyName;

  /** Up to 20 tags of up to 40 characters; none if omitted. */
  @MayBeMissing()
  @trimmedTags
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 40, { each: true })
  tags?: string[];
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

  /**
   * Text columns that are stored as SHA-256 hashes; replaces the previous ones. A run starts automatically and loads all days of
   * the streams that changed. Events that Mixpanel has already are not changed.
   */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(({ stream }: HashedFields) => stream)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => HashedFields)
  hashedFields?: HashedFields[];

  /** When each day must be complete; null: removes the target. A change watches the days whose deadline is ahead. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => FreshnessTargetBody)
  freshnessTarget?: FreshnessTargetBody | null;

  /** `allow_empty` accepts days without rows although no total of the provider confirms them. */
  @MayBeMissing()
  @IsIn(EMPTY_POLICIES)
  emptyPolicy?: EmptyPolicyName;

  /** What happens when the source offers other streams or columns. */
  @MayBeMissing()
  @IsIn(SCHEMA_POLICIES)
  schemaPolicy?: SchemaPolicyName;

  /** Up to 20 tags of up to 40 characters. */
  @MayBeMissing()
  @trimmedTags
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

  /** Only connections with this tag. */
  @MayBeMissing()
  @IsString()
  @Length(1, 40)
  tag?: string;

  /** Only connections whose source or destination uses this app. */
  @MayBeMissing()
  @IsUUID()
  appId?: string;
}

export class ConnectionSource {
  id: string;
  name: string;
  @ProviderOf(sourceProviders)
  provider: ProviderName;
  appId: string;
  accounts: AdAccountEntry[];
}

export class ConnectionDestination {
  id: string;
  name: string;
  @ProviderOf(destinationProviders)
  provider: ProviderName;
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
  /** Columns that are stored as SHA-256 hashes. */
  hashedFields: string[];
}

export class DayRows {
  day: string;
  /** Null if the day is not loaded. */
  rows: number | null;
}

/**
 * `failures`: automatically, after too many failed runs in a row. `schema_change`: by its schema policy. `import`: imported, and
 * an app is not connected yet.
 */
export type PausedReason = 'user' | 'failures' | 'schema_change' | 'import';

export class ConnectionPause {
  /**
   * `failures`: automatically, after 30 failed runs in a row or 7 days. `schema_change`: until schema changes are decided. `import`:
   * until the apps of the imported connection are connected.
   */
  reason: 'user' | 'failures' | 'schema_change' | 'import';
  /** Name of the user who paused it; null if it was paused automatically. */
  by: string | null;
  at: string;
  /** The failure that caused the automatic pause. */
  failure: Failure | null;
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
  /** When each day must be complete; null: no target. */
  freshnessTarget: FreshnessTarget | null;
  historyFrom: string;
  /** What the user wants. Its health is separate: a paused connection can need reauthentication. */
  desired: 'active' | 'paused';
  /** Why, when and by whom it was paused; null if it is active. */
  pause: ConnectionPause | null;
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
  /** What happens when the source offers other streams or columns. */
  schemaPolicy: SchemaPolicyName;
  /** Whether days without rows must be confirmed by a total of the provider. */
  emptyPolicy: EmptyPolicyName;
  /** Schema changes that wait for a decision, or that must be undone at the destination. */
  pendingSchemaChanges: number;
  createdAt: string;
  version: number;
}

export class ConnectionPage {
  items: ConnectionEntry[];
  nextCursor: string | null;
  /** Number of connections by health, and `all`; not affected by filters. */
  counts: Record<string, number>;
  /** Tags of all connections, in alphabetical order, at most 200; not affected by filters. */
  tags: string[];
}
