import type { z } from 'zod';
import type {
  ActionSource,
  ConversionEvent,
  ConversionPolicy,
  IdentifierField,
  Note,
  Preparation,
  PreparedEvent,
} from './conversion.js';
import type { AccessTokenProvider, AdAccount, ConnectorContext, ProviderName } from './contract.js';
import type { ConnectorError } from './errors.js';

/** What the platform did with one event. */
export type ConversionOutcome =
  /** The platform took the event. Notes name parts that it ignored. Not every accepted event is matched with a click. */
  | { state: 'accepted'; requestId: string | null; notes: Note[]; code?: string; message?: string }
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

/** The platform took some events of a request, and does not say which. None is sent again: some would count twice. */
export const partlyReceived = (service: string, received: number, count: number): ConversionOutcome => ({
  ...{ state: 'accepted', requestId: null, notes: [], code: 'conversions.partly_processed' },
  message: `${service} received ${received} of the ${count} events of the request, and does not say which.`,
});

export interface SendResult {
  /** One outcome for each event, in the order of the events. */
  outcomes: ConversionOutcome[];
  /** Why the rest of the batch was not sent; null: everything was sent, or the context is ending. Its class has the same consequence as in a run. */
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
  /** Every event of the request has this outcome, for one of several reasons if there are counts. For one event, this is always so. */
  | { state: 'done'; outcome: OutcomeCount['outcome']; counts?: OutcomeCount[] }
  /** Some events failed. They are known only as counts. */
  | { state: 'partly_done'; counts: OutcomeCount[] };

/** What a platform supports and promises. */
export interface ConversionTraits {
  /** Events in one request. */
  maxBatchSize: number;
  /** What the platform takes to find the click or the person. Other identifiers of an event are not sent. */
  identifiers: readonly IdentifierField[];
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
  /**
   * What receives the events, stored with each of them: `google/9001000011/123`. Targets with the same text before the first slash
   * take the same payloads.
   */
  key: string;
  traits: ConversionTraits;
  /** Checks one event, and normalizes and hashes its identifiers. Sends nothing. */
  prepare(event: ConversionEvent, now: Date): Preparation;
  /** The body of the request for these events, as the preview shows it. */
  buildRequest(events: PreparedEvent[]): Record<string, unknown>;
  /**
   * Checks one adjustment of an event that was sent. Its payload may be combined with those of other adjustments, and not with
   * those of events. Present if `traits.adjustments.canRestate`.
   */
  prepareAdjustment?(adjustment: Adjustment, now: Date): Preparation;
  /** Like `send`, for prepared adjustments. Present if `traits.adjustments.canRestate`. */
  sendAdjustments?(context: ConnectorContext, adjustments: PreparedEvent[]): Promise<SendResult>;
  /** Sends at most `traits.maxBatchSize` events. Throws only if the context is aborted, or because of a bug. */
  send(context: ConnectorContext, events: PreparedEvent[]): Promise<SendResult>;
  /** Like `send`, without any effect at the platform. Present if `traits.hasValidateOnly`. */
  validate?(context: ConnectorContext, events: PreparedEvent[]): Promise<SendResult>;
  /** The platform's later decision about a request. Present if `traits.statusPoll`. Throws a `ConnectorError`. */
  status?(context: ConnectorContext, requestId: string): Promise<RequestStatus>;
}

/** A refund or correction of an event that was sent before. */
export interface Adjustment {
  /** The dedupe key of the adjustment. */
  id: string;
  /** The payload of the event that is adjusted, as it was sent. */
  original: Pick<PreparedEvent, 'id' | 'payload'>;
  /** When the event that is adjusted happened. */
  originalOccurredAt: Date;
  /** When the refund or correction happened. */
  occurredAt: Date;
  /** The new total value of the event: a decimal number in currency units. `0`: the whole value was refunded. */
  value: string;
  /** ISO 4217. */
  currency: string;
  /** An earlier adjustment refunded the whole value. */
  isRemoved?: boolean;
}

/** A conversion action, dataset or goal that the user can choose. */
export interface ConversionTargetChoice {
  /** Stored with the conversion. Matches the connector's `settingsSchema`. */
  settings: Record<string, unknown>;
  /** Name at the platform: `Purchase (offline)`. */
  name: string;
  /** What it is: `conversion action`, `dataset`, `offline goal`, `UET goal`. */
  kind: string;
  /** Why it cannot receive events; null: it can. */
  problem: string | null;
}

/** Public interface of a connector that conversions are sent to. It uses the sign-in of the platform's app. */
export interface ConversionTargetConnector {
  provider: ProviderName;
  /** `Google Ads`. */
  name: string;
  /** OAuth scopes without which nothing can be sent. */
  requiredScopes: string[];
  /** Strict; nothing in it is secret. */
  settingsSchema: z.ZodType<Record<string, unknown>>;
  /** Never throws: the settings may be those of a choice that has a problem, or empty. */
  traits(settings: Record<string, unknown>): ConversionTraits;
  /** What can receive events in one ad account. */
  listChoices(context: ConnectorContext, accessToken: AccessTokenProvider, account: AdAccount): Promise<ConversionTargetChoice[]>;
  /** @param testCode marks events as tests at platforms that have such a code; null: real events */
  open(
    settings: Record<string, unknown>,
    accessToken: AccessTokenProvider,
    policy: ConversionPolicy,
    testCode: string | null,
  ): ConversionTarget;
}
