import { z } from 'zod';
import type { Column, ColumnType, ConnectorContext, Stream, Targets } from '../kit/contract.js';
import { FixSettings } from '../kit/errors.js';
import type { BigQueryApi } from './api.js';
import { createdNow, ensureDataset, inDataset, proveLocation } from './dataset.js';
import { BigQueryFailure } from './failure.js';
import { RUNS_TABLE } from './fence.js';
import { OWN_LABEL, TABLE_MARKER } from './marks.js';
import { tableNameOf } from './names.js';

/** BigQuery takes no more, and the first ones count most. */
const CLUSTER_LIMIT = 4;
/** Of one table, when others change it too. */
const PATCH_TRIES = 5;

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

/** Fields keep what we know nothing of: a schema is always sent whole. */
const fieldSchema = z.looseObject({
  name: z.string(),
  type: z.string(),
  mode: z.string().optional(),
  description: z.string().optional(),
});
const tableSchema = z.object({
  etag: z.string(),
  /** Milliseconds since 1970. */
  creationTime: z.string(),
  type: z.string().default('TABLE'),
  description: z.string().default(''),
  labels: z.record(z.string(), z.string()).default({}),
  schema: z.object({ fields: z.array(fieldSchema).default([]) }).default({ fields: [] }),
});

type Table = z.infer<typeof tableSchema>;

const runsFields: Field[] = [
  { name: 'run_id', type: 'STRING', mode: 'REQUIRED', description: 'Id of the run in Tributary.' },
  { name: 'lease_epoch', type: 'INTEGER', mode: 'REQUIRED', description: 'Which worker holds the run: the highest number does.' },
  { name: 'loaded_at', type: 'TIMESTAMP', mode: 'REQUIRED', description: 'When the run was last loaded from.' },
];

/** Makes or widens the tables of the streams. Two workers at once meet the same tables. */
export async function prepareTables(api: BigQueryApi, context: ConnectorContext, streams: Stream[]): Promise<Targets> {
  const { location } = await ensureDataset(api, context);
  proveLocation(api, location);
  const runsTable = {
    description: `Runs that load into this dataset: a worker that has lost its run cannot commit. ${TABLE_MARKER}.`,
    schema: { fields: runsFields },
  };
  await inDataset(api, context, () => createOrFind(api, context, RUNS_TABLE, runsTable));
  const targets: Targets = new Map();
  for (const stream of streams) {
    const { creationTime } = await prepareTable(api, context, stream);
    const { projectId, datasetId } = api.destination;
    targets.set(stream.name, `${projectId}.${datasetId}.${tableNameOf(api.destination, stream)}@${creationTime}`);
  }
  return targets;
}

async function prepareTable(api: BigQueryApi, context: ConnectorContext, stream: Stream): Promise<Table> {
  const name = tableNameOf(api.destination, stream);
  for (let tries = 1; ; tries++) {
    const table = await createOrFind(api, context, name, tableBody(stream));
    const change = changeOf(api, stream, table);
    if (!change) return table;
    try {
      // Whoever has changed the table since we read it is not overwritten.
      await api.json(context, {
        method: 'PATCH',
        path: `${api.dataset}/tables/${name}`,
        headers: { 'if-match': table.etag },
        json: change,
      });
      return table;
    } catch (error) {
      if (tries >= PATCH_TRIES || !(error instanceof BigQueryFailure) || error.status !== 412) throw error;
    }
  }
}

/** The table that is there, if it is ours, or the one that was made now. */
async function createOrFind(api: BigQueryApi, context: ConnectorContext, name: string, body: object): Promise<Table> {
  const path = `${api.dataset}/tables`;
  const find = () => api.find(context, `${path}/${name}`);
  const create = () => {
    const json = { tableReference: referenceOf(api, name), labels: OWN_LABEL, ...body };
    return createdNow(api.json(context, { method: 'POST', path, json }));
  };
  const table = tableSchema.parse((await find()) ?? (await create().then(find)));
  const isOwn =
    table.type === 'TABLE' && (table.labels['tributary'] === OWN_LABEL.tributary || table.description.includes(TABLE_MARKER));
  if (!isOwn) throw foreignTable(api, name);
  return table;
}

/** The types of the table's columns by name; none where there is no such table. */
export async function columnTypes(api: BigQueryApi, context: ConnectorContext, stream: Stream): Promise<Map<string, string>> {
  const found = await api.find(context, `${api.dataset}/tables/${tableNameOf(api.destination, stream)}`);
  if (found === null) return new Map();
  const { schema } = tableSchema.parse(found);
  return new Map(schema.fields.map(({ name, type, mode }) => [name.toLowerCase(), mode === 'REPEATED' ? mode : olderName(type)]));
}

export function referenceOf({ destination }: BigQueryApi, tableId: string): Record<string, string> {
  return { projectId: destination.projectId, datasetId: destination.datasetId, tableId };
}

function tableBody(stream: Stream): Record<string, unknown> {
  return {
    description: descriptionOf(stream),
    schema: { fields: fieldsOf(stream) },
    timePartitioning: { type: 'DAY', field: 'date' },
    clustering: { fields: stream.key.filter((name) => name !== 'date').slice(0, CLUSTER_LIMIT) },
    // BigQuery enforces no keys; it uses them to plan queries, and readers see what makes a row.
    tableConstraints: { primaryKey: { columns: stream.key } },
  };
}

export function fieldsOf(stream: Stream): Field[] {
  return stream.columns.map((column) => fieldOf(column, stream.key.includes(column.name)));
}

function fieldOf({ name, type, description }: Column, isKey: boolean): Field {
  return { name, type: typeNames[type], mode: isKey ? 'REQUIRED' : 'NULLABLE', description };
}

function descriptionOf(stream: Stream): string {
  return `${stream.description} ${TABLE_MARKER}.`;
}

/** What a PATCH has to say, or null. Columns of others, and a description written over ours, stay as they are. */
function changeOf(api: BigQueryApi, stream: Stream, table: Table): Record<string, unknown> | null {
  const known = new Map(table.schema.fields.map((field) => [field.name.toLowerCase(), field]));
  const added: Field[] = [];
  const described = new Map<string, string>();
  for (const column of stream.columns) {
    const field = known.get(column.name);
    if (!field) added.push(fieldOf(column, false));
    else if (olderName(field.type) !== typeNames[column.type] || field.mode === 'REPEATED')
      throw changedTable(api, stream, column, field);
    else if (field.description !== column.description) described.set(field.name, column.description);
  }
  const isOurs = table.description === '' || table.description.includes(TABLE_MARKER);
  const description = isOurs && table.description !== descriptionOf(stream) ? { description: descriptionOf(stream) } : null;
  const isWider = added.length > 0 || described.size > 0;
  if (!isWider && !description) return null;
  const fields = [...table.schema.fields.map((field) => withDescription(field, described.get(field.name))), ...added];
  return { ...description, ...(isWider && { schema: { fields } }) };
}

function withDescription(field: Field, description: string | undefined): Field {
  return description === undefined ? field : { ...field, description };
}

function olderName(type: string): string {
  const names: Record<string, string> = { INT64: 'INTEGER', FLOAT64: 'FLOAT', BOOL: 'BOOLEAN' };
  return names[type] ?? type;
}

function foreignTable({ destination }: BigQueryApi, name: string): FixSettings {
  return new FixSettings({
    code: 'bigquery.foreign_table',
    message: `The table "${destination.datasetId}.${name}" exists and was not made by Tributary. It was not touched.`,
    action: 'Choose another dataset or table prefix',
    failureClass: 'schema',
  });
}

function changedTable({ destination }: BigQueryApi, stream: Stream, column: Column, field: Field): FixSettings {
  const name = `${destination.datasetId}.${tableNameOf(destination, stream)}`;
  return new FixSettings({
    code: 'bigquery.table_changed',
    message: `The table "${name}" was changed: its column "${field.name}" is ${field.type}, expected ${typeNames[column.type]}.`,
    action: 'Undo the change, or choose another table prefix',
    failureClass: 'schema',
  });
}
