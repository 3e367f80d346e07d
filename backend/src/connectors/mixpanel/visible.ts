import type { Day, Slice } from '../kit/contract.js';
import { exportedSchema, parseJson } from './answers.js';
import { fromNumber } from './decimal.js';
import { cutExport } from './errors.js';
import { isNoon } from './plan.js';
import type { Amounts, Properties } from './rows.js';

/** What Mixpanel shows of one row: all its events together. */
export interface VisibleRow {
  day: Day;
  /** The newest. */
  revision: number;
  isPresent: boolean;
  amounts: Amounts;
  /** The part that stands under the row's own id at noon: the event that is sent again. */
  whole: Amounts;
  /** Adds up the revisions of all events: one that is missing is noticed. */
  checksum: number;
  /** The ids among the properties of the newest event. */
  ids: Properties;
}

/** By row hash. */
export type VisibleRows = Map<string, VisibleRow>;

interface ExportedEvent extends Omit<VisibleRow, 'whole' | 'checksum'> {
  hash: string;
  /** Mixpanel's key beside the name, which is the same for all. */
  identity: string;
  isWhole: boolean;
  processedAt: number;
  place: string;
}

const ownId = /^([0-9a-f]{28})-([0-9a-z]+)$/;
const unsummed = new Set(['time', 'mp_processing_time_ms', 'revision']);

/** Where a slice's rows are found among others. */
export const placeOf = ({ stream, account }: Slice): string => `${account.externalId}\t${stream.name}`;

/** Deduplicates raw events as Mixpanel does, by name, user, time and id, and adds them up by row; by account and stream. */
export async function readVisible(lines: AsyncIterable<string>): Promise<Map<string, VisibleRows>> {
  const latest = new Map<string, ExportedEvent>();
  for await (const line of lines) {
    const event = line === '' ? null : readEvent(line);
    if (!event) continue;
    const known = latest.get(event.identity);
    if (!known || known.processedAt <= event.processedAt) latest.set(event.identity, event);
  }
  const places = new Map<string, VisibleRows>();
  for (const event of latest.values()) {
    const rows = places.get(event.place) ?? new Map<string, VisibleRow>();
    places.set(event.place, rows);
    rows.set(event.hash, addEvent(rows.get(event.hash), event));
  }
  return places;
}

/** Null for events of somebody else that happen to look like ours. */
function readEvent(line: string): ExportedEvent | null {
  const json = parseJson(line);
  if (json === undefined) throw cutExport('an export held a line that is not whole');
  const { data } = exportedSchema.safeParse(json);
  const id = ownId.exec(data?.properties.$insert_id ?? '');
  if (!data || !id) return null;
  const { properties } = data;
  const numbers = Object.entries(properties).filter(([name, value]) => typeof value === 'number' && !isOwn(name));
  return {
    hash: id[1] as string,
    identity: JSON.stringify([properties.distinct_id, properties.time, properties.$insert_id]),
    isWhole: id[2] === '0' && isNoon(properties.time),
    processedAt: properties.mp_processing_time_ms,
    place: `${properties.account_id}\t${properties.stream}`,
    day: properties.date,
    revision: properties.revision,
    isPresent: properties.row_present,
    amounts: Object.fromEntries(numbers.map(([name, value]) => [name, fromNumber(value as number)])),
    ids: Object.fromEntries(
      Object.entries(properties).filter(([name, value]) => name.endsWith('_id') && isText(value)),
    ) as Properties,
  };
}

function isOwn(name: string): boolean {
  return name.startsWith('$') || unsummed.has(name);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function addEvent(row: VisibleRow | undefined, event: ExportedEvent): VisibleRow {
  const isNewest = !row || event.revision >= row.revision;
  const newest = isNewest ? event : row;
  return {
    day: event.day,
    revision: newest.revision,
    isPresent: newest.isPresent,
    amounts: add(row?.amounts ?? {}, event.amounts),
    whole: event.isWhole ? add(row?.whole ?? {}, event.amounts) : (row?.whole ?? {}),
    checksum: (row?.checksum ?? 0) + event.revision,
    ids: newest.ids,
  };
}

function add(left: Amounts, right: Amounts): Amounts {
  const sums = { ...left };
  for (const [name, value] of Object.entries(right)) sums[name] = (sums[name] ?? 0n) + value;
  return sums;
}
