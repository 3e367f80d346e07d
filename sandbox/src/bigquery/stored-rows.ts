import { InvalidFault } from '../faults.ts';
import { readRange } from '../parameters.ts';
import type { Store, Table } from './store.ts';
import { quoteName } from './sql/types.ts';

/** Stored rows for tests, read directly from the storage without the API and its faults. */
export function readTotals(store: Store, parameters: URLSearchParams): Record<string, unknown> {
  const table = findTable(store, parameters);
  const { from, to } = readRange(parameters.get('from'), parameters.get('to'));
  const accountId = parameters.get('accountId');
  const sum = (name: string): string =>
    table.fields.some((field) => field.name === name) ? `coalesce(sum(${quoteName(name)}), 0)` : '0';
  const statement = store.database.prepare(
    `SELECT count(*) AS rows, ${sum('cost_micros')} AS costMicros, ${sum('clicks')} AS clicks, ${sum('impressions')} AS impressions
     FROM ${quoteName(table.storageName)} WHERE date BETWEEN ? AND ?${accountId === null ? '' : ' AND account_id = ?'}`,
  );
  statement.setReadBigInts(true);
  const totals = statement.get(from, to, ...(accountId === null ? [] : [accountId])) ?? {};
  const { rows, costMicros, clicks, impressions } = totals;
  return { rows: Number(rows), costMicros: String(costMicros), clicks: Number(clicks), impressions: Number(impressions) };
}

/** In load order. Whole numbers are text. */
export function readRows(store: Store, parameters: URLSearchParams): Record<string, unknown> {
  const table = findTable(store, parameters);
  const limit = Number(parameters.get('limit') ?? 1_000);
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidFault('limit must be a whole number of at least 1');
  const statement = store.database.prepare(`SELECT * FROM ${quoteName(table.storageName)} ORDER BY rowid LIMIT ?`);
  statement.setReadBigInts(true);
  const rows = statement
    .all(limit)
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value])),
    );
  return { totalRows: store.countRows(table), rows };
}

function findTable(store: Store, parameters: URLSearchParams): Table {
  const [projectId, datasetId, tableId] = ['projectId', 'datasetId', 'tableId'].map((name) => {
    const value = parameters.get(name);
    if (!value) throw new InvalidFault(`${name} is missing`);
    return value;
  }) as [string, string, string];
  const table = store.findTable(projectId, datasetId, tableId);
  if (!table)
    throw new InvalidFault(`There is no table ${projectId}:${datasetId}.${tableId}`, {
      known: store.listTables(projectId, datasetId).map((known) => known.tableId),
    });
  return table;
}
