import { Scope, type ScopeItem } from './environment.ts';
import { column, ExpressionTranslator, isSame, type Context, type TranslatedQuery } from './expression-translator.ts';
import { aggregateNames } from './functions.ts';
import { SqlError } from './sql-error.ts';
import type { Expression, FromItem, Query, Select } from './syntax.ts';
import { commonType, quoteName, type SqlType } from './types.ts';

interface OutputColumn {
  name: string;
  type: SqlType;
  sql: string;
}

interface TranslatedSelect {
  sql: string;
  columns: OutputColumn[];
  context: Context;
}

/** Translates SELECT to SQLite. */
export class QueryTranslator extends ExpressionTranslator {
  query(query: Query, outer: Scope | null): TranslatedQuery {
    const selects = query.selects.map((select) => this.#select(select, outer));
    const [first] = selects as [TranslatedSelect];
    const columns = first.columns.map(({ name, type }, index) => ({ name, type: unionType(selects, index, type, query.at) }));
    const order = query.orderBy.map(
      ({ expression, isDescending }) => `${this.#orderKey(expression, first, selects.length > 1)}${isDescending ? ' DESC' : ''}`,
    );
    const sql = [selects.map((select) => select.sql).join(' UNION ALL ')];
    if (order.length > 0) sql.push(`ORDER BY ${order.join(', ')}`);
    if (query.limit) sql.push(`LIMIT ${this.#count(query.limit, 'LIMIT')}`);
    if (query.offset) sql.push(`OFFSET ${this.#count(query.offset, 'OFFSET')}`);
    return { sql: sql.join(' '), columns };
  }

  #select(select: Select, outer: Scope | null): TranslatedSelect {
    const scope = new Scope(outer);
    const from = select.from ? [this.#fromItem(select.from, scope)] : [];
    for (const join of select.joins) {
      from.push(`${join.type} JOIN ${this.#fromItem(join.item, scope)}`);
      if (join.condition) from.push(`ON ${this.condition(join.condition, plain(scope), 'JOIN ON clause')}`);
    }
    const where = select.where ? this.condition(select.where, plain(scope), 'WHERE clause') : null;
    this.#proveFilters(select, where);
    const groups = new Set(select.groupBy.map((expression) => this.#groupKey(expression, select, scope)));
    const isGrouped =
      groups.size > 0 || select.having !== null || select.items.some(({ expression }) => hasAggregate(expression));
    const context: Context = { scope, groups: isGrouped ? groups : null, mayAggregate: true };
    const columns = this.#output(select, context);
    const sql = [
      `SELECT ${select.isDistinct ? 'DISTINCT ' : ''}${columns.map((item) => `${item.sql} AS ${quoteName(item.name)}`).join(', ')}`,
    ];
    if (from.length > 0) sql.push(`FROM ${from.join(' ')}`);
    if (where) sql.push(`WHERE ${where}`);
    if (groups.size > 0) sql.push(`GROUP BY ${[...groups].join(', ')}`);
    if (select.having) sql.push(`HAVING ${this.condition(select.having, context, 'HAVING clause')}`);
    return { sql: sql.join(' '), columns, context };
  }

  #fromItem(item: FromItem, scope: Scope): string {
    if (item.kind === 'query') {
      const { sql, columns } = this.query(item.query, scope.outer);
      const alias = item.alias ?? `$query${scope.items.length}`;
      addToScope(scope, alias, columns, item.at);
      return `(${sql}) AS ${quoteName(alias)}`;
    }
    const table = this.environment.findTable(item.path, item.at, 'read');
    const alias = item.alias ?? item.path.at(-1) ?? '';
    addToScope(scope, alias, table.columns, item.at);
    return `${quoteName(table.storageName)} AS ${quoteName(alias)}`;
  }

  /** A table can require a filter on its partition column. */
  #proveFilters({ from, joins }: Select, where: string | null): void {
    for (const item of [from, ...joins.map((join) => join.item)]) {
      if (item?.kind !== 'table') continue;
      const table = this.environment.findTable(item.path, item.at, 'read');
      if (table.requiredFilter === null || where?.includes(quoteName(table.requiredFilter))) continue;
      throw unfiltered(table.name, table.requiredFilter);
    }
  }

  #output(select: Select, context: Context): OutputColumn[] {
    let unnamed = 0;
    return select.items.flatMap(({ expression, alias, at }) => {
      if (!expression) return this.#star(alias, context, at);
      const { sql, type } = this.expression(expression, context);
      const name = alias ?? (expression.kind === 'column' ? expression.path.at(-1) : undefined) ?? `f${unnamed++}_`;
      // BigQuery gives an untyped NULL the type INT64.
      return [{ name, sql, type: type === 'NULL' ? ('INT64' as const) : type }];
    });
  }

  #star(alias: string | null, { scope, groups }: Context, at: number): OutputColumn[] {
    if (groups)
      throw new SqlError('Star expansion expression references columns which are neither grouped nor aggregated', { at });
    if (scope.items.length === 0) throw new SqlError('SELECT * must have a FROM clause', { at });
    const items = alias === null ? scope.items : scope.items.filter((item) => isSame(item.alias, alias));
    if (items.length === 0) throw new SqlError(`Unrecognized name: ${alias}`, { at });
    return items.flatMap(({ columns }) => columns);
  }

  /** An expression, the number of an output column, or its alias. */
  #groupKey(expression: Expression, select: Select, scope: Scope): string {
    const item = namedItem(expression, select);
    const isColumn =
      expression.kind === 'column' &&
      scope.items.some(({ columns }) => columns.some(({ name }) => isSame(name, expression.path[0] ?? '')));
    return this.expression(item && !isColumn ? item : expression, plain(scope)).sql;
  }

  #orderKey(expression: Expression, { columns, context }: TranslatedSelect, isUnion: boolean): string {
    if (expression.kind === 'literal' && expression.type === 'INT64') {
      const place = Number(expression.text);
      if (place < 1 || place > columns.length)
        throw new SqlError(`ORDER BY is out of SELECT column number range: ${expression.text}`, { at: expression.at });
      return expression.text;
    }
    const [name = ''] = expression.kind === 'column' && expression.path.length === 1 ? expression.path : [];
    const output = columns.find((item) => isSame(item.name, name));
    if (output) return quoteName(output.name);
    if (isUnion) throw new SqlError('ORDER BY of a UNION may only name its columns', { at: expression.at });
    return this.expression(expression, context).sql;
  }

  #count(expression: Expression, clause: string): string {
    const { sql, type } = this.expression(expression, plain(new Scope(null)));
    if (type !== 'INT64' || !/^\d+$/.test(sql))
      throw new SqlError(`${clause} expects a non-negative integer`, { at: expression.at });
    return sql;
  }
}

export function plain(scope: Scope): Context {
  return { scope, groups: null, mayAggregate: false };
}

export function addToScope(scope: Scope, alias: string, columns: { name: string; type: SqlType }[], at: number): ScopeItem {
  if (scope.items.some((item) => isSame(item.alias, alias)))
    throw new SqlError(`Duplicate table alias ${alias} in the same FROM clause`, { at });
  const item = { alias, columns: columns.map(({ name, type }) => ({ name, type, sql: column(alias, name) })) };
  scope.items.push(item);
  return item;
}

export function unfiltered(table: string, filter: string): SqlError {
  const message = `Cannot query over table '${table}' without a filter over column(s) '${filter}' that can be used for partition elimination`;
  return new SqlError(message);
}

function namedItem(expression: Expression, { items }: Select): Expression | null {
  if (expression.kind === 'literal' && expression.type === 'INT64') return items[Number(expression.text) - 1]?.expression ?? null;
  const [name = '', more] = expression.kind === 'column' ? expression.path : [];
  return more === undefined ? (items.find(({ alias }) => alias !== null && isSame(alias, name))?.expression ?? null) : null;
}

/** Subqueries have their own aggregates. */
function hasAggregate(expression: Expression | null): boolean {
  if (!expression) return false;
  if (expression.kind === 'call' && aggregateNames.has(expression.name)) return true;
  return Object.values(expression).some((part: unknown) =>
    (Array.isArray(part) ? part : [part]).some((inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || 'selects' in inner) return false;
      return 'kind' in inner
        ? hasAggregate(inner as Expression)
        : Object.values(inner).some((last) => hasAggregate(last as Expression));
    }),
  );
}

function unionType(selects: TranslatedSelect[], index: number, type: SqlType, at: number): SqlType {
  return selects.reduce<SqlType>((known, { columns }) => {
    const common = columns.length === selects[0]?.columns.length ? commonType(known, columns[index]?.type ?? 'NULL') : null;
    if (!common) throw new SqlError('Queries in UNION ALL have mismatched columns', { at });
    return common;
  }, type);
}
