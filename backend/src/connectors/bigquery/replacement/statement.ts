import type { Replacement } from '../../kit/contract.js';
import { RUNS_TABLE } from '../fence.js';
import { OWN_LABEL, RESYNC_LABEL, SWAP_ENDED, TABLE_MARKER } from '../markers.js';
import { tableNameOf } from '../names.js';
import type { DestinationSettings } from '../settings.js';
import { dateLiteral, qualifiedTable, quote, textLiteral } from '../sql.js';
import { addedLabel, descriptionOf, fieldsOf, olderName, tableBody, type Field } from '../tables.js';
import type { OldField, OldTable } from './old-table.js';
import type { SwapLock } from './swap-locks.js';

const DAY_MS = 86_400_000;
/** Days. An expiration that is set takes precedence over the default of the dataset; no documented value means "none". */
const NO_EXPIRATION_DAYS = 36_500;
/** GoogleSQL names of types that REST calls otherwise. */
const sqlNames: Record<string, string> = { INTEGER: 'INT64', FLOAT: 'FLOAT64', BOOLEAN: 'BOOL', RECORD: 'STRUCT' };

export interface Sides {
  /** Null: a user has deleted the table. */
  old: OldTable | null;
  /** The new table that was loaded. */
  next: Pick<OldTable, 'labels' | 'creationTime'>;
  dataset: { defaultTableExpirationMs?: string | undefined; defaultPartitionExpirationMs?: string | undefined };
}

/** A column of the table after the swap. */
interface SwapColumn {
  field: OldField;
  /** Written by the connection. */
  isOwn: boolean;
  /** In the old table. */
  before: OldField | undefined;
}

/**
 * Replaces the table by the rows of the new one and all other rows of the old one, which it reads in the same snapshot. One statement changes
 * rows, columns, options and the label that identifies the result, so readers and the next worker find all of it or nothing.
 */
export function swapStatement(
  destination: DestinationSettings,
  replacement: Replacement,
  sides: Sides,
  lock: Pick<SwapLock, 'key'>,
): string {
  const { stream, beside } = replacement;
  const { old } = sides;
  const columns = columnsOf(replacement, old);
  const list = (value: (column: SwapColumn) => string): string => columns.map(value).join(', ');
  const selects = [`SELECT ${list(ofNew)} FROM ${qualifiedTable(destination, tableNameOf(destination, beside))}`];
  const table = qualifiedTable(destination, tableNameOf(destination, stream));
  if (old) selects.push(`SELECT ${list(ofOld)} FROM ${table} WHERE ${otherRows(replacement, columns)}`);
  // A row of its own, so that the condition is evaluated also if the tables are empty.
  const held = `EXISTS (SELECT 1 FROM ${qualifiedTable(destination, RUNS_TABLE)} WHERE run_id = ${textLiteral(lock.key)})`;
  selects.push(
    `SELECT ${list(({ field }) => nullOf(field))} FROM (SELECT 1) WHERE IF(${held}, FALSE, ERROR(${textLiteral(SWAP_ENDED)}))`,
  );
  const definitions = [...columns.map(definitionOf), `PRIMARY KEY (${stream.key.map(quote).join(', ')}) NOT ENFORCED`];
  return [
    `CREATE OR REPLACE TABLE ${table} (${definitions.join(', ')})`,
    ...layoutOf(replacement, old),
    `OPTIONS (${optionsOf(replacement, sides).join(', ')})`,
    `AS ${selects.join('\nUNION ALL ')}`,
  ].join('\n');
}

/** In the order of the old table. */
function columnsOf({ stream }: Replacement, old: OldTable | null): SwapColumn[] {
  const own = new Map<string, Field>(fieldsOf(stream).map((field) => [field.name, field]));
  const kept = (old?.schema.fields ?? []).map((before): SwapColumn => {
    const field = own.get(before.name.toLowerCase());
    own.delete(before.name.toLowerCase());
    return { field: field ?? before, isOwn: field !== undefined, before };
  });
  return [...kept, ...[...own.values()].map((field): SwapColumn => ({ field, isOwn: true, before: undefined }))];
}

const ofNew = ({ field, isOwn }: SwapColumn): string => (isOwn ? quote(field.name) : nullOf(field));

function ofOld({ field, isOwn, before }: SwapColumn): string {
  if (!before) return nullOf(field);
  const isSame = !isOwn || (olderName(before.type) === olderName(field.type) && before.mode !== 'REPEATED');
  return isSame ? quote(before.name) : `CAST(${quote(before.name)} AS ${typeOf(field)})`;
}

const nullOf = (field: OldField): string => `CAST(NULL AS ${typeOf(field)})`;

/** Rows that the connection does not load. The first condition lets BigQuery read a table that demands a condition of its partitions. */
function otherRows({ stream, loaded }: Replacement, columns: SwapColumn[]): string {
  const valueOf = (name: string): string => {
    const column = columns.find(({ field }) => field.name === name);
    return column ? ofOld(column) : quote(name);
  };
  const accounts = new Map<string, string[]>();
  for (const { accountId, from, to } of loaded) {
    const range = `BETWEEN ${dateLiteral(from)} AND ${dateLiteral(to)}`;
    accounts.set(range, [...(accounts.get(range) ?? []), textLiteral(accountId)]);
  }
  const ranges = [...accounts].map(
    ([range, ids]) => `(${valueOf('account_id')} IN (${ids.join(', ')}) AND ${valueOf('date')} ${range})`,
  );
  const scope = stream.scope ? `${valueOf(stream.scope.column)} = ${textLiteral(stream.scope.value)} AND ` : '';
  const own = ranges.length === 0 ? '' : ` AND NOT IFNULL(${scope}(${ranges.join(' OR ')}), FALSE)`;
  return `${valueOf('date')} >= DATE '0001-01-01'${own}`;
}

function definitionOf({ field, isOwn }: SwapColumn): string {
  const required = isOwn && field.mode === 'REQUIRED' ? ' NOT NULL' : '';
  return `${quote(field.name)} ${typeOf(field, true)}${required}${descriptionSql(field)}`;
}

const descriptionSql = ({ description }: OldField): string =>
  description ? ` OPTIONS (description = ${textLiteral(description)})` : '';

/** `isDefinition`: with lengths and the descriptions of nested columns, which a cast cannot have. */
function typeOf(field: OldField, isDefinition = false): string {
  const { type, mode, fields = [], precision, scale, maxLength } = field;
  const name = sqlNames[type] ?? type;
  const inner = fields.map((one) => `${quote(one.name)} ${typeOf(one, isDefinition)}${isDefinition ? descriptionSql(one) : ''}`);
  const limits = [maxLength ?? precision, scale].filter((value) => value !== undefined);
  const length = isDefinition && limits.length > 0 ? `(${limits.join(', ')})` : '';
  const whole = name === 'STRUCT' ? `STRUCT<${inner.join(', ')}>` : `${name}${length}`;
  return mode === 'REPEATED' ? `ARRAY<${whole}>` : whole;
}

/** BigQuery rejects another partitioning or clustering than that of the old table. */
function layoutOf({ stream }: Replacement, old: OldTable | null): string[] {
  const { timePartitioning, clustering } = old ?? tableBody(stream);
  const unit = timePartitioning?.type;
  const by = unit === 'DAY' ? quote('date') : `DATE_TRUNC(${quote('date')}, ${unit})`;
  return [
    ...(timePartitioning ? [`PARTITION BY ${by}`] : []),
    ...(clustering ? [`CLUSTER BY ${clustering.fields.map(quote).join(', ')}`] : []),
  ];
}

function optionsOf({ stream }: Replacement, sides: Sides): string[] {
  const { old, next } = sides;
  const isOurs = !old || old.description === '' || old.description.includes(TABLE_MARKER);
  const own = new Set(stream.columns.map(({ name }) => addedLabel(name)));
  const kept = Object.entries(old?.labels ?? {}).filter(([label]) => !own.has(label));
  const loaded = Object.entries(next.labels).filter(([label]) => own.has(label));
  const labels = { ...Object.fromEntries([...kept, ...loaded]), ...OWN_LABEL, [RESYNC_LABEL]: next.creationTime };
  const options: Record<string, string | undefined> = {
    description: textLiteral(isOurs ? descriptionOf(stream) : old.description),
    labels: `[${Object.entries(labels)
      .map((pair) => `(${pair.map(textLiteral).join(', ')})`)
      .join(', ')}]`,
    friendly_name: old?.friendlyName && textLiteral(old.friendlyName),
    ...expirationsOf(sides),
    require_partition_filter: requiresFilter(old) ? 'TRUE' : undefined,
    kms_key_name: old?.encryptionConfiguration && textLiteral(old.encryptionConfiguration.kmsKeyName),
  };
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`${name} = ${value}`]));
}

/** Those of the old table, which are not the defaults of the dataset. The statement copies old days, so they must not expire. */
function expirationsOf({ old, next, dataset }: Sides): Record<string, string | undefined> {
  const never = Number(next.creationTime) + NO_EXPIRATION_DAYS * DAY_MS;
  const table = old?.expirationTime ?? (dataset.defaultTableExpirationMs && String(never));
  const partition = old?.timePartitioning?.expirationMs;
  const keepAll = dataset.defaultPartitionExpirationMs && String(NO_EXPIRATION_DAYS);
  return {
    expiration_timestamp: table && `TIMESTAMP '${new Date(Number(table)).toISOString()}'`,
    partition_expiration_days: partition ? String(Number(partition) / DAY_MS) : keepAll,
  };
}

const requiresFilter = (old: OldTable | null): boolean =>
  (old?.requirePartitionFilter ?? old?.timePartitioning?.requirePartitionFilter) === true;
