import type { Day, Slice } from '../kit/contract.js';
import { exportedSchema, parseJson } from './answers.js';
import { fromNumber, type Decimal } from './decimal.js';
import { cutExport } from './errors.js';
import { isNoon } from './plan.js';
import type { Amounts, Properties } from './rows.js';
import type { EventVersion } from './stored-row.js';

/** What Mixpanel returns for one row: all its events together. */
export interface VisibleRow {
  day: Day;
  /** Revision of the newest event. */
  revision: number;
  isPresent: boolean;
  /** Sum of the revisions of all events, to detect missing ones. */
  checksum: number;
  /** The ids among the properties of the newest event. */
  ids: Properties;
  events: VisibleEvent[];
}

interface VisibleEvent extends EventVersion {
  /** As stored by Mixpanel. */
  numbers: Record<string, number>;
  isWhole: boolean;
}

/** By row hash. */
export type VisibleRows = Map<string, VisibleRow>;

interface ExportedEvent extends VisibleEvent, Pick<VisibleRow, 'day' | 'isPresent' | 'ids'> {
  hash: string;
  /** Mixpanel's deduplication key without the name, which is the same for all. */
  identity: string;
  processedAt: number;
  place: string;
}

const ownId = /^([0-9a-f]{28})-([0-9a-z]+)$/;
const unsummed = new Set(['time', 'mp_processing_time_ms', 'revision']);

/** Key under which a slice's rows are stored. */
export const placeOf = ({ stream, account }: Slice): string => `${account.externalId}\t${stream.name}`;

/** The exact sum over all events of the row. */
export function amountOf({ events }: VisibleRow, property: string): Decimal {
  return events.reduce((sum, { numbers }) => sum + fromNumber(numbers[property] ?? 0), 0n);
}

export function amountsOf(row: VisibleRow): Amounts {
  const names = new Set(row.events.flatMap(({ numbers }) => Object.keys(numbers)));
  return Object.fromEntries([...names].map((name) => [name, amountOf(row, name)]));
}

/** The part with the row's own id at noon: the event that is resent. */
export function wholeOf(row: VisibleRow): Amounts {
  return amountsOf({ ...row, events: row.events.filter(({ isWhole }) => isWhole) });
}

/**
 * Whether Mixpanel returns all of these events. The newest alone does not show that the earlier ones arrived. An event that is
 * resent with the same id may be returned in a later version.
 */
export function hasEvents(row: VisibleRow | undefined, versions: EventVersion[]): boolean {
  const events = row?.events ?? [];
  return versions.every(({ suffix, revision }) => events.some((event) => event.suffix === suffix && event.revision >= revision));
}

/**
 * Deduplicates raw events as Mixpanel does, by name, user, time and id, and sums them by row, grouped by account and stream.
 * Above `limit` events, those of places that were not requested are dropped.
 */
export async function readVisible(
  lines: AsyncIterable<string>,
  { asked, limit }: { asked: Set<string>; limit: number },
): Promise<{ places: Map<string, VisibleRows>; isAskedOnly: boolean }> {
  const latest = new Map<string, ExportedEvent>();
  const share = sharer();
  let isAskedOnly = false;
  for await (const line of lines) {
    const event = line === '' ? null : readEvent(line, share);
    if (!event || (isAskedOnly && !asked.has(event.place))) continue;
    const known = latest.get(event.identity);
    if (!known || known.processedAt <= event.processedAt) latest.set(event.identity, event);
    if (isAskedOnly || latest.size <= limit) continue;
    isAskedOnly = true;
    for (const [identity, { place }] of latest) if (!asked.has(place)) latest.delete(identity);
  }
  return { places: byPlace(latest), isAskedOnly };
}

function byPlace(latest: Map<string, ExportedEvent>): Map<string, VisibleRows> {
  const places = new Map<string, VisibleRows>();
  for (const [identity, event] of latest) {
    const rows = places.get(event.place) ?? new Map<string, VisibleRow>();
    places.set(event.place, rows);
    rows.set(event.hash, addEvent(rows.get(event.hash), event));
    latest.delete(identity);
  }
  return places;
}

/** Days and ids occur in thousands of events, so each string is stored once. */
function sharer(): (text: string) => string {
  const texts = new Map<string, string>();
  return (text) => texts.get(text) ?? (texts.set(text, text), text);
}

/** Null for events of other clients that look like ours. */
function readEvent(line: string, share: (text: string) => string): ExportedEvent | null {
  const json = parseJson(line);
  if (json === undefined) throw cutExport('an export contained an incomplete line');
  const { data } = exportedSchema.safeParse(json);
  const id = ownId.exec(data?.properties.$insert_id ?? '');
  if (!data || !id) return null;
  const { properties } = data;
  const numbers: Record<string, number> = {};
  const ids: Properties = {};
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'number' && !isOwn(name)) numbers[name] = value;
    else if (name.endsWith('_id') && !isOwn(name) && typeof value === 'string' && value !== '') ids[name] = share(value);
  }
  return {
    hash: id[1] as string,
    identity: `${properties.$insert_id} ${properties.time} ${properties.distinct_id}`,
    suffix: share(id[2] as string),
    isWhole: id[2] === '0' && isNoon(properties.time),
    processedAt: properties.mp_processing_time_ms,
    place: share(`${properties.account_id}\t${properties.stream}`),
    day: share(properties.date),
    revision: properties.revision,
    isPresent: properties.row_present,
    numbers,
    ids,
  };
}

function isOwn(name: string): boolean {
  return name.startsWith('$') || unsummed.has(name);
}

function addEvent(row: VisibleRow | undefined, event: ExportedEvent): VisibleRow {
  const { suffix, numbers, isWhole, day, revision, isPresent, ids } = event;
  const visible = { suffix, revision, numbers, isWhole };
  if (!row) return { day, revision, isPresent, ids, checksum: revision, events: [visible] };
  row.events.push(visible);
  row.checksum += revision;
  return revision < row.revision ? { ...row, day } : { ...row, day, revision, isPresent, ids };
}
