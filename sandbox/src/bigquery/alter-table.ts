import { readFields, type Field } from './schema.ts';
import { SqlError } from './sql/sql-error.ts';
import type { ColumnChange } from './sql/syntax.ts';
import type { Store, Table } from './store.ts';

/** ALTER TABLE with ADD, DROP and RENAME COLUMN. A renamed column keeps its description. */
export function alterTable(store: Store, table: Table, changes: ColumnChange[]): void {
  let columns: { field: Field; before: string | null }[] = table.fields.map((field) => ({ field, before: field.name }));
  for (const change of changes) {
    if (change.kind === 'add') {
      const [field] = readFields({ fields: [{ name: change.column, type: change.type }] });
      if (columns.some((column) => isSame(column.field.name, change.column)))
        throw new SqlError(`Column already exists: ${change.column}`);
      if (field) columns = [...columns, { field, before: null }];
      continue;
    }
    const found = columns.find((column) => isSame(column.field.name, change.column));
    if (!found) throw new SqlError(`Column not found: ${change.column}`);
    proveFree(table, found.field.name);
    if (change.kind === 'drop') columns = columns.filter((column) => column !== found);
    else found.field = { ...found.field, name: change.to };
  }
  const before = new Map(columns.map((column) => [column.field.name, column.before]));
  store.changeFields(
    table,
    columns.map(({ field }) => field),
    (name) => before.get(name) ?? null,
  );
  store.saveTable(table);
}

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/data-definition-language#alter_table_drop_column_statement */
function proveFree({ properties }: Table, column: string): void {
  const { field } = (properties.timePartitioning ?? {}) as { field?: string };
  const { fields = [] } = (properties.clustering ?? {}) as { fields?: string[] };
  if ([field, ...fields].some((name) => name !== undefined && isSame(name, column)))
    throw new SqlError(`Column ${column} is used for partitioning or clustering and cannot be dropped or renamed`);
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
