import { ProviderOf } from '../../catalog/index.js';
import type { ProviderName } from '../../connectors/kit/contract.js';
import { conversionSourceProviders } from '../../connectors/registry.js';
import { Type } from 'class-transformer';
import { IsObject, IsString, IsUUID, Length, ValidateNested } from 'class-validator';
import { ConversionRulesBody, ConversionSourceBody } from '../conversions.dto.js';

export class ConversionTargetsBody {
  /** A connected app of Google Ads, Meta Ads or Microsoft Ads. */
  @IsUUID()
  appId: string;

  /** An ad account of the app. */
  @IsString()
  @Length(1, 100)
  accountId: string;
}

/** A conversion action, dataset or goal. */
export class ConversionTargetChoice {
  name: string;
  /** `conversion action`, `dataset`, `offline goal` or `UET goal`. */
  kind: string;
  /** Goes into the conversion unchanged. */
  settings: Record<string, unknown>;
  /** Why it cannot receive events; null: it can. */
  problem: string | null;
  /** What a refund does there. */
  refunds: string;
  /** Whether the platform can validate its events without counting them. */
  hasValidateOnly: boolean;
  /** Whether the platform removes an event that is sent to it twice. */
  removesDuplicates: boolean;
  /** Identifiers that it takes. Others of an event are not sent. */
  identifiers: string[];
}

export class ConversionTargetChoices {
  items: ConversionTargetChoice[];
  /** That of the first item that can receive events, as the three fields below. Items of one platform may differ. */
  refunds: string;
  /** Whether the platform can validate events without counting them. */
  hasValidateOnly: boolean;
  /** Whether the platform removes an event that is sent twice. */
  removesDuplicates: boolean;
  /** Identifiers that it takes. Others of an event are not sent. */
  identifiers: string[];
}

/** Something that events can be read from. */
export class ConversionSourceChoice {
  @ProviderOf(conversionSourceProviders)
  provider: ProviderName;
  /** Custom or payment app; null: a destination. */
  appId: string | null;
  /** BigQuery, PostgreSQL or Mixpanel destination; null: an app. */
  destinationId: string | null;
  name: string;
  /** JSON Schema of the form with the query or the event name; null: nothing to enter. */
  settingsSchema: object | null;
}

export class ConversionSourceChoices {
  items: ConversionSourceChoice[];
}

export class SampleBody {
  @ValidateNested()
  @Type(() => ConversionSourceBody)
  @IsObject()
  source: ConversionSourceBody;
}

export class RecordSample {
  /** Newest records. E-mail addresses and phone numbers are masked. */
  records: Record<string, unknown>[];
  fields: string[];
  /** The field that usually identifies a record; null: unknown. */
  idField: string | null;
  /** The field that usually has the time of a record; null: unknown. */
  timeField: string | null;
  /** Whether the source has more records. */
  hasMore: boolean;
}

export class PreviewBody extends ConversionRulesBody {}

/** Events that cannot be sent, for one reason. */
export class PreviewReason {
  reason: string;
  message: string;
  events: number;
}

export class PreviewNote {
  code: string;
  message: string;
  events: number;
}

export class Preview {
  /** Records that were read: the newest ones, at most 100. */
  records: number;
  /** Records that meet the filter. */
  matching: number;
  /** Events that would be sent, with refunds and corrections, which are sent after the event that they adjust. */
  eligible: number;
  /** Why the others would not be sent, the most frequent first. */
  reasons: PreviewReason[];
  /** What users should know about eligible events, such as identifiers that are left out. */
  notes: PreviewNote[];
  /** How many eligible events have which identifier that the platform takes. */
  identifiers: Record<string, number>;
  /**
   * The body of the request with the first three events, without refunds and corrections, with hashed identifiers; null: it would have
   * no event.
   */
  request: Record<string, unknown> | null;
}

/** What the platform answered to events that it only validated. */
export class Validation {
  /** Events that were validated, at most 10. */
  events: number;
  accepted: number;
  /** Reasons of rejected events. */
  rejections: PreviewReason[];
}

/** One event of a test. */
export class ConversionTestEvent {
  /** Id of the event in its source; a hash if it could be personal data. */
  dedupeKey: string;
  /** Null: not readable. */
  occurredAt: string | null;
  /** `checked`: it meets the documented rules of a platform that cannot validate events. It was not sent. */
  state: 'accepted' | 'rejected' | 'checked';
  /** Reason of the platform; null: none. */
  code: string | null;
  /** What the platform said about the event; null: nothing. */
  message: string | null;
}

/** A test of a saved conversion. `events` is at most 5. */
export class ConversionTest extends Validation {
  /**
   * Whether the platform validated the events. False: it would count each of them, so only its access and its conversion target were
   * checked, and no event was sent.
   */
  isValidated: boolean;
  /** The newest eligible events, the newest first. */
  results: ConversionTestEvent[];
}
