import type { StreamRow } from './compare-rows.js';
import { BIGQUERY, COMPARED, keysOf, MIXPANEL_PROJECT, type DestinationKind, type Pair, type SourceKind } from './pairs.js';

/** Reads rows without the product: from the warehouse, and from the sandbox's administration. */
export interface RowReader {
  admin<Body>(path: string): Promise<Body>;
  queryWarehouse(text: string, parameters: unknown[]): Promise<object[]>;
}

type ReadRows = (reader: RowReader, source: SourceKind, stream: string, key: readonly string[]) => Promise<StreamRow[]>;

export const rowsAtSource: ReadRows = async ({ admin }, { path, parameter, accountId }, stream) => {
  const query = new URLSearchParams({ [parameter]: accountId, stream, ...COMPARED });
  return (await admin<{ rows: StreamRow[] }>(`${path}/rows?${query}`)).rows;
};

const readers: Record<DestinationKind, ReadRows> = {
  async postgresql({ queryWarehouse }, { provider, accountId }, stream, key) {
    const rows = await queryWarehouse(
      `select date::text, concat_ws('/', ${key.join(', ')}) as key, cost_micros::text as "costMicros", clicks::float8 as clicks,
              impressions::float8 as impressions
         from ${provider}_${stream} where account_id = $1 and date between $2 and $3`,
      [accountId, COMPARED.from, COMPARED.to],
    );
    return rows as StreamRow[];
  },
  async bigquery({ admin }, { provider, accountId }, stream, key) {
    const query = new URLSearchParams({ ...BIGQUERY, tableId: `${provider}_${stream}`, limit: '1000000' });
    const { rows } = await admin<{ rows: Record<string, string>[] }>(`bigquery/rows?${query}`);
    return rows
      .filter((row) => row['account_id'] === accountId)
      .map((row) => ({ ...measuresOf(row, row['cost_micros'] ?? '0'), date: String(row['date']), key: joined(row, key) }))
      .filter(({ date }) => date >= COMPARED.from && date <= COMPARED.to);
  },
  /** Each row is the sum of its events: the first version and the differences that were sent later. */
  async mixpanel({ admin }, { accountId }, stream, key) {
    const query = new URLSearchParams({ projectId: MIXPANEL_PROJECT, accountId, raw: 'true', ...COMPARED });
    const { raw } = await admin<{ raw: MixpanelEvent[] }>(`mixpanel/totals?${query}`);
    const rows = new Map<string, StreamRow>();
    for (const { time, properties } of latestVersions(raw)) {
      if (properties['stream'] !== stream) continue;
      const part = { date: new Date(time).toISOString().slice(0, 10), key: joined(properties, key) };
      const place = `${part.date} ${part.key}`;
      const costMicros = String(Math.round(Number(properties['cost'] ?? 0) * 1e6));
      rows.set(place, added(rows.get(place), { ...measuresOf(properties, costMicros), ...part }));
    }
    return [...rows.values()].filter(hasValues);
  },
};

interface MixpanelEvent {
  event: string;
  time: number;
  distinctId: string;
  insertId: string;
  processedAt: number;
  properties: Record<string, unknown>;
}

/** Mixpanel counts events with equal keys once, in the version that it received last. */
function latestVersions(events: MixpanelEvent[]): MixpanelEvent[] {
  const latest = new Map<string, MixpanelEvent>();
  for (const event of events.toSorted((left, right) => left.processedAt - right.processedAt))
    latest.set(JSON.stringify([event.event, event.distinctId, event.time, event.insertId]), event);
  return [...latest.values()];
}

const joined = (row: Record<string, unknown>, key: readonly string[]): string => key.map((name) => String(row[name])).join('/');

const measuresOf = (row: Record<string, unknown>, costMicros: string): Omit<StreamRow, 'date' | 'key'> => ({
  costMicros,
  clicks: Number(row['clicks'] ?? 0),
  impressions: Number(row['impressions'] ?? 0),
});

const added = (sum: StreamRow | undefined, row: StreamRow): StreamRow => ({
  ...row,
  costMicros: String(Number(sum?.costMicros ?? 0) + Number(row.costMicros)),
  clicks: (sum?.clicks ?? 0) + row.clicks,
  impressions: (sum?.impressions ?? 0) + row.impressions,
});

const hasValues = ({ costMicros, clicks, impressions }: StreamRow): boolean =>
  Number(costMicros) !== 0 || clicks !== 0 || impressions !== 0;

/** Rows of both ends of a pair, by stream. A row without any value is not sent to Mixpanel. */
export async function rowsOfPair(reader: RowReader, { source, destination }: Pair) {
  const read = keysOf(source).map(async ([stream, key]) => {
    const [wanted, found] = await Promise.all([
      rowsAtSource(reader, source, stream, key),
      readers[destination](reader, source, stream, key),
    ]);
    return { stream, wanted: destination === 'mixpanel' ? wanted.filter(hasValues) : wanted, found };
  });
  return Promise.all(read);
}
