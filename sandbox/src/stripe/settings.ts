/** What a real account sets in Stripe's dashboard, and how fast the sandbox's own time goes. */
export interface Settings {
  /** What becomes of a subscription whose payments have failed for `dunningDays`. */
  afterDunning: 'canceled' | 'unpaid' | 'past_due';
  dunningDays: number;
  /** Days after the first failure on which a payment is tried again. */
  retryDays: number[];
  /** A webhook that was not answered with 2xx is sent again after these waits; the last one repeats for three days. */
  webhookRetryDelaysMs: number[];
  /** How long a new customer cannot be searched for yet; at Stripe up to a minute. */
  searchDelayMs: number;
}

export const defaultSettings: Settings = {
  afterDunning: 'canceled',
  dunningDays: 21,
  retryDays: [3, 5, 7, 14],
  webhookRetryDelaysMs: [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000],
  searchDelayMs: 1_000,
};
