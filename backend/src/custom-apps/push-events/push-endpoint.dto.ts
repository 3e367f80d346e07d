import { IsInt, IsObject, Length, Matches, Max, Min, ValidateIf } from 'class-validator';
import { INTEGER_MAX } from '../../core/http/limits.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';

export class PushLimits {
  /** Bytes of one call. */
  bodyBytes: number;
  /** Events of one call. */
  batchEvents: number;
  /** Bytes of one event. */
  eventBytes: number;
  /** Calls a minute. */
  callsPerMinute: number;
  /** How long accepted events are kept, and a repeated one is known. */
  keptDays: number;
}

export class PushQuota {
  /** Events that an organization may store, over all its custom apps. */
  events: number;
  /** Events that it stores now. */
  used: number;
}

/** Where a custom app takes events. Its key is shown once, when it is made. */
export class PushEndpointEntry {
  /** Where to send them. */
  url: string;
  /** Last characters of the key; null: there is none, and nothing is taken. */
  keyHint: string | null;
  /** When the key was made. */
  keyMadeAt: string | null;
  /** JSON Schema that each event must meet; null: any object is taken. */
  schema: Record<string, unknown> | null;
  /** Field whose value names an event; null: every event is stored. */
  dedupeField: string | null;
  limits: PushLimits;
  quota: PushQuota;
  /** Events that are kept. */
  eventsKept: number;
  /** When the last of them arrived. */
  lastEventAt: string | null;
  version: number;
}

export class UpdatePushEndpointBody {
  /** JSON Schema of an event, without `pattern` and `$ref`; null takes any object. */
  @MayBeMissing()
  @ValidateIf((_, value) => value !== null)
  @IsObject()
  schema?: Record<string, unknown> | null;

  /** A field at the top of each event; null stores every event. */
  @MayBeMissing()
  @ValidateIf((_, value) => value !== null)
  @Length(1, 64)
  @Matches(/^[\w$.-]+$/)
  dedupeField?: string | null;

  /** The version that was read; 409 when it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class NewPushKey {
  /** The key itself, shown this once. */
  key: string;
  endpoint: PushEndpointEntry;
}

/** What became of a payload. */
export class PushReceiptEntry {
  id: string;
  receivedAt: string;
  outcome: 'accepted' | 'duplicate' | 'refused';
  /** Why it was refused. */
  reason: string | null;
  /** Its first 2,000 characters; null where it could not be read. */
  excerpt: string | null;
}

export class PushReceiptList {
  items: PushReceiptEntry[];
}

export class PushAnswer {
  /** Events that are stored now. */
  accepted: number;
  /** Events that were stored before. */
  duplicates: number;
}
