import { Scope, type ColumnInfo, type TableInfo } from './environment.ts';
import { isSame } from './expression-translator.ts';
import { addToScope, plain, QueryTranslator, unfiltered } from './query-translator.ts';
import { SqlError } from './sql-error.ts';
import type { Expression, Query, Statement, TableName } from './syntax.ts';
import { coerce, commonType, quoteName, type SqlType, type Typed } from './types.ts';

export type Change = Extract<Statement, { kind: 'insert' | 'delete' | 'update' | 'truncate' }>;

/** Translates statements that change rows to SQLite. */
export class StatementTranslator extends QueryTranslator {
  change(statement: Change): string {
    const table = this.environment.findTable(statement.table.path, statement.table.at, 'write');
    const name = quoteName(table.storageName);
    if (statement.kind === 'truncate') return `DELETE FROM ${name}`;
    if (statement.kind === 'insert') return this.#insert(statement, table);
    const scope = new Scope(null);
    const alias = statement.alias ?? aliasOf(statement.table);
    addToScope(scope, alias, table.columns, statement.at);
    const where = this.condition(statement.where, plain(scope), 'WHERE clause');
    if (table.requiredFilter !== null && !where.includes(quoteName(table.requiredFilter)))
      throw unfiltered(table.name, table.requiredFilter);
    if (statement.kind === 'delete') return `DELETE FROM ${name} AS ${quoteName(alias)} WHERE ${where}`;
    const set = statement.assignments.map((assignment) => {
      const target = findColumn(table, assignment.column, assignment.at);
      const value = this.#stored(assignment.value, target, scope);
      return `${quoteName(target.name)} = ${value}`;
    });
    return `UPDATE ${name} AS ${quoteName(alias)} SET ${set.join(', ')} WHERE ${where}`;
  }

  #insert(statement: Change & { kind: 'insert' }, table: TableInfo): string {
    const { source, at } = statement;
    const columns = statement.columns.length > 0 ? statement.columns.map((name) => findColumn(table, name, at)) : table.columns;
    const missing = table.columns.find((column) => column.isRequired && !columns.includes(column));
    if (missing)
      throw new SqlError(`Required column value for column ${missing.name} is not present in insert row operation`, { at });
    const into = `INSERT INTO ${quoteName(table.storageName)} (${columns.map(({ name }) => quoteName(name)).join(', ')})`;
    return `${into} ${Array.isArray(source) ? this.#values(source, columns, at) : this.#rows(source, columns, at)}`;
  }

  #values(source: Expression[][], columns: ColumnInfo[], at: number): string {
    const rows = source.map((values) => {
      if (values.length !== columns.length) throw wrongCount(values.length, columns.length, at);
      return `(${values.map((value, index) => this.#stored(value, columns[index] as ColumnInfo, new Scope(null))).join(', ')})`;
    });
    return `VALUES ${rows.join(', ')}`;
  }

  #rows(source: Query, columns: ColumnInfo[], at: number): string {
    const translated = this.query(source, null);
    if (translated.columns.length !== columns.length) throw wrongCount(translated.columns.length, columns.length, at);
    for (const [index, { name, type }] of columns.entries()) {
      const given = translated.columns[index]?.type ?? 'NULL';
      if (commonType(given, type) !== type) throw wrongType(given, name, type, at);
    }
    return translated.sql;
  }

  #stored(expression: Expression, target: ColumnInfo, scope: Scope): string {
    const value: Typed = this.expression(expression, plain(scope));
    const stored = coerce(value, target.type, expression.at);
    if (!stored) throw wrongType(value.type, target.name, target.type, expression.at);
    return stored.sql;
  }
}

function aliasOf({ path }: TableName): string {
  return path.at(-1) ?? '';
}

function findColumn(table: TableInfo, name: string, at: number): ColumnInfo {
  const found = table.columns.find((column) => isSame(column.name, name));
  if (!found) throw new SqlError(`Column ${name} is not present in table ${table.name}`, { at });
  return found;
}

function wrongCount(given: number, wanted: number, at: number): SqlError {
  return new SqlError(`Inserted row has wrong column count; Has ${given}, expected ${wanted}`, { at });
}

function wrongType(given: SqlType, name: string, wanted: SqlType, at: number): SqlError {
  return new SqlError(`Query column has type ${given} which cannot be inserted into column ${name}, which has type ${wanted}`, {
    at,
  });
}
