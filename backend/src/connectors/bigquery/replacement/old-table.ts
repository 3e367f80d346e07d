import { z } from 'zod';
import type { ConnectorContext, Stream } from '../../kit/contract.js';
import { FixSettings } from '../../kit/errors.js';
import type { BigQueryApi } from '../api.js';
import { BigQueryFailure } from '../failure.js';
import { tableNameOf } from '../names.js';
import { isOwn, olderName, tableSchema, typeNames } from '../tables.js';

/** More reasons are not shown. */
const SHOWN_REASONS = 5;

interface NestedField {
  name: string;
  type: string;
  mode?: string | undefined;
  description?: string | undefined;
  precision?: string | undefined;
  scale?: string | undefined;
  maxLength?: string | undefined;
  fields?: NestedField[] | undefined;
}

const fieldSchema: z.ZodType<NestedField> = z.looseObject({
  name: z.string(),
  type: z.string(),
  mode: z.string().optional(),
  description: z.string().optional(),
  precision: z.string().optional(),
  scale: z.string().optional(),
  maxLength: z.string().optional(),
  get fields() {
    return z.array(fieldSchema).optional();
  },
});

/** With everything that the new table has to repeat. Unknown properties stay, because some of them are obstacles. */
const oldTableSchema = tableSchema.loose().extend({
  schema: z.object({ fields: z.array(fieldSchema).default([]) }).default({ fields: [] }),
  friendlyName: z.string().optional(),
  /** Milliseconds since 1970. */
  expirationTime: z.string().optional(),
  timePartitioning: z
    .object({
      type: z.string(),
      field: z.string().optional(),
      expirationMs: z.string().optional(),
      requirePartitionFilter: z.boolean().optional(),
    })
    .optional(),
  rangePartitioning: z.unknown().optional(),
  clustering: z.object({ fields: z.array(z.string()) }).optional(),
  requirePartitionFilter: z.boolean().optional(),
  encryptionConfiguration: z.object({ kmsKeyName: z.string() }).optional(),
  tableConstraints: z.object({ foreignKeys: z.array(z.unknown()).optional() }).optional(),
});

export type OldTable = z.infer<typeof oldTableSchema>;
export type OldField = NestedField;

/** Properties of a table that the replacing statement cannot repeat, and what a user calls them. */
const LOST_PROPERTIES: Record<string, string> = {
  rangePartitioning: 'a partitioning by ranges',
  resourceTags: 'tags',
  maxStaleness: 'a maximum staleness',
  defaultCollation: 'a default collation',
  defaultRoundingMode: 'a default rounding mode',
  biglakeConfiguration: 'a BigLake configuration',
  tableReplicationInfo: 'a replication',
};

/** The same of columns. Policy tags protect values, so they must not be absent even for a moment. */
const LOST_OF_COLUMNS: Record<string, string> = {
  policyTags: 'policy tags',
  dataPolicies: 'data policies',
  defaultValueExpression: 'a default value',
  collation: 'a collation',
  roundingMode: 'a rounding mode',
  timestampPrecision: 'another precision',
};

/** Units of partitions by a DATE column. */
const PARTITION_UNITS = ['DAY', 'MONTH', 'YEAR'];

/** Null if there is no table. */
export async function readOldTable(api: BigQueryApi, context: ConnectorContext, stream: Stream): Promise<OldTable | null> {
  const found = await api.find(context, pathOf(api, stream));
  return found === null ? null : oldTableSchema.parse(found);
}

const pathOf = (api: BigQueryApi, stream: Stream): string => `${api.dataset}/tables/${tableNameOf(api.destination, stream)}`;

/** Throws if a new table cannot take the place of this one. */
export async function assertReplaceable(
  api: BigQueryApi,
  context: ConnectorContext,
  stream: Stream,
  old: OldTable,
): Promise<void> {
  const name = `${api.destination.datasetId}.${tableNameOf(api.destination, stream)}`;
  if (!isOwn(old)) throw refused(`The table "${name}" was not created by Tributary`, 'Choose another dataset or table prefix');
  const reasons = [
    ...obstaclesOf(stream, old),
    ...(await policiesOf(api, context, stream)),
    ...(await materializedViewsOf(api, context, stream)),
  ];
  if (reasons.length === 0) return;
  const shown = reasons.slice(0, SHOWN_REASONS).join('; ');
  throw refused(`The table "${name}" cannot be replaced: ${shown}`, 'Remove what prevents it, then re-sync again');
}

function obstaclesOf(stream: Stream, old: OldTable): string[] {
  const has = (properties: object, names: Record<string, string>): string[] =>
    Object.entries(names).flatMap(([property, words]) => ((properties as Record<string, unknown>)[property] ? [words] : []));
  const { timePartitioning, tableConstraints } = old;
  const isPartitionedOtherwise =
    timePartitioning && (timePartitioning.field?.toLowerCase() !== 'date' || !PARTITION_UNITS.includes(timePartitioning.type));
  const names = new Set(old.schema.fields.map(({ name }) => name.toLowerCase()));
  return [
    ...has(old, LOST_PROPERTIES).map((words) => `it has ${words}`),
    ...(isPartitionedOtherwise ? ['it is partitioned by something other than its date'] : []),
    ...(tableConstraints?.foreignKeys?.length ? ['it has a foreign key'] : []),
    ...allFields(old.schema.fields).flatMap((field) =>
      has(field, LOST_OF_COLUMNS).map((words) => `its column ${field.name} has ${words}`),
    ),
    ...stream.key.filter((column) => !names.has(column)).map((column) => `its column ${column} is missing`),
  ];
}

const allFields = (fields: OldField[]): OldField[] =>
  fields.flatMap((field) => [
    field,
    ...allFields(field.fields ?? []).map((inner) => ({ ...inner, name: `${field.name}.${inner.name}` })),
  ]);

const policyList = z.object({
  rowAccessPolicies: z.array(z.object({ rowAccessPolicyReference: z.object({ policyId: z.string() }) })).default([]),
});

const iamPolicy = z.object({ bindings: z.array(z.object({ role: z.string() })).default([]) });

/** The new table would show every row to everybody, so a table is not replaced if its policies cannot be read. */
async function policiesOf(api: BigQueryApi, context: ConnectorContext, stream: Stream): Promise<string[]> {
  const path = pathOf(api, stream);
  try {
    const rows = policyList.parse(await api.json(context, { method: 'GET', path: `${path}/rowAccessPolicies` }));
    const own = iamPolicy.parse(await api.json(context, { method: 'POST', path: `${path}:getIamPolicy`, json: {} }));
    return [
      ...rows.rowAccessPolicies.map(({ rowAccessPolicyReference: { policyId } }) => `it has the row access policy ${policyId}`),
      ...own.bindings.map(({ role }) => `${role} is granted on the table itself, not on its dataset`),
    ];
  } catch (error) {
    if (!(error instanceof BigQueryFailure) || error.status !== 403) throw error;
    throw refused(
      'The account cannot see whether the table has row access policies and rights of its own, which a new table would not have',
      'Give the account the role BigQuery Data Owner on the dataset, or the permissions bigquery.rowAccessPolicies.list and bigquery.tables.getIamPolicy',
      { cause: error },
    );
  }
}

const listSchema = z.object({
  tables: z.array(z.object({ type: z.string().optional(), tableReference: z.object({ tableId: z.string() }) })).default([]),
  nextPageToken: z.string().optional(),
});
const viewSchema = z.object({ materializedView: z.object({ query: z.string() }).optional() });

/** They fail once their table is recreated. Those in other datasets cannot be found. Plain views find the new table by its name. */
async function materializedViewsOf(api: BigQueryApi, context: ConnectorContext, stream: Stream): Promise<string[]> {
  const name = new RegExp(`\\b${tableNameOf(api.destination, stream)}\\b`, 'i');
  const found: string[] = [];
  let token: string | undefined;
  do {
    const page = token === undefined ? '' : `&pageToken=${encodeURIComponent(token)}`;
    const list = listSchema.parse(
      await api.json(context, { method: 'GET', path: `${api.dataset}/tables?maxResults=1000${page}` }),
    );
    for (const { type, tableReference } of list.tables) {
      if (type !== 'MATERIALIZED_VIEW') continue;
      const view = viewSchema.parse((await api.find(context, `${api.dataset}/tables/${tableReference.tableId}`)) ?? {});
      if (name.test(view.materializedView?.query ?? '')) found.push(`the materialized view ${tableReference.tableId} reads it`);
    }
    token = list.nextPageToken;
  } while (token !== undefined);
  return found;
}

/** Whether the values of a column are copied unchanged. */
export function isKept(stream: Stream, field: OldField): boolean {
  const own = stream.columns.find(({ name }) => name === field.name.toLowerCase());
  return !own || (typeNames[own.type] === olderName(field.type) && field.mode !== 'REPEATED');
}

/** Not a problem of the destination, which other connections use without it. */
export const refused = (message: string, action: string, options?: ErrorOptions): FixSettings =>
  new FixSettings(
    { code: 'resync.refused', message: `${message}. The table was not changed.`, action, failureClass: 'schema' },
    options,
  );
