import type {
  ConversionSource,
  RecordPage,
  RecordSample,
  RecordValue,
  SourceCursor,
  SourceRecord,
} from '../../connectors/kit/conversion-source.js';
import { firstIdOf } from '../../core/database/identifiers.js';
import { PUSH_VISIBILITY_MS, type PushedEvents, type StoredPushEvent } from '../../custom-apps/index.js';

const PAGE_EVENTS = 1_000;
const MAX_LEVELS = 5;

/** Reads the events that were pushed to a custom app. Each record has the fields `push.id` and `push.receivedAt` in addition. */
export function pushSource(events: PushedEvents, organizationId: string, appId: string): ConversionSource {
  return {
    async sample(_context, limit): Promise<RecordSample> {
      const newest = await events.listNewest(organizationId, appId, limit + 1);
      const records = newest.slice(0, limit).map(toRecord);
      const fields = [...new Set(records.flatMap((record) => Object.keys(record)))];
      return { records, fields, hasMore: newest.length > limit };
    },
    read: (_context, cursor, since) => readPages(events, organizationId, appId, startOf(cursor, since)),
    close: () => Promise.resolve(),
  };
}

async function* readPages(
  events: PushedEvents,
  organizationId: string,
  appId: string,
  start: string,
): AsyncGenerator<RecordPage> {
  let after = start;
  for (;;) {
    const page = await events.listAfter(organizationId, appId, after, PAGE_EVENTS);
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
    const records = page.map(toRecord);
    yield { records, bytes: Buffer.byteLength(JSON.stringify(records)), cursor: { receivedAt: last.receivedAt.toISOString() } };
    if (page.length < PAGE_EVENTS) return;
  }
}

/** Events of a slow transaction appear after newer ones, so the last minutes are read again. */
function startOf(cursor: SourceCursor | null, since: Date): string {
  const from = cursor ? new Date(Date.parse(String(cursor['receivedAt'])) - PUSH_VISIBILITY_MS) : since;
  return firstIdOf(from);
}

function toRecord({ id, receivedAt, payload }: StoredPushEvent): SourceRecord {
  return { ...flatten(payload), 'push.id': id, 'push.receivedAt': receivedAt.toISOString() };
}

/** `{a: {b: 1}}` becomes `{"a.b": 1}`. Lists and deeper objects become JSON text. */
export function flatten(value: Record<string, unknown>, prefix = '', level = 1): SourceRecord {
  const entries = Object.entries(value).flatMap(([key, content]): [string, RecordValue][] => {
    const name = prefix + key;
    if (content === null || typeof content === 'boolean' || typeof content === 'string') return [[name, content]];
    if (typeof content === 'number')
      return [[name, Number.isSafeInteger(content) || !Number.isInteger(content) ? content : String(content)]];
    if (typeof content !== 'object' || Array.isArray(content) || level === MAX_LEVELS) return [[name, JSON.stringify(content)]];
    return Object.entries(flatten(content as Record<string, unknown>, `${name}.`, level + 1));
  });
  return Object.fromEntries(entries);
}
