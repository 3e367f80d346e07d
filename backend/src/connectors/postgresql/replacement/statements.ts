import pg from 'pg';
import type { Replacement } from '../../kit/contract.js';
import type { PostgresqlSettings } from '../settings.js';
import type { Statement } from '../statement.js';
import { qualifiedTable, quote, tableNameOf } from '../tables/names.js';
import { isOurComment, typeNames } from '../tables/table-format.js';
import type { OldTable } from './old-table.js';

/** Where an error of a statement comes from: what the users created around the table. */
export interface SwapStatement extends Statement {
  cause?: string;
}

/** Prepares the new table while the old one is still read: columns, rows, indexes, rights. */
export function completionStatements(
  settings: PostgresqlSettings,
  { stream, beside, loaded }: Replacement,
  old: OldTable,
): SwapStatement[] {
  const table = qualifiedTable(settings, beside);
  const own = new Map(stream.columns.map(({ name, type }) => [name, typeNames[type]]));
  const added = old.columns.filter(({ name }) => !own.has(name));
  const names = old.columns.map(({ name }) => quote(name)).join(', ');
  const values = old.columns.map(({ name, type }) => {
    const wanted = own.get(name) ?? type;
    return wanted === type ? `old.${quote(name)}` : `old.${quote(name)}::${wanted}`;
  });
  const isLoaded = `EXISTS (SELECT FROM unnest($1::text[], $2::date[], $3::date[]) AS own(account_id, day_from, day_to)
         WHERE own.account_id = old.account_id::text AND old.date::date BETWEEN own.day_from AND own.day_to)`;
  const scope = stream.scope ? `old.${quote(stream.scope.column)}::text = ${pg.escapeLiteral(stream.scope.value)} AND ` : '';
  return [
    ...added.map(({ name, type, isRequired, standard }) => ({
      title: 'Add a column that users or other connections write',
      sql: `ALTER TABLE ${table} ADD COLUMN ${quote(name)} ${type}${standard === null ? '' : ` DEFAULT ${standard}`}${isRequired && standard !== null ? ' NOT NULL' : ''}`,
      cause: `its column ${name}`,
    })),
    {
      title: 'Copy the rows that this connection does not load',
      sql: `INSERT INTO ${table} (${names}) SELECT ${values.join(', ')} FROM ${qualifiedTable(settings, stream)} old WHERE NOT (${scope}${isLoaded})`,
      values: [loaded.map(({ accountId }) => accountId), loaded.map(({ from }) => from), loaded.map(({ to }) => to)],
      cause: 'rows that this connection does not load, because they belong to other accounts, connections or days',
    },
    ...old.indexes.map(({ name, isUnique, sql }, index) => ({
      title: 'Create an index of the old table',
      sql: `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${quote(indexName(old, index))} ON ${table} USING ${sql}`,
      cause: `its index ${name}`,
    })),
    ...(isOurComment(old.comment)
      ? []
      : [{ title: 'Keep the comment', sql: `COMMENT ON TABLE ${table} IS ${pg.escapeLiteral(old.comment ?? '')}` }]),
  ];
}

/** The same rights as on the old table, whatever the default rights of new tables are. */
export function grantStatements(table: string, held: string[], { grants }: OldTable): SwapStatement[] {
  return [
    ...held.map((grantee) => ({
      title: 'Remove a default right',
      sql: `REVOKE ALL ON TABLE ${table} FROM ${grantee}`,
      cause: 'its rights',
    })),
    ...grants.map(({ right, grantee, isGrantable }) => ({
      title: 'Grant a right of the old table',
      sql: `GRANT ${right} ON TABLE ${table} TO ${grantee}${isGrantable ? ' WITH GRANT OPTION' : ''}`,
      cause: `the right of ${grantee}`,
    })),
  ];
}

/** Renames the tables, points the views to the new one and drops the old one. Readers wait for these statements. */
export function swapStatements(
  settings: PostgresqlSettings,
  { stream, beside }: Replacement,
  old: OldTable | null,
): SwapStatement[] {
  const name = tableNameOf(settings, stream);
  const retired = `_tributary_replaced_${old?.id ?? ''}`;
  const schema = quote(settings.schema);
  const rename = {
    title: 'Give the new table its name',
    sql: `ALTER TABLE ${qualifiedTable(settings, beside)} RENAME TO ${quote(name)}`,
  };
  if (!old) return [rename];
  return [
    { title: 'Rename the old table', sql: `ALTER TABLE ${qualifiedTable(settings, stream)} RENAME TO ${quote(retired)}` },
    rename,
    ...old.views.map((view) => ({
      title: 'Point a view to the new table',
      sql: `CREATE OR REPLACE VIEW ${view.name}${view.options ? ` WITH (${view.options.join(', ')})` : ''} AS ${view.sql}`,
      cause: `the view ${view.name}`,
    })),
    { title: 'Drop the old table', sql: `DROP TABLE ${schema}.${quote(retired)}`, cause: 'objects that depend on it' },
    ...old.indexes.map((index, place) => ({
      title: 'Give an index its name',
      sql: `ALTER INDEX ${schema}.${quote(indexName(old, place))} RENAME TO ${quote(index.name)}`,
    })),
  ];
}

/** The registration keeps its time, which identifies the new table after the swap. */
export const registrationStatements = (
  settings: PostgresqlSettings,
  { stream, beside }: Replacement,
  oldId: string | null,
): Statement[] => [
  ...(oldId === null
    ? []
    : [
        {
          title: 'Forget the old table',
          sql: `DELETE FROM ${quote(settings.schema)}._tributary_tables WHERE table_id = $1::oid`,
          values: [oldId],
        },
      ]),
  {
    title: 'Register the new name',
    sql: `UPDATE ${quote(settings.schema)}._tributary_tables SET table_name = $1 WHERE table_name = $2`,
    values: [tableNameOf(settings, stream), tableNameOf(settings, beside)],
  },
];

/** Names that the statements of one transaction use. */
const indexName = ({ id }: OldTable, place: number): string => `_tributary_index_${id}_${place}`;
