import type { SentRow, Slice, WriteContext } from '../kit/contract.js';
import type { MixpanelApi } from './api.js';
import type { RejectedEvent } from './answers.js';
import { notAllTaken, refusedRows, rowTooLarge } from './errors.js';
import { plannedEventsOf } from './stored-row.js';
import { packEvents } from './packed-events.js';

/** Below Mixpanel's limits of 2,000 events and 10 MB uncompressed. */
const BATCH_EVENTS = 2_000;
const BATCH_BYTES = 9_000_000;

interface Batch {
  rows: SentRow[];
  /** The events of all rows, in order. */
  events: string[];
}

type Refusals = Map<SentRow, RejectedEvent[]>;

export interface Sender {
  api: MixpanelApi;
  context: WriteContext;
  slice: Slice;
  /** Called after every attempt to send, whatever its outcome. */
  onAttempt(): void;
  /** Called with rows whose events Mixpanel accepted. They stay planned until it returns them. */
  onSent(rows: SentRow[]): void;
}

/**
 * Stores the plan and sends the events; rows without events are only stored. After a crash, the next attempt sends the same
 * events with the same ids. Rejected rows are reported after everything else was sent.
 */
export async function planAndSend(sender: Sender, rows: Iterable<SentRow>): Promise<void> {
  const { context, slice } = sender;
  let first: [SentRow, RejectedEvent[]] | undefined;
  let count = 0;
  for (const batch of batches(rows)) {
    await context.ledger.plan(slice, batch.rows);
    const refusals = await sendBatch(sender, batch);
    first ??= [...refusals][0];
    count += refusals.size;
  }
  if (!first) return;
  const [row, events] = first;
  throw refusedRows(describe(row), events[0]?.field ?? '', events[0]?.message ?? '', count);
}

/** Returns the rows with events that Mixpanel rejected permanently. */
async function sendBatch(sender: Sender, batch: Batch): Promise<Refusals> {
  const { api, context } = sender;
  if (batch.events.length === 0) return new Map();
  const packed = await packEvents(batch.events);
  const outcome = await api.importEvents(context, packed).finally(() => sender.onAttempt());
  if (outcome.isTooLarge) return sendHalves(sender, batch);
  const { imported, refused } = outcome;
  if (imported + refused.length !== batch.events.length) throw notAllTaken(batch.events.length, imported);
  const refusals = refusedByRow(batch, refused);
  sender.onSent(batch.rows.filter((row) => row.planned && !refusals.has(row)));
  await revertPlans(sender, refusals);
  return refusals;
}

async function sendHalves(sender: Sender, { rows }: Batch): Promise<Refusals> {
  if (rows.length < 2) throw rowTooLarge();
  const half = Math.ceil(rows.length / 2);
  const refusals = await sendBatch(sender, toBatch(rows.slice(0, half)));
  return new Map([...refusals, ...(await sendBatch(sender, toBatch(rows.slice(half))))]);
}

function refusedByRow({ rows }: Batch, refused: RejectedEvent[]): Refusals {
  const owners = rows.flatMap((row) => eventsOf(row).map(() => row));
  const byRow = new Map<SentRow, RejectedEvent[]>();
  for (const event of refused) {
    const owner = owners[event.index];
    if (!owner) throw notAllTaken(owners.length, owners.length - refused.length);
    byRow.set(owner, [...(byRow.get(owner) ?? []), event]);
  }
  return byRow;
}

/** If Mixpanel accepted none of a row's events, the row's plan is reverted, so that the next run creates a new one. */
async function revertPlans({ context, slice }: Sender, refusals: Refusals): Promise<void> {
  const whole = [...refusals].filter(([row, events]) => events.length === eventsOf(row).length).map(([row]) => row);
  const returned = whole.map((row) => ({ ...row, state: plannedEventsOf(row)?.before ?? nothingSent(row), planned: null }));
  if (returned.length > 0) await context.ledger.plan(slice, returned);
}

const nothingSent = ({ state }: SentRow): SentRow['state'] => ({ ...state, isPresent: false, amounts: '{}' });

function describe(row: SentRow): string {
  const properties = plannedEventsOf(row)?.events[0]?.properties ?? {};
  const name = properties['campaign_name'] ?? properties['campaign_id'];
  return `the row ${name === undefined ? '' : `"${String(name)}" `}(${row.key.replaceAll('\t', ', ')})`;
}

export function* batches(rows: Iterable<SentRow>): Generator<Batch> {
  let batch: Batch = { rows: [], events: [] };
  let bytes = 0;
  for (const row of rows) {
    const { events } = toBatch([row]);
    const size = events.reduce((sum, event) => sum + Buffer.byteLength(event) + 1, 0);
    if (batch.rows.length > 0 && (batch.events.length + events.length > BATCH_EVENTS || bytes + size > BATCH_BYTES)) {
      yield batch;
      batch = { rows: [], events: [] };
      bytes = 0;
    }
    batch.rows.push(row);
    batch.events.push(...events);
    bytes += size;
  }
  if (batch.rows.length > 0) yield batch;
}

function toBatch(rows: SentRow[]): Batch {
  return { rows, events: rows.flatMap((row) => eventsOf(row).map((event) => JSON.stringify(event))) };
}

function eventsOf(row: SentRow) {
  return plannedEventsOf(row)?.events ?? [];
}
