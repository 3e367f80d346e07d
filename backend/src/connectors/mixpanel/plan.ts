import type { SentRow, Slice } from '../kit/contract.js';
import { RowRejected } from '../kit/errors.js';
import { fromNumber, toNumber } from './decimal.js';
import { isNothing, noonOf, subtract, toState, type StoredRow, type MixpanelEvent } from './stored-row.js';
import { rowHash, type Amounts, type Properties, type SourceRow } from './rows.js';
import { hashText } from '../kit/rows/hashed-columns.js';
import { groupProperties, shapeOf } from './shape.js';

/**
 * Mixpanel sets times in its future to its current time, and the event could not be matched later. This covers clock differences.
 */
const CLOCK_MARGIN_MS = 5 * 60_000;
const QUARTER_MS = 15 * 60_000;

export interface PlanContext {
  slice: Slice;
  eventName: string;
  mode: 'delta' | 'resend';
  target: string;
  now: Date;
}

/** One row of the source, the ledger or both. */
export interface RowChange {
  key: string;
  day: string;
  held: StoredRow | null;
  row: SourceRow | null;
  /** The current state in the ledger, to restore if needed. */
  before: SentRow['state'] | null;
}

/** The events to send for a row, or null if nothing changed. */
export function planRow(context: PlanContext, change: RowChange): SentRow | null {
  const step = context.mode === 'delta' ? deltaStep(context, change) : resendStep(context, change);
  if (!step) return null;
  return {
    key: change.key,
    day: change.day,
    revision: step.held.revision,
    state: toState(context.target, step.held),
    planned: { events: step.events, before: change.before },
  };
}

interface Step {
  held: StoredRow;
  events: MixpanelEvent[];
}

/** Sends differences. Every event has its own id, and their sum is the row. */
function deltaStep(context: PlanContext, { key, day, held, row }: RowChange): Step | null {
  const write = eventWriter(context, day, key);
  const revision = held?.revision ?? 0;
  const properties = propertiesOf(context, held, row);
  if (!row) {
    if (!held || (!held.isPresent && isNothing(held.amounts))) return null;
    const event = write.delta(revision + 1, held.time, false, subtract({}, held.amounts), properties);
    return { held: { ...held, revision: revision + 1, isPresent: false, amounts: {} }, events: [event] };
  }
  const time = timeOf(context, day, held);
  const next = { isPresent: true, amounts: row.amounts, offset: {}, properties, time };
  const isElsewhere = held && held.time !== time && !isNothing(held.amounts);
  if (held && (isElsewhere || (held.isPresent && isOtherGroup(context, held.properties, properties)))) {
    // Sent before noon with the time of then, or for another customer or currency: subtracts it there and adds it at the usual time
    // of the day's events.
    const back = write.delta(revision + 1, held.time, false, subtract({}, held.amounts), held.properties);
    const replacement = write.delta(revision + 2, time, true, row.amounts, properties);
    return { held: { ...next, revision: revision + 2 }, events: [back, replacement] };
  }
  const difference = subtract(row.amounts, held?.amounts ?? {});
  if (held?.isPresent && isNothing(difference)) return null;
  return { held: { ...next, revision: revision + 1 }, events: [write.delta(revision + 1, time, true, difference, properties)] };
}

/** Sends the whole row with one id and time. Mixpanel usually returns the version it received last. */
function resendStep(context: PlanContext, { key, day, held, row }: RowChange): Step | null {
  if (!row && !held?.isPresent && isNothing(held?.amounts ?? {})) return null;
  const isSame = row && held?.isPresent && isNothing(subtract(row.amounts, held.amounts));
  if (isSame && !isOtherGroup(context, held.properties, row.properties)) return null;
  const revision = (held?.revision ?? 0) + 1;
  const time = held?.time ?? timeOf(context, day, null);
  const offset = held?.offset ?? {};
  const amounts = row?.amounts ?? {};
  const properties = propertiesOf(context, held, row);
  const whole = subtract({ ...zeros(held?.amounts ?? {}), ...amounts }, offset);
  const event = eventWriter(context, day, key).whole(revision, time, row !== null, whole, properties);
  return { held: { revision, isPresent: row !== null, time, amounts, offset, properties }, events: [event] };
}

/** The row's properties, and those by which earlier amounts were summed and that are excluded now. */
function propertiesOf({ slice }: PlanContext, held: StoredRow | null, row: SourceRow | null): Properties {
  if (!row || !held) return row?.properties ?? held?.properties ?? {};
  const excluded = excludedGroups(slice).flatMap((name) => (name in held.properties ? [[name, held.properties[name]]] : []));
  return { ...(Object.fromEntries(excluded) as Properties), ...row.properties };
}

function excludedGroups({ stream }: Slice): string[] {
  const { texts } = shapeOf(stream);
  return groupProperties.filter((name) => !texts.some(({ property }) => property === name));
}

/** Amounts move to another customer or currency. They stay where a value is only hashed now, or excluded. */
function isOtherGroup({ slice }: PlanContext, held: Properties, next: Properties): boolean {
  const excluded = excludedGroups(slice);
  return groupProperties.some((name) => !excluded.includes(name) && !isSameValue(held[name] ?? null, next[name] ?? null));
}

function isSameValue(held: Properties[string] | null, next: Properties[string] | null): boolean {
  if (held === next) return true;
  return typeof held === 'string' && typeof next === 'string' && (hashText(held) === next || held === hashText(next));
}

/** Noon of the day; before noon, the time of the first send. */
export function timeOf({ now }: Pick<PlanContext, 'now'>, day: string, held: StoredRow | null): number {
  const latest = now.getTime() - CLOCK_MARGIN_MS;
  if (noonOf(day) <= latest) return noonOf(day);
  // In every zone, noon is a multiple of 15 minutes. Other times must not be, so that both can be distinguished.
  return held?.time ?? (isNoon(latest) ? latest - 1 : latest);
}

/** Also in the local time of a zone, which old projects export. */
export function isNoon(time: number): boolean {
  return time % QUARTER_MS === 0;
}

function eventWriter({ slice, eventName }: PlanContext, day: string, key: string) {
  const { stream, account } = slice;
  const hash = rowHash(slice, key);
  const shape = shapeOf(stream);
  const excluded = excludedGroups(slice);
  const write = (id: string, revision: number, time: number, isPresent: boolean, amounts: Amounts, properties: Properties) => ({
    event: eventName,
    properties: {
      ...without(excluded, properties),
      ...shape.fixed,
      account_id: account.externalId,
      date: day,
      ...writeAmounts(amounts, Object.values(shape.metrics)),
      revision,
      row_present: isPresent,
      time,
      distinct_id: '',
      $insert_id: id,
      ip: 0,
    },
  });
  return {
    delta: (revision: number, ...others: [number, boolean, Amounts, Properties]) =>
      write(`${hash}-${revision.toString(36)}`, revision, ...others),
    whole: (revision: number, ...others: [number, boolean, Amounts, Properties]) => write(`${hash}-0`, revision, ...others),
  };
}

function without(excluded: string[], properties: Properties): Properties {
  if (!excluded.some((name) => name in properties)) return properties;
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !excluded.includes(name)));
}

function zeros(amounts: Amounts): Amounts {
  return Object.fromEntries(Object.keys(amounts).map((name) => [name, 0n]));
}

/** Mixpanel stores binary fractions with about 15 digits. The three metrics are verified exactly, so they must fit. */
function writeAmounts(amounts: Amounts, exact: (string | null)[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, value]) => {
      const number = toNumber(value);
      if (exact.includes(name) && fromNumber(number) !== value) throw tooLarge(name);
      return [name, number];
    }),
  );
}

function tooLarge(name: string): RowRejected {
  return new RowRejected({
    code: 'mixpanel.amount_too_large',
    message: `The value of "${name}" in a row has more digits than Mixpanel stores (about 15). Nothing of the chunk was sent.`,
    action: 'Load this account into a table instead',
  });
}
