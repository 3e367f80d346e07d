/** How long the product waits for what. Tests use shorter times; the product always uses `productWaits`. */
export interface Waits {
  /** Interval at which the queue looks for jobs that became due later. */
  queuePollMs: number;
  /** Interval at which a run reports that its worker is alive, and learns that it was cancelled. */
  runHeartbeatMs: number;
  /** First pause before BigQuery is called again; the others follow from it. */
  bigQueryRetryMs?: number;
  /** First pause before Mixpanel is called again; the others follow from it. */
  mixpanelRetryMs?: number;
  /** Pauses before events that Mixpanel does not show yet are read again. */
  mixpanelVisibilityMs?: number[];
  /** Pause before a failed report of Meta is replaced by another one. */
  metaFailedReportMs?: number;
  /** First and longest pause between two polls of a report of Microsoft. */
  microsoftPollMs?: { first: number; longest: number };
  /** Longest wait for one of our own reports to end, when Microsoft says that too many are in progress. */
  microsoftConcurrencyMs?: number;
}

/** Injection token of the waits. */
export const WAITS = Symbol('WAITS');

/** Where a time is left out, the connector's own default applies. */
export const productWaits: Waits = { queuePollMs: 1_000, runHeartbeatMs: 5_000 };
