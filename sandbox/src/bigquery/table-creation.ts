import { invalid } from './errors.ts';
import { readFields, sqlTypeOf, type Field } from './schema.ts';
import type { Environment } from './sql/environment.ts';
import { placed } from './sql/run-script.ts';
import { SqlError } from './sql/sql-error.ts';
import { StatementTranslator } from './sql/statement-translator.ts';
import type { OptionValue, TableCreation } from './sql/syntax.ts';
import { commonType, quoteName } from './sql/types.ts';
import { tableKey, type Dataset, type Store, type Table } from './store.ts';
import { readProperties, withDefaults } from './table-body.ts';

type Creation = TableCreation & { at: number };

/** What REST calls an option of DDL. Others are not simulated. */
const optionNames: Record<string, string> = {
  description: 'description',
  friendly_name: 'friendlyName',
  labels: 'labels',
  require_partition_filter: 'requirePartitionFilter',
};

/**
 * CREATE OR REPLACE TABLE … AS SELECT. The SELECT reads one snapshot; the table changes later, in one step. The new table has nothing of
 * the old one that the statement does not repeat: neither descriptions nor labels nor options (dev.classmethod.jp/articles/
 * bigquery-standard-sql-support), nor row access policies (cloud.google.com/bigquery/docs/using-row-level-security-with-features).
 * Whether BigQuery aborts it because of a load that commits between its read and its change is not documented, so it is not aborted.
 */
export class StagedTable {
  readonly #store: Store;
  readonly #creation: Creation;
  readonly #fields: Field[];
  readonly #storageName: string;

  /** Reads the rows. */
  constructor(store: Store, environment: Environment, creation: Creation) {
    this.#store = store;
    this.#creation = creation;
    this.#fields = fieldsOf(creation);
    this.#storageName = store.newName('rows');
    const { sql, columns } = new StatementTranslator(environment).query(creation.source, null);
    const { at } = creation;
    if (columns.length !== this.#fields.length)
      throw new SqlError(
        `The number of columns in the column definition list does not match the number of columns produced by the query`,
        { at },
      );
    for (const [index, field] of this.#fields.entries()) {
      const given = columns[index]?.type ?? 'NULL';
      const wanted = sqlTypeOf(field);
      if (commonType(given, wanted) !== wanted)
        throw new SqlError(
          `Query column ${index + 1} has type ${given} which cannot be coerced into ${field.name}, which has type ${wanted}`,
          { at },
        );
    }
    store.createRows(this.#storageName, this.#fields, true);
    try {
      const names = this.#fields.map(({ name }) => quoteName(name)).join(', ');
      placed(at, () => store.database.exec(`INSERT INTO ${quoteName(this.#storageName)} (${names}) ${sql}`));
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  /** Readers find the old or the new table. */
  apply(dataset: Dataset, tableId: string): void {
    const { projectId, datasetId } = dataset;
    const existing = this.#store.findTable(projectId, datasetId, tableId);
    const properties = readProperties(this.#properties(), this.#fields);
    if (existing) proveSpec(existing, properties);
    const expiresAtMs = expirationOf(this.#creation.options.get('expiration_timestamp'));
    const expiring = withDefaults(this.#store, dataset, expiresAtMs, properties);
    this.#store.replaceTable({ projectId, datasetId, tableId, fields: this.#fields, ...expiring }, this.#storageName);
  }

  drop(): void {
    this.#store.database.exec(`DROP TABLE IF EXISTS ${quoteName(this.#storageName)}`);
  }

  #properties(): Record<string, unknown> {
    const { options, partition, cluster, primaryKey } = this.#creation;
    const expirationDays = options.get('partition_expiration_days');
    const known = [...options].filter(([name]) => !['expiration_timestamp', 'partition_expiration_days'].includes(name));
    const named = known.map(([name, value]) => {
      const property = optionNames[name];
      if (!property) throw invalid(`Unknown option: ${name}`);
      return [property, name === 'labels' ? Object.fromEntries(value as [string, string][]) : value] as const;
    });
    return {
      ...Object.fromEntries(named),
      ...(partition && {
        timePartitioning: {
          type: partition.unit,
          field: partition.column,
          ...(expirationDays !== undefined && { expirationMs: String(Number(expirationDays) * 86_400_000) }),
        },
      }),
      ...(cluster.length > 0 && { clustering: { fields: cluster } }),
      ...(primaryKey.length > 0 && { tableConstraints: { primaryKey: { columns: primaryKey } } }),
    };
  }
}

function fieldsOf({ columns }: Creation): Field[] {
  return readFields({
    fields: columns.map(({ name, type, isRequired, description }) => ({
      ...{ name, type, mode: isRequired ? 'REQUIRED' : 'NULLABLE' },
      ...(description !== null && { description }),
    })),
  });
}

const expirationOf = (value: OptionValue | undefined): number | null =>
  typeof value === 'string' ? Date.parse(value.replace(' UTC', 'Z').replace(' ', 'T')) : null;

/** https://github.com/dbt-labs/dbt-core/issues/2000 and https://github.com/airbytehq/airbyte/issues/26215 */
function proveSpec(existing: Table, properties: Record<string, unknown>): void {
  const [before, after] = [specOf(existing.properties), specOf(properties)];
  if (before === after) return;
  throw invalid(
    `Cannot replace a table with a different partitioning spec. Instead, DROP the table, and then recreate it. New partitioning spec is ${after} and existing spec is ${before} of ${tableKey(existing)}`,
  );
}

function specOf({ timePartitioning, clustering }: Record<string, unknown>): string {
  const { type, field } = (timePartitioning ?? {}) as { type?: string; field?: string };
  const { fields } = (clustering ?? {}) as { fields?: string[] };
  return `${type ? `interval(type:${type.toLowerCase()},field:${field})` : 'none'}${fields ? ` clustering(${fields.join(',')})` : ''}`;
}
