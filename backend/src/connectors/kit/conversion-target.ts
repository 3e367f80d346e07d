import type { ActionSource, ConversionEvent, Note, Preparation, PreparedEvent } from './conversion.js';
import type { ConnectorContext } from './contract.js';
import type { ConnectorError } from './errors.js';

/** What the platform did with one event. */
export type ConversionOutcome =
  /** The platform took the event. Notes name parts that it ignored. Not every accepted event is matched with a click. */
  | { state: 'accepted'; requestId: string | null; notes: Note[] }
  /** The platform answered with its decision later: `status` returns it. */
  | { state: 'pending'; requestId: string; notes: Note[] }
  /** The platform does not take the event. `isRetryable`: the same event may be accepted later. */
  | { state: 'rejected'; code: string; message: string; isRetryable: boolean; retryAfterSeconds: number | null }
  /** The platform found no click or person for the event. This is normal and final. */
  | { state: 'unmatched'; code: string; message: string }
  /** The event was sent, and no usable answer arrived. `traits.resend` says what a second attempt can cause. */
  | { state: 'unknown'; code: string; message: string }
  /** The event was not sent, for the reason in `stoppedBy`. */
  | { state: 'not_sent' };

export interface SendResult {
  /** One outcome for each event, in the order of the events. */
  outcomes: ConversionOutcome[];
  /** Why the rest of the batch was not sent; null: everything was sent. Its class has the same consequence as in a run. */
  stoppedBy: ConnectorError | null;
}

/** A number of events of a request with the same outcome. The platform does not say which events they are. */
export interface OutcomeCount {
  outcome: Extract<ConversionOutcome, { state: 'accepted' | 'rejected' | 'unmatched' }>;
  /** Null: the platform does not return the number. */
  events: number | null;
}

export type RequestStatus =
  | { state: 'processing' }
  /** Every event of the request has this outcome. For a request with one event, this is always so. */
  | { state: 'done'; outcome: OutcomeCount['outcome'] }
  /** Some events failed. They are known only as counts. */
  | { state: 'partly_done'; counts: OutcomeCount[] };

/** What a platform supports and promises. */
export interface ConversionTraits {
  /** Events in one request. */
  maxBatchSize: number;
  /** Oldest event that is accepted, by where it happened. */
  maxAgeDays(source: ActionSource): number;
  /** Whether one invalid event makes the platform reject the whole request. */
  rejectsWholeBatch: boolean;
  /** Whether the platform says of each event if it took it, and what it did with it afterwards. */
  exactness: {
    acceptance: 'event' | 'request';
    /** `request`: counts for each request, exact for a request with one event. `never`: not even counts for each request. */
    processing: 'event' | 'request' | 'never';
  };
  /** What happens to an event that is sent again although the first attempt arrived. */
  resend: 'deduplicated' | 'may_count_twice';
  adjustments: {
    canRestate: boolean;
    canRetract: boolean;
    /** A sentence for the user about what a refund does at this platform. */
    refunds: string;
  };
  /** Whether the platform validates events without counting them. */
  hasValidateOnly: boolean;
  /** When to ask for the status of a request; null: the platform has no status call. */
  statusPoll: { firstAfterSeconds: number; giveUpAfterDays: number } | null;
}

/** Sends events of one conversion to one conversion action, dataset or goal of a platform. */
export interface ConversionTarget {
  traits: ConversionTraits;
  /** Checks one event, and normalizes and hashes its identifiers. Sends nothing. */
  prepare(event: ConversionEvent, now: Date): Preparation;
  /** The body of the request for these events, as the preview shows it. */
  buildRequest(events: PreparedEvent[]): Record<string, unknown>;
  /** Sends at most `traits.maxBatchSize` events. Throws only if the context is aborted, or because of a bug. */
  send(context: ConnectorContext, events: PreparedEvent[]): Promise<SendResult>;
  /** Like `send`, without any effect at the platform. Present if `traits.hasValidateOnly`. */
  validate?(context: ConnectorContext, events: PreparedEvent[]): Promise<SendResult>;
  /** The platform's later decision about a request. Present if `traits.statusPoll`. Throws a `ConnectorError`. */
  status?(context: ConnectorContext, requestId: string): Promise<RequestStatus>;
}
