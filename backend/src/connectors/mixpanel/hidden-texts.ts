import type { SentRow, Slice } from '../kit/contract.js';
import { hashText } from '../kit/rows/hashed-columns.js';
import type { Properties } from './rows.js';
import { groupProperties, shapeOf } from './shape.js';
import { plannedEventsOf, type MixpanelEvent } from './stored-row.js';

/** A text of this form is taken for a hash, because rows do not store which of their texts were hashed. */
const SHA_256 = /^[0-9a-f]{64}$/;
/** Texts that events have in addition to those of their row. */
const eventTexts = ['account_id', 'row_present', 'distinct_id', '$insert_id'];

/** Properties that earlier events may contain as text, and that are hashed or excluded now. */
export interface HiddenTexts {
  hashed: Set<string>;
  /** All others that may be sent. */
  shown: Set<string>;
}

export function hiddenTextsOf({ stream }: Slice, hashed: readonly string[]): HiddenTexts {
  const { texts, fixed } = shapeOf(stream);
  const isHashed = (column: number): boolean => hashed.includes(stream.columns[column]?.name ?? '');
  return {
    hashed: new Set(texts.filter(({ column }) => isHashed(column)).map(({ property }) => property)),
    shown: new Set([
      ...texts.filter(({ column }) => !isHashed(column)).map(({ property }) => property),
      ...Object.keys(fixed),
      'date',
    ]),
  };
}

/** The row of the ledger without these texts, also in the events that are sent again. Returns the same object if it has none. */
export function hideTexts(hidden: HiddenTexts, row: SentRow): SentRow {
  const planned = plannedEventsOf(row);
  const changed: SentRow = {
    ...row,
    state: hideState(hidden, row.state),
    planned: planned && {
      ...planned,
      events: planned.events.map((event) => hideEvent(hidden, event)),
      before: planned.before && hideState(hidden, planned.before),
    },
  };
  return JSON.stringify(changed) === JSON.stringify(row) ? row : changed;
}

/** An excluded property by which amounts are summed stays as a hash, to recognize the same value later. It is not sent. */
export function hideProperties({ hashed, shown }: HiddenTexts, properties: Properties): Properties {
  const entries = Object.entries(properties).filter(
    ([name]) => hashed.has(name) || shown.has(name) || groupProperties.includes(name),
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, shown.has(name) ? value : toHash(value)]));
}

function hideState(hidden: HiddenTexts, state: SentRow['state']): SentRow['state'] {
  const { properties } = state;
  if (typeof properties !== 'string') return state;
  return { ...state, properties: JSON.stringify(hideProperties(hidden, JSON.parse(properties) as Properties)) };
}

/** Keeps numbers: the amounts of excluded columns belong to the sums that the ledger contains. */
function hideEvent({ hashed, shown }: HiddenTexts, event: MixpanelEvent): MixpanelEvent {
  const isKept = (name: string, value: unknown): boolean =>
    typeof value === 'number' || hashed.has(name) || shown.has(name) || eventTexts.includes(name);
  const entries = Object.entries(event.properties).filter(([name, value]) => isKept(name, value));
  const properties = Object.fromEntries(entries.map(([name, value]) => [name, hashed.has(name) ? toHash(value) : value]));
  return { ...event, properties };
}

const toHash = (value: string | number | boolean): string | number | boolean =>
  typeof value !== 'string' || SHA_256.test(value) ? value : hashText(value);
