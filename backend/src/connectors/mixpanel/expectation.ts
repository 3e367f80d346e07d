import type { SentRow, Slice } from '../kit/contract.js';
import type { Held } from './held.js';
import { shapeOf } from './shape.js';
import type { VisibleRow, VisibleRows } from './visible.js';

/** What a slice was left as: kept until Mixpanel has shown it. */
export interface Expectation {
  /** By row hash. */
  held: Map<string, Held>;
  /** Rows whose events were sent in this run, by hash, to be sent again if they do not show. */
  sent: Map<string, SentRow>;
  /** Mixpanel showed something else, and was set right once: what it shows now is told as it is. */
  isRepaired: boolean;
}

export const sliceId = ({ stream, account, from, to }: Slice): string => [stream.name, account.externalId, from, to].join('\t');

/** Rows sent in this run of which Mixpanel does not show the last event. */
export function unseen({ sent }: Pick<Expectation, 'sent'>, visible: VisibleRows): SentRow[] {
  return [...sent].filter(([hash, row]) => (visible.get(hash)?.revision ?? 0) < row.revision).map(([, row]) => row);
}

/** How many rows Mixpanel shows otherwise than they were left. */
export function countDifferent(slice: Slice, { held }: Pick<Expectation, 'held'>, visible: VisibleRows): number {
  const metrics = Object.values(shapeOf(slice.stream).metrics).filter((name) => name !== null);
  const isSame = (row: Held | undefined, shown: VisibleRow | undefined) =>
    (row?.isPresent ?? false) === (shown?.isPresent ?? false) &&
    metrics.every((name) => (row?.amounts[name] ?? 0n) === (shown?.amounts[name] ?? 0n));
  const hashes = new Set([...held.keys(), ...visible.keys()]);
  return [...hashes].filter((hash) => !isSame(held.get(hash), visible.get(hash))).length;
}
