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
  /** Days for which accepted events are stored and duplicates are detected. */
  keptDays: number;
}

export class PushQuota {
  /** Events that an organization can store, over all its custom apps. */
  events: number;
  /** Events that it stores now. */
  used: number;
}

/** The endpoint that receives events of a custom app. Its key is shown once, when it is created. */
export class PushEndpointEntry {
  /** Address to send events to. */
  url: string;
  /** Last characters of the key; null if there is no key, so that no event is accepted. */
  keyHint: string | null;
  /** When the key was created. */
  keyMadeAt: string | null;
  /** JSON Schema for each event; null accepts any object. */
  schema: Record<string, unknown> | null;
  /** Field whose value identifies an event; null stores every event. */
  dedupeField: string | null;
  limits: PushLimits;
  quota: PushQuota;
  /** Stored events. */
  eventsKept: number;
  /** When the last event arrived. */
  lastEventAt: string | null;
  version: number;
}

export class UpdatePushEndpointBody {
  /** JSON Schema of an event, without `pattern` and `$ref`; null accepts any object. */
  @MayBeMissing()
  @ValidateIf((_, value) => value !== null)
  @IsObject()
  schema?: Record<string, unknown> | null;

  /** A top-level field of each event; null stores every event. */
  @MayBeMissing()
  @ValidateIf((_, value) => value !== null)
  @Length(1, 64)
  @Matches(/^[\w$.-]+$/)
  dedupeField?: string | null;

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class NewPushKey {
  /** The key, shown only once. */
  key: string;
  endpoint: PushEndpointEntry;
}

/** The outcome of a payload. */
export class PushReceiptEntry {
  id: string;
  receivedAt: string;
  outcome: 'accepted' | 'duplicate' | 'refused';
  /** Why it was rejected. */
  reason: string | null;
  /** Its first 2,000 characters; null if it could not be read. */
  excerpt: string | null;
}

export class PushReceiptList {
  items: PushReceiptEntry[];
}

export class PushAnswer {
  /** Newly stored events. */
  accepted: number;
  /** Events that were stored before. */
  duplicates: number;
}
