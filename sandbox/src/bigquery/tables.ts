import { sendJson } from '../router.ts';
import {
  etagOf,
  numberOr,
  objectOf,
  pageOf,
  pageToken,
  proveEtag,
  readBody,
  readPageToken,
  textOf,
  type BigQuery,
  type Call,
} from './call.ts';
import { reach as reachDataset } from './datasets.ts';
import { BigQueryError, invalid, notFound } from './errors.ts';
import { formatRows } from './results.ts';
import { proveChange, readFields } from './schema.ts';
import type { Cell } from './sql/run-script.ts';
import { quoteName } from './sql/types.ts';
import type { Store, Table } from './store.ts';
import { tableKey } from './store.ts';
import { readExpiration, readProperties, withDefaults } from './table-body.ts';

/** Limit of metadata updates per table and time window. */
const changeLimit = { count: 5, windowMs: 10_000 };
const recentChanges = new WeakMap<Table, number[]>();

export function listTables(bigQuery: BigQuery, call: Call): void {
  const dataset = reachDataset(bigQuery, call, 'tables.list');
  const all = bigQuery.store.listTables(dataset.projectId, dataset.datasetId);
  const { items, nextPageToken } = pageOf(all, call.url.searchParams);
  const tables = items.map((table) => {
    const { kind, id, tableReference, type, labels, creationTime, expirationTime, timePartitioning, clustering } = resourceOf(
      bigQuery.store,
      table,
      call,
    );
    return { kind, id, tableReference, type, labels, creationTime, expirationTime, timePartitioning, clustering };
  });
  sendJson(call.response, 200, {
    kind: 'bigquery#tableList',
    totalItems: all.length,
    ...(tables.length > 0 && { tables }),
    ...(nextPageToken && { nextPageToken }),
  });
}

export function getTable(bigQuery: BigQuery, call: Call): void {
  sendJson(call.response, 200, resourceOf(bigQuery.store, reachTable(bigQuery, call, 'tables.get'), call));
}

export function insertTable(bigQuery: BigQuery, call: Call): void {
  const { store } = bigQuery;
  const dataset = reachDataset(bigQuery, call, 'tables.create');
  const body = readBody(call.body);
  const tableId = textOf(objectOf(body.tableReference, 'tableReference').tableId, 'tableReference.tableId');
  if (!/^[\p{L}\p{M}\p{N}\p{Pc}\p{Pd} ]{1,1024}$/u.test(tableId)) throw invalid(`Invalid table ID "${tableId}".`);
  const fields = readFields(body.schema);
  const { projectId, datasetId } = dataset;
  const expiring = withDefaults(store, dataset, readExpiration(body.expirationTime, store.nowMs), readProperties(body, fields));
  const table = store.addTable({ projectId, datasetId, tableId, fields, ...expiring });
  sendJson(call.response, 200, resourceOf(store, table, call));
}

/** PATCH keeps properties that are not sent, but a schema must be complete. PUT replaces everything. */
export function changeTable(bigQuery: BigQuery, call: Call): void {
  const { store } = bigQuery;
  const table = reachTable(bigQuery, call, 'tables.update');
  proveEtag(call, etagOf(table.createdAtMs, table.version));
  proveRate(table, store.nowMs);
  const body = readBody(call.body);
  const fields = body.schema === undefined ? table.fields : readFields(body.schema);
  proveChange(tableKey(table), table.fields, fields);
  const added = fields.find(({ name }) => !table.fields.some((field) => field.name.toLowerCase() === name.toLowerCase()));
  if (added && bigQuery.faults.strike('column_name_reserved', { endpoint: 'api', table: table.tableId }))
    throw invalid(
      `Column \`${added.name}\` was recently deleted in the table \`${table.tableId}\`. Deleted column name is reserved for up to the time travel duration, use a different column name instead.`,
    );
  const before = call.request.method === 'PUT' ? {} : table.properties;
  const properties = readProperties({ ...before, ...body }, fields);
  if (specOf(properties) !== specOf(table.properties))
    throw invalid(`Cannot change partitioning spec for table ${tableKey(table)}`);
  if (body.expirationTime !== undefined) table.expiresAtMs = readExpiration(body.expirationTime, store.nowMs);
  if (JSON.stringify(fields) !== JSON.stringify(table.fields)) store.changeFields(table, fields);
  table.properties = properties;
  sendJson(call.response, 200, resourceOf(store, store.saveTable(table), call));
}

export function deleteTable(bigQuery: BigQuery, call: Call): void {
  bigQuery.store.removeTable(reachTable(bigQuery, call, 'tables.delete'));
  call.response.writeHead(204).end();
}

export function listRows(bigQuery: BigQuery, call: Call): void {
  const { store } = bigQuery;
  const table = reachTable(bigQuery, call, 'tables.getData');
  const { searchParams } = call.url;
  const total = store.countRows(table);
  const start = searchParams.has('pageToken')
    ? readPageToken(searchParams.get('pageToken'))
    : numberOr(searchParams.get('startIndex'), 0, 'startIndex');
  const count = Math.min(numberOr(searchParams.get('maxResults'), 10_000, 'maxResults'), 10_000);
  const columns = table.fields.map(({ name }) => quoteName(name)).join(', ');
  const statement = store.database.prepare(
    `SELECT ${columns} FROM ${quoteName(table.storageName)} ORDER BY rowid LIMIT ? OFFSET ?`,
  );
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const rows = formatRows(
    statement.all(count, start) as unknown as Cell[][],
    table.fields,
    searchParams.get('formatOptions.useInt64Timestamp') === 'true',
  );
  sendJson(call.response, 200, {
    kind: 'bigquery#tableDataList',
    etag: etagOf(table.createdAtMs, table.version),
    totalRows: String(total),
    ...(rows.length > 0 && { rows }),
    ...(start + rows.length < total && { pageToken: pageToken(start + rows.length) }),
  });
}

export function reachTable(bigQuery: BigQuery, call: Call, permission: string): Table {
  const { tableId = '' } = call.params;
  const { projectId, datasetId } = reachDataset(bigQuery, call, permission);
  const table = bigQuery.store.findTable(projectId, datasetId, tableId);
  if (!table) throw notFound(`Table ${tableKey({ projectId, datasetId, tableId })}`);
  return table;
}

function proveRate(table: Table, nowMs: number): void {
  const recent = (recentChanges.get(table) ?? []).filter((at) => at > nowMs - changeLimit.windowMs);
  recentChanges.set(table, [...recent, nowMs]);
  if (recent.length < changeLimit.count) return;
  const message =
    'Exceeded rate limits: too many table update operations for this table. For more information, see https://cloud.google.com/bigquery/docs/troubleshoot-quotas';
  throw new BigQueryError(403, 'rateLimitExceeded', message);
}

/** Only the expiration of the partitions can be changed. */
function specOf({ timePartitioning }: Record<string, unknown>): string {
  return JSON.stringify(timePartitioning ? { ...(timePartitioning as object), expirationMs: undefined } : null);
}

function resourceOf(store: Store, table: Table, { baseUrl }: Call): Record<string, unknown> {
  const { projectId, datasetId, tableId, fields, properties, createdAtMs, changedAtMs, expiresAtMs, version } = table;
  return {
    kind: 'bigquery#table',
    etag: etagOf(createdAtMs, version),
    id: tableKey(table),
    selfLink: `${baseUrl}/bigquery-api/bigquery/v2/projects/${projectId}/datasets/${datasetId}/tables/${encodeURIComponent(tableId)}`,
    tableReference: { projectId, datasetId, tableId },
    ...(fields.length > 0 && { schema: { fields } }),
    ...Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null)),
    numBytes: String(store.bytesOf(table)),
    numLongTermBytes: '0',
    numRows: String(store.countRows(table)),
    creationTime: String(createdAtMs),
    ...(expiresAtMs !== null && { expirationTime: String(expiresAtMs) }),
    lastModifiedTime: String(changedAtMs),
    type: properties.materializedView ? 'MATERIALIZED_VIEW' : 'TABLE',
    location: store.getDataset(projectId, datasetId).location,
  };
}
