import type { SentRow, Slice } from '../kit/contract.js';
import { fromState, isNothing, noonOf, subtract, type StoredRow } from './stored-row.js';
import { hideProperties, type HiddenTexts } from './hidden-texts.js';
import { timeOf } from './plan.js';
import { keyOfHash, type Amounts, type CollectedRows } from './rows.js';
import { shapeOf } from './shape.js';
import { amountsOf, type VisibleRow, type VisibleRows, wholeOf } from './visible-rows.js';

/** The known state of one row before it is written. */
export interface KnownRow {
  hash: string;
  key: string;
  day: string;
  /** What Mixpanel stores for it; null: nothing was ever sent to this target. */
  held: StoredRow | null;
  /** The row in the ledger. */
  stored: SentRow | null;
}

export interface KnownInput {
  slice: Slice;
  target: string;
  mode: 'delta' | 'resend';
  now: Date;
  /** Rows of the ledger, by hash. */
  stored: Map<string, SentRow>;
  rows: CollectedRows;
  /** Null: the state in the ledger is used. */
  visible: VisibleRows | null;
  /** Hashes of rows of whose sent events some are not visible yet. The ledger's state is used for them. */
  unseen: Set<string>;
  hidden: HiddenTexts;
}

/**
 * Yields every row of the ledger, the source and, if it was read, of Mixpanel. Rows are yielded one by one, because all together
 * need too much memory.
 */
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
  // Sent to another target before the settings changed: nothing is stored here, and revisions continue.
  else if (!row.held && row.stored) row.held = nothingHeld(input, row);
  return row;
}

/** Uses the state that Mixpanel returns instead of the ledger's. */
function adopt(input: KnownInput, row: KnownRow, shown: VisibleRow | undefined): StoredRow | null {
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
    properties: row.held?.properties ?? hideProperties(input.hidden, shown.ids),
  };
}

function nothingHeld(input: KnownInput, row: KnownRow): StoredRow {
  return {
    revision: row.stored?.revision ?? 0,
    isPresent: false,
    time: row.held?.time ?? timeOf(input, row.day, null),
    amounts: {},
    offset: {},
    properties: row.held?.properties ?? {},
  };
}

/** Keeps only the summed numbers of the events; the others are descriptive. */
function known(slice: Slice, amounts: Amounts): Amounts {
  const names = shapeOf(slice.stream).amounts.map(({ property }) => property);
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));
}
