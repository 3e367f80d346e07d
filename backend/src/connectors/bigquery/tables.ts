import { z } from 'zod';
import type { Column, ColumnType, ConnectorContext, Stream, Target, Targets } from '../kit/contract.js';
import { ColumnsChanged, type FailureDetail, FixSettings } from '../kit/errors.js';
import { quoteText } from '../kit/quote-text.js';
import type { ApiRequest, BigQueryApi } from './api.js';
import { createdNow, ensureDataset, inDataset, verifyLocation } from './dataset.js';
import { BigQueryFailure } from './failure.js';
import { RUNS_TABLE } from './fence.js';
import { OWN_LABEL, TABLE_MARKER } from './markers.js';
import { tableNameOf } from './names.js';

/** BigQuery's limit. The first columns matter most. */
const CLUSTER_LIMIT = 4;
/** Per table, when other clients change it concurrently. */
const PATCH_TRIES = 5;
/** Label key prefix for a column that was added to an existing table. The value is the time, in milliseconds since 1970. */
const ADDED_LABEL = 'tributary_added_';
/** Maximum length of a label's key. https://cloud.google.com/bigquery/docs/labels-intro#requirements */
const LABEL_LENGTH = 63;

export const typeNames: Record<ColumnType, string> = {
  text: 'STRING',
  bigint: 'INTEGER',
  double: 'FLOAT',
  date: 'DATE',
  boolean: 'BOOLEAN',
};

export interface Field {
  name: string;
  type: string;
  mode?: string | undefined;
  description?: string | undefined;
}

/** Unknown properties are preserved, because a schema is always sent as a whole. */
const fieldSchema = z.looseObject({
  name: z.string(),
  type: z.string(),
  mode: z.string().optional(),
  description: z.string().optional(),
});
export const tableSchema = z.object({
  etag: z.string(),
  /** Milliseconds since 1970. */
  creationTime: z.string(),
  type: z.string().default('TABLE'),
  description: z.string().default(''),
  labels: z.record(z.string(), z.string()).default({}),
  schema: z.object({ fields: z.array(fieldSchema).default([]) }).default({ fields: [] }),
  numRows: z.string().default('0'),
  /** Milliseconds since 1970. */
  expirationTime: z.string().optional(),
  timePartitioning: z.looseObject({ type: z.string(), expirationMs: z.string().optional() }).optional(),
});

type Table = Omit<z.infer<typeof tableSchema>, 'schema'> & { schema: { fields: Field[] } };

const runsFields: Field[] = [
  {
    name: 'run_id',
    type: 'STRING',
    mode: 'REQUIRED',
    description: 'Id of the run in Tributary, or the table that a re-sync is replacing.',
  },
  { name: 'lease_epoch', type: 'INTEGER', mode: 'REQUIRED', description: 'Worker that owns the run: the highest number wins.' },
  { name: 'loaded_at', type: 'TIMESTAMP', mode: 'REQUIRED', description: 'Time of the last load of the run.' },
];

const runsTable = {
  description: `Runs that load into this dataset. A worker that lost its run cannot commit. ${TABLE_MARKER}.`,
  schema: { fields: runsFields },
};

/** Creates or extends the tables of the streams. Concurrent workers get the same tables. */
export async function prepareTables(api: BigQueryApi, context: ConnectorContext, streams: Stream[]): Promise<Targets> {
  const { location } = await ensureDataset(api, context);
  verifyLocation(api, location);
  await inDataset(api, context, () => createOrFind(api, context, RUNS_TABLE, runsTable));
  const targets: Targets = new Map();
  for (const stream of streams) targets.set(stream.name, targetOf(api, stream, await prepareTable(api, context, stream)));
  return targets;
}

/** Returns where the streams' rows are. Changes nothing. */
export async function locateTables(api: BigQueryApi, context: ConnectorContext, streams: Stream[]): Promise<Targets> {
  const targets: Targets = new Map();
  for (const stream of streams) {
    const found = await api.find(context, `${api.dataset}/tables/${tableNameOf(api.destination, stream)}`);
    if (found !== null) targets.set(stream.name, targetOf(api, stream, tableSchema.parse(found)));
  }
  return targets;
}

/**
 * BigQuery columns have no id. A label of the table stores when a column was added, so that it is not mistaken for an earlier
 * column with the same name.
 */
export function targetOf(
  { destination }: BigQueryApi,
  stream: Stream,
  { creationTime, schema, labels }: Pick<Table, 'creationTime' | 'schema' | 'labels'>,
): Target {
  const { projectId, datasetId } = destination;
  const name = tableNameOf(destination, stream);
  return {
    place: `${projectId}.${datasetId}.${name}@${creationTime}`,
    table: `${datasetId}.${name}`,
    columns: Object.fromEntries(schema.fields.map((field) => [field.name.toLowerCase(), labels[addedLabel(field.name)] ?? ''])),
  };
}

export const addedLabel = (column: string): string => `${ADDED_LABEL}${column.toLowerCase()}`.slice(0, LABEL_LENGTH);

async function prepareTable(api: BigQueryApi, context: ConnectorContext, stream: Stream): Promise<Table> {
  const name = tableNameOf(api.destination, stream);
  for (let tries = 1; ; tries++) {
    const table = await createOrFind(api, context, name, tableBody(stream));
    const change = changeOf(api, stream, table);
    if (!change) return table;
    try {
      // Fails if another client changed the table since it was read.
      await api.json(context, changeRequest(api, name, table, change));
      return { ...table, ...change };
    } catch (error) {
      if (!(error instanceof BigQueryFailure)) throw error;
      if (error.status === 400) throw refusedChange(api, stream, table, error);
      if (tries >= PATCH_TRIES || error.status !== 412) throw error;
    }
  }
}

/** The existing table if Tributary created it, or a new one. */
async function createOrFind(api: BigQueryApi, context: ConnectorContext, name: string, body: object): Promise<Table> {
  const find = () => api.find(context, `${api.dataset}/tables/${name}`);
  const create = () => createdNow(api.json(context, creationRequest(api, name, body)));
  const table = ownTable(api, name, (await find()) ?? (await create().then(find)));
  if (!hasInheritedExpiration(table)) return table;
  await api.json(context, expirationRemoval(api, name, table));
  return ownTable(api, name, await find());
}

/**
 * A new table gets the default expirations of its dataset, also if its creation sets them to null. BigQuery would delete days right
 * after they are loaded. Users can set an expiration later: a table with rows keeps it.
 * https://github.com/googleapis/python-bigquery/issues/2403
 */
const hasInheritedExpiration = ({ numRows, expirationTime, timePartitioning }: Table): boolean =>
  numRows === '0' && (expirationTime ?? timePartitioning?.expirationMs) !== undefined;

const expirationRemoval = (api: BigQueryApi, name: string, { timePartitioning }: Table): ApiRequest => ({
  method: 'PATCH',
  path: `${api.dataset}/tables/${name}`,
  json: { expirationTime: null, ...(timePartitioning && { timePartitioning: { ...timePartitioning, expirationMs: null } }) },
});

function ownTable(api: BigQueryApi, name: string, body: unknown): Table {
  const table = tableSchema.parse(body);
  if (!isOwn(table)) throw foreignTable(api, name);
  return table;
}

export const isOwn = ({ type, labels, description }: Pick<Table, 'type' | 'labels' | 'description'>): boolean =>
  type === 'TABLE' && (labels['tributary'] === OWN_LABEL.tributary || description.includes(TABLE_MARKER));

const creationRequest = (api: BigQueryApi, name: string, body: object): ApiRequest => ({
  method: 'POST',
  path: `${api.dataset}/tables`,
  json: { tableReference: referenceOf(api, name), labels: OWN_LABEL, ...body },
});

const changeRequest = (api: BigQueryApi, name: string, { etag }: Table, change: Partial<Table>): ApiRequest => ({
  method: 'PATCH',
  path: `${api.dataset}/tables/${name}`,
  headers: { 'if-match': etag },
  json: change,
});

/** The requests with which `prepareTables` would create or extend the tables. Changes nothing. */
export async function tableRequests(
  api: BigQueryApi,
  context: ConnectorContext,
  stream: Stream,
): Promise<{ title: string; request: ApiRequest }[]> {
  const name = tableNameOf(api.destination, stream);
  const planned: { title: string; request: ApiRequest }[] = [];
  const runs = await api.find(context, `${api.dataset}/tables/${RUNS_TABLE}`);
  if (runs === null) planned.push({ title: 'Create the table of runs', request: creationRequest(api, RUNS_TABLE, runsTable) });
  else ownTable(api, RUNS_TABLE, runs);
  const found = await api.find(context, `${api.dataset}/tables/${name}`);
  if (found === null) return [...planned, { title: 'Create the table', request: creationRequest(api, name, tableBody(stream)) }];
  const table = ownTable(api, name, found);
  const change = changeOf(api, stream, table);
  return change ? [...planned, { title: 'Extend the table', request: changeRequest(api, name, table, change) }] : planned;
}

/** The types of the table's columns by name; empty if the table does not exist. */
export async function columnTypes(api: BigQueryApi, context: ConnectorContext, stream: Stream): Promise<Map<string, string>> {
  const found = await api.find(context, `${api.dataset}/tables/${tableNameOf(api.destination, stream)}`);
  if (found === null) return new Map();
  const { schema } = tableSchema.parse(found);
  return new Map(schema.fields.map(({ name, type, mode }) => [name.toLowerCase(), mode === 'REPEATED' ? mode : olderName(type)]));
}

export function referenceOf({ destination }: BigQueryApi, tableId: string): Record<string, string> {
  return { projectId: destination.projectId, datasetId: destination.datasetId, tableId };
}

export function tableBody(stream: Stream) {
  return {
    description: descriptionOf(stream),
    schema: { fields: fieldsOf(stream) },
    timePartitioning: { type: 'DAY', field: 'date' },
    clustering: { fields: stream.key.filter((name) => name !== 'date').slice(0, CLUSTER_LIMIT) },
    // BigQuery does not enforce keys. It uses them to plan queries, and users see what identifies a row.
    tableConstraints: { primaryKey: { columns: stream.key } },
  };
}

export function fieldsOf(stream: Stream): Field[] {
  return stream.columns.map((column) => fieldOf(column, stream.key.includes(column.name)));
}

function fieldOf({ name, type, description }: Column, isKey: boolean): Field {
  return { name, type: typeNames[type], mode: isKey ? 'REQUIRED' : 'NULLABLE', description };
}

export function descriptionOf(stream: Stream): string {
  return `${stream.description} ${TABLE_MARKER}.`;
}

/** The PATCH body, or null if nothing changes. Other columns, and descriptions that users changed, are preserved. */
function changeOf(api: BigQueryApi, stream: Stream, table: Table): Partial<Table> | null {
  const known = new Map(table.schema.fields.map((field) => [field.name.toLowerCase(), field]));
  const changed = stream.columns.filter((column) => hasOtherType(column, known.get(column.name)));
  if (changed.length > 0) throw changedColumns(api, stream, changed, (name) => known.get(name)?.type ?? '');
  const added = stream.columns.filter(({ name }) => !known.has(name));
  const replaced = stream.columns.filter((column) => isReplaced(stream, column, known.get(column.name)));
  const described = new Map(
    stream.columns
      .filter(({ name, description }) => known.has(name) && known.get(name)?.description !== description)
      .map(({ name, description }) => [known.get(name)?.name ?? name, description]),
  );
  const isOurs = table.description === '' || table.description.includes(TABLE_MARKER);
  const description = isOurs && table.description !== descriptionOf(stream) ? { description: descriptionOf(stream) } : null;
  const isWider = added.length > 0 || described.size > 0;
  if (!isWider && !description) return null;
  const fields = table.schema.fields.map((field) => withDescription(field, described.get(field.name)));
  return {
    ...description,
    ...(isWider && { schema: { fields: [...fields, ...added.map((column) => fieldOf(column, false))] } }),
    ...labelsFor(api, table, [...added, ...replaced]),
  };
}

function hasOtherType(column: Column, field: Field | undefined): boolean {
  return field !== undefined && (olderName(field.type) !== typeNames[column.type] || field.mode === 'REPEATED');
}

/** Each of our columns has a description from the start and keeps it when it is renamed. */
function isReplaced({ columns }: Stream, column: Column, field: Field | undefined): boolean {
  if (field === undefined || field.description === column.description) return false;
  return !field.description || columns.some(({ description }) => description === field.description);
}

/** Sent in the same request as the columns. If a worker crashed between two requests, added columns would have no label. */
function labelsFor({ settings }: BigQueryApi, { labels }: Table, columns: Column[]): Pick<Table, 'labels'> | null {
  if (columns.length === 0) return null;
  const now = String(settings.now().getTime());
  return { labels: { ...labels, ...Object.fromEntries(columns.map(({ name }) => [addedLabel(name), now])) } };
}

function withDescription(field: Field, description: string | undefined): Field {
  return description === undefined ? field : { ...field, description };
}

export function olderName(type: string): string {
  const names: Record<string, string> = { INT64: 'INTEGER', FLOAT64: 'FLOAT', BOOL: 'BOOLEAN' };
  return names[type] ?? type;
}

function foreignTable({ destination }: BigQueryApi, name: string): FixSettings {
  return new FixSettings({
    code: 'bigquery.foreign_table',
    message: `The table "${destination.datasetId}.${name}" already exists and was not created by Tributary. It was not changed.`,
    action: 'Choose another dataset or table prefix',
    failureClass: 'schema',
  });
}

const changeDetail = ({ destination }: BigQueryApi, stream: Stream, difference: string): FailureDetail => ({
  code: 'bigquery.table_changed',
  message: `The table "${destination.datasetId}.${tableNameOf(destination, stream)}" was changed: ${difference}.`,
  action: 'Undo the change, or choose another table prefix',
});

function changedColumns(api: BigQueryApi, stream: Stream, columns: Column[], typeOf: (name: string) => string): ColumnsChanged {
  const differences = columns.map(({ name, type }) => ({ column: name, expected: typeNames[type], found: typeOf(name) }));
  const texts = differences.map(({ column, expected, found }) => `its column "${column}" is ${found}, expected ${expected}`);
  return new ColumnsChanged({ ...changeDetail(api, stream, texts.join('; ')), stream: stream.name, differences });
}

/** BigQuery reserves the name of a dropped column for time travel, seven days by default, and allows 10,000 columns at most. */
function refusedChange({ destination }: BigQueryApi, stream: Stream, { schema }: Table, error: BigQueryFailure): FixSettings {
  const known = new Set(schema.fields.map(({ name }) => name.toLowerCase()));
  const missing = stream.columns.filter(({ name }) => !known.has(name)).map(({ name }) => `"${name}"`);
  const table = `${destination.datasetId}.${tableNameOf(destination, stream)}`;
  return new FixSettings(
    {
      code: 'bigquery.column_refused',
      message: `BigQuery could not add ${missing.join(', ') || 'descriptions'} to "${table}": ${quoteText(error.message)}.`,
      action: 'Delete the table in BigQuery. The next run recreates it and loads all days',
      failureClass: 'schema',
    },
    { cause: error },
  );
}
