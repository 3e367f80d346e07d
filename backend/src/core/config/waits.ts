/** How long the product waits for what. Tests use shorter times; the product always uses `productWaits`. */
export interface Waits {
  /** Interval at which each kind of slots looks for jobs that became due later. */
  queuePollMs: number;
  /** Interval at which a run reports that its worker is alive, and learns that it was cancelled. */
  runHeartbeatMs: number;
  /** Limit of one delivery to a webhook endpoint, until the end of the response. */
  webhookTimeoutMs: number;
  /** Interval at which the connection for live events is checked, and the limit of the check and of a new connection. */
  liveCheckMs: number;
  /**
   * Limit of one statement in the product's own database. A response can be lost without an error, because a pooler or a load balancer
   * keeps the connection open. Longer than the largest statement, which deletes the rows of an organization from one table. Migrations
   * have other connections.
   */
  databaseAnswerMs: number;
  /** Waits of connectors by provider, in the connectors' own terms. */
  connectors?: Record<string, object>;
  /** Limit of all requests to a platform while a user waits for them: a sign-in, a check, a list of accounts, lookback windows. */
  providerTimeoutMs: number;
  /** Limit of all requests of the daily probe of an app, which shares its slots with all short jobs. */
  probeTimeoutMs: number;
  /** Pause before days of payments are marked again while a run works. */
  paymentRetryMs?: number;
  /** Age from which an event of Stripe that no webhook delivered is missing. */
  paymentGraceMs?: number;
  /** Limit of all requests of a check of webhooks, or of a computation of recurring revenue. */
  paymentTimeoutMs?: number;
}

/** Injection token of the waits. */
export const WAITS = Symbol('WAITS');

export const productWaits: Waits = {
  queuePollMs: 1_000,
  runHeartbeatMs: 5_000,
  webhookTimeoutMs: 10_000,
  liveCheckMs: 15_000,
  // The web app waits 75 s for an answer.
  providerTimeoutMs: 60_000,
  probeTimeoutMs: 60_000,
  databaseAnswerMs: 60 * 60_000,
};
