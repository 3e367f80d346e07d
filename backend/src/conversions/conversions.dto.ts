import { ProviderOf } from '../catalog/index.js';
import type { ProviderName } from '../connectors/kit/contract.js';
import { conversionSourceProviders, conversionTargetProviders } from '../connectors/registry.js';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { type PersonField, personFields } from '../connectors/kit/conversion.js';
import { ScheduleBody } from '../connections/index.js';
import { Failure } from '../core/http/failure.dto.js';
import { INTEGER_MAX } from '../core/http/limits.js';
import { filterOperators } from './settings/mapping.js';
import { IsMoment } from '../core/http/moment.decorator.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

export const conversionHealths = ['needs_reauth', 'failing', 'rate_limited', 'partial', 'healthy', 'never_run'] as const;
export type ConversionHealth = (typeof conversionHealths)[number];

/** Where events are read. Exactly one of `appId` and `destinationId` is set. */
export class ConversionSourceEntry {
  @ProviderOf(conversionSourceProviders)
  provider: ProviderName;
  /** Custom or payment app. */
  appId: string | null;
  /** Destination that is queried or exported. */
  destinationId: string | null;
  /** Name of the app or the destination. */
  name: string;
  /** As defined by the settings schema of the source. */
  settings: Record<string, unknown>;
}

/** A condition that a record must meet. */
export class ConversionCondition {
  /** Name of a field of the record. */
  field: string;
  operator: 'equals' | 'not_equals' | 'contains' | 'exists' | 'not_exists';
  /** Compared as text; unused by `exists` and `not_exists`. */
  value: string;
}

/** What receives the events. */
export class ConversionTargetEntry {
  @ProviderOf(conversionTargetProviders)
  provider: ProviderName;
  appId: string;
  appName: string;
  /** Ad account of the conversion action. */
  accountId: string;
  /** Name of the conversion action, dataset or goal. */
  name: string;
  /** As returned by the list of targets. */
  settings: Record<string, unknown>;
  /** Whether the platform says later which accepted events it counts. */
  reportsResults: boolean;
  /** Identifiers that it takes. Others of an event are not sent. Empty if the platform is no longer set up. */
  identifiers: string[];
}

/** Number of events by state. */
export class ConversionCounts {
  /** All events that were read. */
  received: number;
  /** Events that may be sent. */
  eligible: number;
  /** Events that cannot be sent, with a reason. */
  ineligible: number;
  /** Waiting for their first or next attempt, or for an answer. */
  waiting: number;
  /** Sent at least once, with or without an answer; not those that were given up or expired. */
  sent: number;
  /** Taken by the platform, including those that it counts. */
  accepted: number;
  /** Known to be counted by the platform; 0 if it does not report it. */
  processed: number;
  /** Taken, but the platform found no click or person. */
  unmatched: number;
  /** Rejected by the platform, expired, or given up. */
  rejected: number;
}

export class ConversionPause {
  /** `failures`: automatically, after 30 failed runs in a row or 7 days. */
  reason: 'user' | 'failures';
  /** Name of the user who paused it; null if it was paused automatically. */
  by: string | null;
  at: string;
  /** The failure that caused the automatic pause. */
  failure: Failure | null;
}

export class ConversionEntry {
  id: string;
  name: string;
  source: ConversionSourceEntry;
  target: ConversionTargetEntry;
  /** Conditions that a record must meet. */
  filter: ConversionCondition[];
  /** Source of each field of an event: `{email: {field: "email"}, currency: {value: "EUR"}}`. */
  mapping: Record<string, unknown>;
  hashedFields: PersonField[];
  countRule: 'first_only' | 'every';
  onUnknownConsent: 'block' | 'send';
  onUnknownOutcome: 'resend' | 'hold';
  defaultCountry: string | null;
  hashesExternalId: boolean;
  sendsAdjustments: boolean;
  testCode: string | null;
  schedule: ScheduleBody;
  /** Events that happened before this time are not sent. */
  since: string;
  /** What the user wants. Its health is separate: a paused conversion can need reauthentication. */
  desired: 'active' | 'paused';
  /** Why, when and by whom it was paused; null if it is active. */
  pause: ConversionPause | null;
  health: ConversionHealth;
  /** One line with the cause of the health, or with that of the pause. */
  healthReason: string;
  /** The cause of the health and the action; null if there is none. */
  failure: Failure | null;
  /** Where the cause is: the app that needs a new sign-in, or the end that failed or paused it; null if there is none. */
  failedSide: 'source' | 'target' | null;
  /** Until when a throttled or failed run waits; null: nothing waits. */
  waitingUntil: string | null;
  nextRunAt: string | null;
  /** When the last run started; null: never. */
  lastRunAt: string | null;
  /** Events read in the last 7 days. */
  lastWeek: ConversionCounts;
  createdAt: string;
  version: number;
}

export class ConversionPage {
  items: ConversionEntry[];
  nextCursor: string | null;
}

export class ConversionSourceBody {
  /** A custom or payment app. */
  @MayBeMissing()
  @IsUUID()
  appId?: string;

  /** A BigQuery, PostgreSQL or Mixpanel destination, instead of an app. */
  @MayBeMissing()
  @IsUUID()
  destinationId?: string;

  /** As defined by the settings schema of the source. `{}` for a custom app. */
  @IsObject()
  settings: Record<string, unknown>;
}

export class ConversionTargetBody {
  /** A connected app of Google Ads, Meta Ads or Microsoft Ads. */
  @IsUUID()
  appId: string;

  @IsString()
  @Length(1, 100)
  accountId: string;

  /** Name of the conversion action, for display. */
  @trimmed
  @IsString()
  @Length(1, 200)
  name: string;

  /** As returned by the list of targets. */
  @IsObject()
  settings: Record<string, unknown>;
}

export class ConversionConditionBody {
  /** Name of a field of the record. */
  @IsString()
  @Length(1, 200)
  field: string;

  @IsIn(filterOperators)
  operator: 'equals' | 'not_equals' | 'contains' | 'exists' | 'not_exists';

  /** Compared as text; unused by `exists` and `not_exists`. */
  @IsString()
  @MaxLength(200)
  value: string;
}

/** Settings that decide which events are sent, and how. */
export class ConversionRulesBody {
  @ValidateNested()
  @Type(() => ConversionSourceBody)
  @IsObject()
  source: ConversionSourceBody;

  @ValidateNested()
  @Type(() => ConversionTargetBody)
  @IsObject()
  target: ConversionTargetBody;

  /** Conditions that a record must meet, all of them; at most 10. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(10)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConversionConditionBody)
  filter?: ConversionConditionBody[];

  /** Source of each field: `{email: {field: "email"}, currency: {value: "EUR"}}`. `id` and `occurredAt` are required. */
  @IsObject()
  mapping: Record<string, unknown>;

  /** Fields that the source delivers as SHA-256. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(11)
  @IsIn(personFields, { each: true })
  hashedFields?: PersonField[];

  /** `first_only`: later events of a person are not sent. Default `every`. */
  @MayBeMissing()
  @IsIn(['first_only', 'every'])
  countRule?: 'first_only' | 'every';

  /** What happens with events whose consent is not known. Default `block`. */
  @MayBeMissing()
  @IsIn(['block', 'send'])
  onUnknownConsent?: 'block' | 'send';

  /**
   * What happens when no answer arrived and the platform does not remove duplicates. Default `resend`: no event is lost, and some
   * may count twice. `hold`: none counts twice, and some may be lost.
   */
  @MayBeMissing()
  @IsIn(['resend', 'hold'])
  onUnknownOutcome?: 'resend' | 'hold';

  /** Country of phone numbers without a country code, ISO 3166; null: such numbers are not sent. */
  @IsOptional()
  @Matches(/^[A-Z]{2}$/, { message: 'defaultCountry must be a country code such as DE' })
  defaultCountry?: string | null;

  /** Default true. Every channel that reports to the platform must send external ids in the same form. */
  @MayBeMissing()
  @IsBoolean()
  hashesExternalId?: boolean;

  /** Whether refunds and corrections are sent. Default false. */
  @MayBeMissing()
  @IsBoolean()
  sendsAdjustments?: boolean;

  /** Marks events as tests at platforms with such a code; null: real events. */
  @IsOptional()
  @IsString()
  @MaxLength(100)
  testCode?: string | null;
}

export class CreateConversionBody extends ConversionRulesBody {
  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;

  @ValidateNested()
  @Type(() => ScheduleBody)
  @IsObject()
  schedule: ScheduleBody;

  /** Events that happened before this time are not sent. ISO 8601. Default: now. */
  @MayBeMissing()
  @IsMoment()
  since?: string;
}

export class UpdateConversionBody {
  /** 1 to 120 characters. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 120)
  name?: string;

  /** Replaces all rules. Events that were read before keep their payload. */
  @MayBeMissing()
  @ValidateNested()
  @Type(() => ConversionRulesBody)
  @IsObject()
  rules?: ConversionRulesBody;

  @MayBeMissing()
  @ValidateNested()
  @Type(() => ScheduleBody)
  @IsObject()
  schedule?: ScheduleBody;

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

/** One execution of a conversion. */
export class ConversionRunEntry {
  id: string;
  state: 'running' | 'waiting' | 'succeeded' | 'partial' | 'failed';
  startedAt: string;
  endedAt: string | null;
  /** Records read from the source, including repeated ones. */
  recordsRead: number;
  /** Events that were new. */
  eventsNew: number;
  eventsSent: number;
  eventsAccepted: number;
  eventsRejected: number;
  failure: Failure | null;
}

export class ConversionRunPage {
  items: ConversionRunEntry[];
  nextCursor: string | null;
}
