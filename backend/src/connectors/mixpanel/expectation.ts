import type { Slice } from '../kit/contract.js';
import type { Decimal } from './decimal.js';
import type { Held } from './held.js';
import { shapeOf, type Shape } from './shape.js';
import { amountOf, type VisibleRow, type VisibleRows } from './visible.js';

/** Events that Mixpanel has answered, as they went out: an import's worth of them, packed. */
export interface SentEvents {
  packed: Buffer;
}

interface SentRevision {
  revision: number;
  /** Every import of this run that held events of the row, oldest first. */
  imports: SentEvents[];
}

/** What a slice was left as: kept until Mixpanel has shown it, and therefore small. */
export interface Expectation {
  /** By row hash; what `lookOf` says of it. */
  held: Map<string, string>;
  /** Rows whose events were sent in this run, by hash, to be planned again if they do not show. */
  sent: Map<string, SentRevision>;
  /** Mixpanel showed something else, and was set right once: what it shows now is told as it is. */
  isRepaired: boolean;
}

export const sliceId = ({ stream, account, from, to }: Slice): string => [stream.name, account.externalId, from, to].join('\t');

/** Hashes of the rows sent in this run of which Mixpanel does not show the last event. */
export function unseen({ sent }: Pick<Expectation, 'sent'>, visible: VisibleRows): string[] {
  return [...sent].filter(([hash, { revision }]) => (visible.get(hash)?.revision ?? 0) < revision).map(([hash]) => hash);
}

/** How many rows Mixpanel shows otherwise than they were left. */
export function countDifferent(slice: Slice, { held }: Pick<Expectation, 'held'>, visible: VisibleRows): number {
  const shape = shapeOf(slice.stream);
  const nothing = lookOfHeld(shape, undefined);
  let different = 0;
  for (const [hash, look] of held) if (look !== lookOfVisible(shape, visible.get(hash))) different++;
  for (const [hash, row] of visible) if (!held.has(hash) && lookOfVisible(shape, row) !== nothing) different++;
  return different;
}

export function lookOfHeld(shape: Shape, row: Held | undefined): string {
  return lookOf(shape, row?.isPresent ?? false, (name) => row?.amounts[name] ?? 0n);
}

function lookOfVisible(shape: Shape, row: VisibleRow | undefined): string {
  return lookOf(shape, row?.isPresent ?? false, (name) => (row ? amountOf(row, name) : 0n));
}

/** Whether the row is there, and the metrics that are compared. */
function lookOf({ metrics }: Shape, isPresent: boolean, amountOfMetric: (property: string) => Decimal): string {
  const amounts = Object.values(metrics).map((name) => (name === null ? '' : amountOfMetric(name).toString(36)));
  return `${isPresent ? '+' : '-'} ${amounts.join(' ')}`;
}
