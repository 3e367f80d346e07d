/** Settings of a Stripe account's dashboard, and the speed of the sandbox's time. */
export interface Settings {
  /** The status of a subscription whose payments have failed for `dunningDays`. */
  afterDunning: 'canceled' | 'unpaid' | 'past_due';
  dunningDays: number;
  /** Days after the first failure on which a payment is retried. */
  retryDays: number[];
  /** Waits before retries of a webhook without a 2xx answer. The last one repeats for three days. */
  webhookRetryDelaysMs: number[];
  /** How long a new customer cannot be found by search; at Stripe up to a minute. */
  searchDelayMs: number;
}

export const defaultSettings: Settings = {
  afterDunning: 'canceled',
  dunningDays: 21,
  retryDays: [3, 5, 7, 14],
  webhookRetryDelaysMs: [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000],
  searchDelayMs: 1_000,
};
