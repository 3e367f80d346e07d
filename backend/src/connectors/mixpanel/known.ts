import type { SentRow, Slice } from '../kit/contract.js';
import { fromState, isNothing, noonOf, subtract, type Held } from './held.js';
import { timeOf } from './plan.js';
import { keyOfHash, rowHash, type Amounts, type CollectedRows } from './rows.js';
import { shapeOf } from './shape.js';
import type { VisibleRow, VisibleRows } from './visible.js';

/** One row as it is known before it is written. */
export interface KnownRow {
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
  stored: SentRow[];
  rows: CollectedRows['rows'];
  /** Null: what the ledger says holds. */
  visible: VisibleRows | null;
  /** Hashes of rows of which the ledger knows better: what was sent last does not show yet. */
  unseen: Set<string>;
}

/** Every row of the ledger, the source and, where it was read, of Mixpanel; by hash. */
export function findKnown(input: KnownInput): Map<string, KnownRow> {
  const { slice, stored, rows, visible, unseen, target } = input;
  const known = new Map<string, KnownRow>();
  for (const row of stored)
    known.set(rowHash(slice, row.key), { key: row.key, day: row.day, held: fromState(target, row), stored: row });
  for (const [hash, { key, day }] of rows) if (!known.has(hash)) known.set(hash, { key, day, held: null, stored: null });
  for (const [hash, { day }] of visible ?? [])
    if (!known.has(hash)) known.set(hash, { key: keyOfHash(hash), day, held: null, stored: null });
  for (const [hash, row] of known) {
    if (visible && !unseen.has(hash)) row.held = adopt(input, row, visible.get(hash));
    // Sent elsewhere before the settings changed: nothing is here, and the revisions go on.
    else if (!row.held && row.stored) row.held = nothingHeld(input, row);
  }
  return known;
}

/** What Mixpanel shows takes the place of what the ledger says. */
function adopt(input: KnownInput, row: KnownRow, shown: VisibleRow | undefined): Held | null {
  if (!shown) return row.stored ? nothingHeld(input, row) : null;
  const time = row.held?.time ?? timeOf(input, row.day, null);
  const amounts = known(input.slice, shown.amounts);
  const others = time === noonOf(row.day) ? subtract(amounts, known(input.slice, shown.whole)) : amounts;
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
