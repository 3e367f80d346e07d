import type { Day, SentRow, Slice, WriteContext } from '../kit/contract.js';
import type { Expectation, SentEvents } from './expectation.js';
import { plannedOf, type MixpanelEvent, type Planned } from './held.js';
import type { Loader } from './loader.js';
import { unpackEvents } from './packed-events.js';
import { hashOfId } from './plan.js';
import { rowHash } from './rows.js';

/**
 * Handles rows that Mixpanel accepted but does not return yet. They may appear later or be lost, which cannot be known. The same
 * events are planned again: sent again with the same ids, they count once, even if the first ones appear later. A difference with
 * another id would count twice. Returns the affected days.
 */
export async function planAgain(
  context: WriteContext,
  slice: Slice,
  sent: Expectation['sent'],
  hashes: string[],
): Promise<Day[]> {
  const late = new Set(hashes);
  const rows = (await context.ledger.list(slice)).filter((row) => late.has(rowHash(slice, row.key)));
  const byImport = new Map<SentEvents, SentRow[]>();
  for (const row of rows) {
    const last = sent.get(rowHash(slice, row.key))?.imports.at(-1);
    if (last) append(byImport, last, row);
  }
  // Processes one import at a time: the events of a whole slice need too much memory.
  for (const group of byImport.values()) await planGroup(context, slice, sent, group);
  return [...new Set(rows.map(({ day }) => day))].sort();
}

async function planGroup(context: WriteContext, slice: Slice, sent: Expectation['sent'], rows: SentRow[]): Promise<void> {
  const events = await eventsOf(new Set(rows.flatMap((row) => sent.get(rowHash(slice, row.key))?.imports ?? [])));
  const planned = rows.map((row): SentRow => {
    // The state before these events is no longer known. If Mixpanel rejects them now, the read-back finds the difference.
    const plan: Planned = { events: events.get(rowHash(slice, row.key)) ?? [], before: row.state };
    return { ...row, planned: { ...plan } };
  });
  await context.ledger.plan(slice, planned);
}

/**
 * Events by row hash. For an event that was sent several times, the highest revision: the imports of several rows together are
 * not in the order in which they were sent.
 */
async function eventsOf(imports: Set<SentEvents>): Promise<Map<string, MixpanelEvent[]>> {
  const latest = new Map<string, MixpanelEvent>();
  for (const { packed } of imports)
    for (const event of await unpackEvents(packed)) {
      const { $insert_id: id, time, revision } = event.properties;
      const identity = `${String(id)} ${String(time)}`;
      if (Number(latest.get(identity)?.properties['revision'] ?? 0) <= Number(revision)) latest.set(identity, event);
    }
  const byRow = new Map<string, MixpanelEvent[]>();
  for (const event of latest.values()) append(byRow, hashOfId(String(event.properties['$insert_id'])), event);
  return byRow;
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
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
  // If a row has several events, the newest does not show that the others arrived, so all are sent again.
  const isShown = (row: SentRow): boolean =>
    plannedOf(row)?.events.length === 1 && (visible.get(rowHash(slice, row.key))?.revision ?? 0) >= row.revision;
  const shown = planned.filter(isShown).map(({ key }) => key);
  if (shown.length > 0) await context.ledger.confirm(slice, shown);
  return planned.filter((row) => !isShown(row));
}
