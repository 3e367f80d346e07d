import type { SentRow, Slice } from '../kit/contract.js';
import { fromState, isNothing, noonOf, subtract, type Held } from './held.js';
import { timeOf } from './plan.js';
import { keyOfHash, type Amounts, type CollectedRows } from './rows.js';
import { shapeOf } from './shape.js';
import { amountsOf, type VisibleRow, type VisibleRows, wholeOf } from './visible.js';

/** One row as it is known before it is written. */
export interface KnownRow {
  hash: string;
  key: string;
  day: string;
  /** What Mixpanel holds of it; null: nothing was ever sent here. */
  held: Held | null;
  /** As the ledger has it. */
  stored: SentRow | null;
}

export interface KnownInput {
  slice: Slice;
  target: string;
  mode: 'delta' | 'resend';
  now: Date;
  /** Of the ledger, by hash. */
  stored: Map<string, SentRow>;
  rows: CollectedRows;
  /** Null: what the ledger says holds. */
  visible: VisibleRows | null;
  /** Hashes of rows of which the ledger knows better: what was sent last does not show yet. */
  unseen: Set<string>;
}

/** Every row of the ledger, the source and, where it was read, of Mixpanel: one after the other, because all at once are too many. */
export function* findKnown(input: KnownInput): Generator<KnownRow> {
  const { stored, rows, visible } = input;
  for (const [hash, row] of stored) yield asHeld(input, { hash, key: row.key, day: row.day, stored: row });
  for (const { hash, key, day } of rows) if (!stored.has(hash)) yield asHeld(input, { hash, key, day, stored: null });
  for (const [hash, { day }] of visible ?? []) {
    if (!stored.has(hash) && !rows.has(hash)) yield asHeld(input, { hash, key: keyOfHash(hash), day, stored: null });
  }
}

function asHeld(input: KnownInput, { hash, key, day, stored }: Omit<KnownRow, 'held'>): KnownRow {
  const row: KnownRow = { hash, key, day, stored, held: stored && fromState(input.target, stored) };
  if (input.visible && !input.unseen.has(hash)) row.held = adopt(input, row, input.visible.get(hash));
  // Sent elsewhere before the settings changed: nothing is here, and the revisions go on.
  else if (!row.held && row.stored) row.held = nothingHeld(input, row);
  return row;
}

/** What Mixpanel shows takes the place of what the ledger says. */
function adopt(input: KnownInput, row: KnownRow, shown: VisibleRow | undefined): Held | null {
  if (!shown) return row.stored ? nothingHeld(input, row) : null;
  const time = row.held?.time ?? timeOf(input, row.day, null);
  const amounts = known(input.slice, amountsOf(shown));
  const others = time === noonOf(row.day) ? subtract(amounts, known(input.slice, wholeOf(shown))) : amounts;
  return {
    revision: Math.max(shown.revision, row.stored?.revision ?? 0),
    isPresent: shown.isPresent,
    time,
    amounts,
    offset: input.mode === 'resend' && !isNothing(others) ? others : {},
    properties: row.held?.properties ?? shown.ids,
  };
}

function nothingHeld(input: KnownInput, row: KnownRow): Held {
  return {
    revision: row.stored?.revision ?? 0,
    isPresent: false,
    time: row.held?.time ?? timeOf(input, row.day, null),
    amounts: {},
    offset: {},
    properties: row.held?.properties ?? {},
  };
}

/** Numbers of the events that add up; the others only describe. */
function known(slice: Slice, amounts: Amounts): Amounts {
  const names = shapeOf(slice.stream).amounts.map(({ property }) => property);
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));
}
