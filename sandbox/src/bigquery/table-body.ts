import { numberOr } from './call.ts';
import { invalid, notInSandbox } from './errors.ts';
import { type Field } from './schema.ts';
import type { Dataset, Store, Table } from './store.ts';

/** Properties returned as they were sent. A materialized view is listed, but has no rows here. */
const kept = [
  'description',
  'friendlyName',
  'labels',
  'timePartitioning',
  'clustering',
  'requirePartitionFilter',
  'tableConstraints',
  'materializedView',
];

/** The parts of a table's body besides its schema, validated against it. */
export function readProperties(body: Record<string, unknown>, fields: Field[]): Record<string, unknown> {
  for (const name of ['view', 'externalDataConfiguration', 'rangePartitioning'])
    if (body[name] !== undefined) throw notInSandbox(name);
  const properties = Object.fromEntries(kept.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
  if (properties.timePartitioning) properties.timePartitioning = readPartitioning(properties.timePartitioning, fields);
  if (properties.clustering) proveClustering(properties.clustering, fields);
  if (properties.requirePartitionFilter === true && !properties.timePartitioning)
    throw invalid('requirePartitionFilter can only be set on a partitioned table');
  return properties;
}

/** In milliseconds since 1970; null: the table does not expire. */
export function readExpiration(value: unknown, nowMs: number): number | null {
  const expiresAtMs = numberOr(value, null, 'expirationTime');
  if (expiresAtMs !== null && expiresAtMs <= nowMs) throw invalid(`Invalid value for expirationTime: it must be in the future`);
  return expiresAtMs;
}

/**
 * A new table gets the expirations of its dataset that its creation does not set. A null in the creation counts as not set
 * (github.com/googleapis/python-bigquery/issues/2403). The default of partitions is used instead of that of tables, not together with it
 * (`defaultPartitionExpirationMs` in cloud.google.com/bigquery/docs/reference/rest/v2/datasets).
 */
export function withDefaults(
  store: Store,
  { properties: { defaultTableExpirationMs, defaultPartitionExpirationMs } }: Dataset,
  expiresAtMs: number | null,
  properties: Record<string, unknown>,
): Pick<Table, 'expiresAtMs' | 'properties'> {
  const { timePartitioning } = properties as { timePartitioning?: { expirationMs?: string } };
  if (timePartitioning && defaultPartitionExpirationMs) {
    const expirationMs = timePartitioning.expirationMs ?? String(defaultPartitionExpirationMs);
    return { expiresAtMs, properties: { ...properties, timePartitioning: { ...timePartitioning, expirationMs } } };
  }
  return {
    expiresAtMs: expiresAtMs ?? (defaultTableExpirationMs ? store.nowMs + Number(defaultTableExpirationMs) : null),
    properties,
  };
}

function readPartitioning(value: unknown, fields: Field[]): Record<string, unknown> {
  const { type = 'DAY', field, expirationMs } = value as Record<string, unknown>;
  if (!['DAY', 'HOUR', 'MONTH', 'YEAR'].includes(String(type)))
    throw invalid(`Invalid value for type: ${String(type)} is not a valid value`);
  const column = fields.find(({ name }) => name.toLowerCase() === String(field).toLowerCase());
  if (field === undefined) throw notInSandbox('partitions by the time of loading: name a field');
  if (!column) throw invalid('The field specified for partitioning cannot be found in the schema');
  if (column.type !== 'DATE' && column.type !== 'TIMESTAMP')
    throw invalid(
      `The field specified for partitioning can only be of type TIMESTAMP, DATE or DATETIME. The type found is: ${column.type}.`,
    );
  // Null removes it (github.com/googleapis/google-cloud-ruby/issues/10889). Zero is invalid (googleapis/google-cloud-python/issues/7340).
  if (numberOr(expirationMs, null, 'timePartitioning.expirationMs') === 0)
    throw invalid('Invalid value for timePartitioning.expirationMs: it must be positive');
  return { type, field: column.name, ...(expirationMs !== undefined && expirationMs !== null && { expirationMs }) };
}

function proveClustering(value: unknown, fields: Field[]): void {
  const names = (value as { fields?: unknown }).fields;
  if (!Array.isArray(names) || names.length === 0) throw invalid('Clustering fields must not be empty');
  if (names.length > 4) throw invalid('Too many clustering fields. Up to 4 are allowed.');
  for (const name of names) {
    const column = fields.find((field) => field.name.toLowerCase() === String(name).toLowerCase());
    if (!column) throw invalid(`The field specified for clustering cannot be found in the schema: ${String(name)}`);
    if (column.type === 'FLOAT' || column.type === 'JSON')
      throw invalid(`Clustering is not supported on the type ${column.type}: ${column.name}`);
  }
}
