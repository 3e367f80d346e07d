import type { RunStateName, RunWindow } from './runs.dto.js';

/** Sums that a run read and found at the destination. They contain only compared slices. */
export class ProofSums {
  rowsRead: number;
  rowsFound: number;
  /** Rows that were read and are not at the destination, except those that may show late. */
  rowsMissing: number;
  /** Rows at the destination that were not read. */
  rowsExtra: number;
  /** In micros of the currency, as digits; null: the stream has no cost. */
  costMicrosRead: string | null;
  costMicrosFound: string | null;
  /** What the destination lacks of the cost of slices with missing rows. */
  costMicrosMissing: string | null;
  /** Null: the stream has none, or an earlier version loaded a slice. */
  clicksRead: number | null;
  clicksFound: number | null;
  impressionsRead: number | null;
  impressionsFound: number | null;
  /** With fractions, from attribution. Null also if the destination reports no sums of columns. */
  conversionsRead: number | null;
  conversionsFound: number | null;
  /** Whether all slices were compared and equal in every column. */
  isEqual: boolean;
  slices: number;
  slicesCompared: number;
  /** Compared slices whose rows the destination accepted and does not show yet. */
  slicesLate: number;
}

/** One stream in one currency. Costs of different currencies are never added. */
export class ProofTotal extends ProofSums {
  stream: string;
  currency: string;
  accounts: number;
}

/** One stream of one account. */
export class ProofAccount extends ProofSums {
  stream: string;
  accountId: string;
  accountName: string;
  currency: string;
}

/** What `POST …/reload` needs to load the different days again. */
export class ProofRepair {
  streams: string[];
  accounts: string[];
  /** First day that differed and was not loaded since. */
  from: string;
  /** Last day. */
  to: string;
  /** Account-days of all streams that differed and were not loaded since. */
  days: number;
  /** Those that an active run is loading. */
  daysLoading: number;
}

/** What a run read, and what it found at the destination afterwards. */
export class RunProof {
  runId: string;
  connectionId: string;
  state: RunStateName;
  /** Null until planned. */
  window: RunWindow | null;
  startedAt: string | null;
  endedAt: string | null;
  /** When the last slice was compared; null: nothing was compared. */
  comparedAt: string | null;
  /** Milliseconds of all comparisons together; null: not known. Slices are compared in parallel. */
  comparisonMs: number | null;
  /** Rows over all streams. */
  rowsRead: number;
  rowsFound: number;
  slices: number;
  slicesCompared: number;
  /** Whether all slices were compared and equal in every column. */
  isEqual: boolean;
  /** By stream and currency. */
  totals: ProofTotal[];
  /** By stream and account, those that differ first. */
  accounts: ProofAccount[];
  /** Null: nothing differed, or later runs have loaded all days that did. */
  repair: ProofRepair | null;
}
