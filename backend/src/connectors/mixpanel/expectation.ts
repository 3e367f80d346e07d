import type { Day, Slice } from '../kit/contract.js';
import type { Decimal } from './decimal.js';
import type { EventVersion, StoredRow } from './stored-row.js';
import { shapeOf, type Shape } from './shape.js';
import { amountOf, hasEvents, type VisibleRow, type VisibleRows } from './visible-rows.js';

/** A row whose events were sent in this run. */
export interface SentRevision {
  key: string;
  day: Day;
  /** All its planned events, also those of earlier runs. */
  events: EventVersion[];
}

/** The expected content of a slice after writing. It is stored until Mixpanel returns it, so it must be small. */
export interface Expectation {
  /** Result of `lookOf` by row hash. */
  held: Map<string, string>;
  /** Rows whose events were sent in this run, by hash. They stay planned until Mixpanel returns them. */
  sent: Map<string, SentRevision>;
  /** Mixpanel returned other values and was repaired once. From now on its values are reported as they are. */
  isRepaired: boolean;
}

export const sliceId = ({ stream, account, from, to }: Slice): string => [stream.name, account.externalId, from, to].join('\t');

/** Rows sent in this run of whose events Mixpanel does not return all yet, by hash. */
export function unseen({ sent }: Pick<Expectation, 'sent'>, visible: VisibleRows): Map<string, SentRevision> {
  return new Map([...sent].filter(([hash, { events }]) => !hasEvents(visible.get(hash), events)));
}

/** Number of rows that differ between Mixpanel and the expectation. */
export function countDifferent(slice: Slice, { held }: Pick<Expectation, 'held'>, visible: VisibleRows): number {
  const shape = shapeOf(slice.stream);
  const nothing = lookOfStored(shape, undefined);
  let different = 0;
  for (const [hash, look] of held) if (look !== lookOfVisible(shape, visible.get(hash))) different++;
  for (const [hash, row] of visible) if (!held.has(hash) && lookOfVisible(shape, row) !== nothing) different++;
  return different;
}

export function lookOfStored(shape: Shape, row: StoredRow | undefined): string {
  return lookOf(shape, row?.isPresent ?? false, (name) => row?.amounts[name] ?? 0n);
}

function lookOfVisible(shape: Shape, row: VisibleRow | undefined): string {
  return lookOf(shape, row?.isPresent ?? false, (name) => (row ? amountOf(row, name) : 0n));
}

/** The compared state of a row: whether it exists, and its metrics. */
function lookOf({ metrics }: Shape, isPresent: boolean, amountOfMetric: (property: string) => Decimal): string {
  const amounts = Object.values(metrics).map((name) => (name === null ? '' : amountOfMetric(name).toString(36)));
  return `${isPresent ? '+' : '-'} ${amounts.join(' ')}`;
}
