import type { SentRow, Slice, WriteContext } from '../kit/contract.js';
import type { Expectation, SentRevision } from './expectation.js';
import { plannedEventsOf, plannedVersionsOf, type MixpanelEvent } from './stored-row.js';
import type { Loader } from './loader.js';
import { rowHash } from './rows.js';
import { hasEvents } from './visible-rows.js';

/** Rows of one transaction of the ledger. */
const CONFIRM_ROWS = 5_000;

/** Ends the plans of the rows that were sent in this run, except those that Mixpanel does not return yet. */
export async function confirmSent(
  context: WriteContext,
  slice: Slice,
  { sent }: Pick<Expectation, 'sent'>,
  late: Map<string, SentRevision>,
): Promise<void> {
  const keys = [...sent].filter(([hash]) => !late.has(hash)).map(([, { key }]) => key);
  for (let from = 0; from < keys.length; from += CONFIRM_ROWS)
    await context.ledger.confirm(slice, keys.slice(from, from + CONFIRM_ROWS));
}

/** Returns the rows planned by an earlier attempt that Mixpanel does not return yet. Confirms those that it returns. */
export async function confirmShown(
  { readBack }: Loader,
  context: WriteContext,
  slice: Slice,
  planned: SentRow[],
): Promise<SentRow[]> {
  if (planned.length === 0) return [];
  const visible = await readBack.rows(context, slice);
  const isShown = (row: SentRow): boolean => hasEvents(visible.get(rowHash(slice, row.key)), plannedVersionsOf(row));
  const shown = planned.filter(isShown).map(({ key }) => key);
  if (shown.length > 0) await context.ledger.confirm(slice, shown);
  return planned.filter((row) => !isShown(row));
}

/**
 * The new plan of a row whose earlier events Mixpanel does not return yet: these are sent too, because they may be lost. An event
 * that is sent again with the same id is replaced.
 */
export function addToPlan(next: SentRow, earlier: SentRow | undefined): SentRow {
  const before = earlier && plannedEventsOf(earlier);
  if (!before) return next;
  const added = plannedEventsOf(next)?.events ?? [];
  const identities = new Set(added.map(identityOf));
  const events = [...before.events.filter((event) => !identities.has(identityOf(event))), ...added];
  return { ...next, planned: { events, before: before.before } };
}

const identityOf = ({ properties }: MixpanelEvent): string => `${properties['$insert_id']} ${properties['time']}`;
