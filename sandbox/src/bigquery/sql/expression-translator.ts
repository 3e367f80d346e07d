import { Scope, type Environment } from './environment.ts';
import { aggregate, aggregateNames, castTo, functions } from './functions.ts';
import { SqlError } from './sql-error.ts';
import type { Expression, Query } from './syntax.ts';
import { coerce, commonType, constant, isNumber, quoteName, textLiteral, type SqlType, type Typed } from './types.ts';

export interface TranslatedQuery {
  sql: string;
  columns: { name: string; type: SqlType }[];
}

/** The context of an expression. */
export interface Context {
  scope: Scope;
  /** GROUP BY's expressions as SQL; null if every column is allowed. */
  groups: Set<string> | null;
  /** Whether aggregates such as COUNT and SUM are allowed. */
  mayAggregate: boolean;
}

/** Translates GoogleSQL expressions to SQLite, with their types. */
export abstract class ExpressionTranslator {
  readonly environment: Environment;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  abstract query(query: Query, outer: Scope | null): TranslatedQuery;

  expression(expression: Expression, context: Context): Typed {
    if (context.groups && expression.kind !== 'literal' && expression.kind !== 'parameter') {
      const grouped = this.#whole(expression, { ...context, groups: null });
      if (grouped && context.groups.has(grouped.sql)) return grouped;
    }
    return this.#translate(expression, context);
  }

  /** The expression as used in GROUP BY, or null if it contains parts that cannot be grouped. */
  #whole(expression: Expression, context: Context): Typed | null {
    try {
      return this.#translate(expression, { ...context, mayAggregate: false });
    } catch (error) {
      if (error instanceof SqlError) return null;
      throw error;
    }
  }

  condition(expression: Expression, context: Context, clause: string): string {
    const { sql, type } = this.expression(expression, context);
    if (type === 'BOOL' || type === 'NULL') return sql;
    throw new SqlError(`${clause} should return type BOOL, but returns ${type}`, { at: expression.at });
  }

  #translate(expression: Expression, context: Context): Typed {
    const { at } = expression;
    const translate = (part: Expression): Typed => this.expression(part, context);
    switch (expression.kind) {
      case 'literal':
        return constant(expression.type, expression.text, at);
      case 'parameter':
        return this.#parameter(expression.name, at);
      case 'variable':
        if (expression.name === '@@row_count') return { sql: String(this.environment.rowCount), type: 'INT64' };
        throw new SqlError(`Unrecognized name: ${expression.name}`, { at });
      case 'column':
        return this.#column(expression.path, at, context);
      case 'call':
        return this.#call(expression, context);
      case 'cast':
        return this.#cast(translate(expression.operand), expression.type, expression.isSafe, at);
      case 'binary':
        return this.#binary(expression.operator, translate(expression.left), translate(expression.right), at);
      case 'not':
        return { sql: `(NOT ${this.condition(expression.operand, context, 'Argument of NOT')})`, type: 'BOOL' };
      case 'negative':
        return this.#negative(expression.operand, translate, at);
      case 'between': {
        const operand = translate(expression.operand);
        const low = this.#binary('>=', operand, translate(expression.low), at);
        const high = this.#binary('<=', operand, translate(expression.high), at);
        return { sql: `(${expression.isNegated ? 'NOT ' : ''}(${low.sql} AND ${high.sql}))`, type: 'BOOL' };
      }
      case 'in':
        return this.#in(expression, context);
      case 'is': {
        const { sql } = translate(expression.operand);
        return { sql: `(${sql} IS ${expression.isNegated ? 'NOT ' : ''}${expression.value})`, type: 'BOOL' };
      }
      case 'case':
        return this.#case(expression, context);
      case 'interval':
        throw new SqlError('Unexpected INTERVAL expression', { at });
      case 'subquery':
        return this.#subquery(expression.query, context.scope);
      case 'exists':
        return { sql: `EXISTS (${this.query(expression.query, context.scope).sql})`, type: 'BOOL' };
    }
  }

  #parameter(name: string, at: number): Typed {
    const value = this.environment.parameters.get(name.toLowerCase());
    if (!value) throw new SqlError(`Query parameter '${name}' not found`, { at });
    return value;
  }

  #column(path: string[], at: number, { scope, groups }: Context): Typed {
    const [first = '', second] = path;
    for (let level: Scope | null = scope; level; level = level.outer) {
      const items = second === undefined ? level.items : level.items.filter(({ alias }) => isSame(alias, first));
      const found = items.flatMap(({ columns }) => columns.filter(({ name }) => isSame(name, second ?? first)));
      if (found.length > 1) throw new SqlError(`Column name ${first} is ambiguous`, { at });
      const [column] = found;
      if (!column) continue;
      if (groups && level === scope && !groups.has(column.sql)) throw ungrouped(path.join('.'), at);
      return { sql: column.sql, type: column.type };
    }
    throw new SqlError(`Unrecognized name: ${path.join('.')}`, { at });
  }

  #call(call: Expression & { kind: 'call' }, context: Context): Typed {
    const { name, at } = call;
    if (aggregateNames.has(name)) {
      if (!context.mayAggregate) throw new SqlError(`Aggregate function ${name} not allowed here`, { at });
      const inner = { ...context, mayAggregate: false, groups: null };
      const args = call.args.map((arg) => this.expression(arg, inner));
      return aggregate(name, args, call.isDistinct, call.isStar) ?? this.#noSignature(name, args, at);
    }
    const shifted = /^(DATE|TIMESTAMP)_(ADD|SUB)$/.exec(name);
    if (shifted) return this.#shift(call, shifted[1] as 'DATE' | 'TIMESTAMP', shifted[2] === 'SUB', context);
    const signature = functions[name];
    if (!signature) throw new SqlError(`Function not found: ${name.toLowerCase()}`, { at });
    const args = call.args.map((arg) => this.expression(arg, context));
    return signature(args, this.environment.now) ?? this.#noSignature(name, args, at);
  }

  /** DATE_ADD and similar functions: dates change by days, timestamps by units up to days. */
  #shift(call: Expression & { kind: 'call' }, type: 'DATE' | 'TIMESTAMP', isBack: boolean, context: Context): Typed {
    const [start, interval] = call.args;
    const value = start ? coerce(this.expression(start, context), type, call.at) : null;
    const micros = interval?.kind === 'interval' ? unitMicros[interval.unit] : undefined;
    if (!value || interval?.kind !== 'interval' || !micros || (type === 'DATE' && interval.unit !== 'DAY'))
      throw new SqlError(`No matching signature for function ${call.name}`, { at: call.at });
    const amount = `${isBack ? '-' : ''}(${this.expression(interval.amount, context).sql})`;
    if (type === 'DATE') return { sql: `date(${value.sql}, (${amount}) || ' days')`, type };
    return { sql: `(${value.sql} + ${amount} * ${micros})`, type };
  }

  #cast(value: Typed, name: string, isSafe: boolean, at: number): Typed {
    const type = castNames[name];
    if (!type) throw new SqlError(`Type not found: ${name}`, { at });
    if (value.type === type || value.type === 'NULL') return { sql: value.sql, type };
    if (type === 'STRING') return { sql: textOf(value), type };
    if (value.type === 'STRING') return { sql: castTo(type, value.sql, isSafe), type };
    if (value.type === 'INT64' && type === 'NUMERIC') return { sql: value.sql, type };
    if (value.type === 'INT64' && type === 'FLOAT64') return { sql: `CAST(${value.sql} AS REAL)`, type };
    // BigQuery rounds half away from zero.
    if (value.type === 'FLOAT64' && type === 'INT64') return { sql: `CAST(round(${value.sql}) AS INTEGER)`, type };
    if (value.type === 'BOOL' && type === 'INT64') return { sql: value.sql, type };
    throw new SqlError(`Invalid cast from ${value.type} to ${type}`, { at });
  }

  #binary(operator: string, left: Typed, right: Typed, at: number): Typed {
    const failed = (): never => this.#noSignature(`operator ${operator}`, [left, right], at);
    const { sql } = left;
    if (operator === 'AND' || operator === 'OR') {
      if (![left, right].every(({ type }) => type === 'BOOL' || type === 'NULL')) return failed();
      return { sql: `(${sql} ${operator} ${right.sql})`, type: 'BOOL' };
    }
    if (operator === '||' || operator === 'LIKE') {
      if (![left, right].every(({ type }) => type === 'STRING' || type === 'NULL')) return failed();
      return operator === 'LIKE'
        ? { sql: `(${sql} LIKE ${right.sql} ESCAPE '\\')`, type: 'BOOL' }
        : { sql: `(${sql} || ${right.sql})`, type: 'STRING' };
    }
    if ('+-*/'.includes(operator)) {
      if (!isNumber(left.type) || !isNumber(right.type)) return failed();
      if (operator === '/') return { sql: `bq_divide(${sql}, ${right.sql})`, type: 'FLOAT64' };
      return { sql: `(${sql} ${operator} ${right.sql})`, type: commonType(left.type, right.type) ?? 'FLOAT64' };
    }
    const pair = comparable(left, right, at);
    return pair ? { sql: `(${pair[0].sql} ${operator} ${pair[1].sql})`, type: 'BOOL' } : failed();
  }

  #negative(operand: Expression, translate: (part: Expression) => Typed, at: number): Typed {
    // The smallest integer can only be written with its sign.
    if (operand.kind === 'literal' && operand.type === 'INT64') return constant('INT64', `-${operand.text}`, at);
    const value = translate(operand);
    if (!isNumber(value.type)) return this.#noSignature('operator -', [value], at);
    return { sql: `(-${value.sql})`, type: value.type };
  }

  #in(expression: Expression & { kind: 'in' }, context: Context): Typed {
    const { list, at } = expression;
    const operand = this.expression(expression.operand, context);
    const word = expression.isNegated ? 'NOT IN' : 'IN';
    if (!Array.isArray(list)) {
      const { sql, columns } = this.query(list, context.scope);
      const type = columns[0]?.type ?? 'NULL';
      if (columns.length !== 1) throw new SqlError('Subquery of type IN must have only one output column', { at });
      if (!commonType(operand.type, type)) return this.#noSignature('operator IN', [operand, { sql, type }], at);
      return { sql: `(${operand.sql} ${word} (${sql}))`, type: 'BOOL' };
    }
    const values = list.map((item) => {
      const value = this.expression(item, context);
      const pair = comparable(operand, value, at);
      return pair ? pair[1].sql : this.#noSignature('operator IN', [operand, value], at);
    });
    return { sql: `(${operand.sql} ${word} (${values.join(', ')}))`, type: 'BOOL' };
  }

  #case(expression: Expression & { kind: 'case' }, context: Context): Typed {
    const { operand, branches, otherwise, at } = expression;
    const translated = branches.map(({ when, then }) => {
      const condition: Expression = operand ? { kind: 'binary', operator: '=', left: operand, right: when, at } : when;
      return { when: this.condition(condition, context, 'CASE condition'), then: this.expression(then, context) };
    });
    const last = otherwise ? this.expression(otherwise, context) : constant('NULL', 'NULL', at);
    const type = [...translated.map(({ then }) => then.type), last.type].reduce<SqlType | null>(
      (known, next) => known && commonType(known, next),
      'NULL',
    );
    if (!type) throw new SqlError('No matching signature for operator CASE', { at });
    const whens = translated.map(({ when, then }) => `WHEN ${when} THEN ${then.sql}`).join(' ');
    return { sql: `CASE ${whens} ELSE ${last.sql} END`, type };
  }

  #subquery(query: Query, scope: Scope): Typed {
    const { sql, columns } = this.query(query, scope);
    if (columns.length !== 1) throw new SqlError('Scalar subquery cannot have more than one column', { at: query.at });
    return { sql: `(${sql})`, type: columns[0]?.type ?? 'NULL' };
  }

  #noSignature(name: string, args: Typed[], at: number): never {
    const what = name.startsWith('operator') ? name : `aggregate function ${name}`;
    const shown = aggregateNames.has(name) || name.startsWith('operator') ? what : `function ${name}`;
    const types = args.map(({ type }) => type).join(', ');
    throw new SqlError(`No matching signature for ${shown} for argument types: ${types}`, { at });
  }
}

const unitMicros: Record<string, bigint> = {
  MICROSECOND: 1n,
  MILLISECOND: 1_000n,
  SECOND: 1_000_000n,
  MINUTE: 60_000_000n,
  HOUR: 3_600_000_000n,
  DAY: 86_400_000_000n,
};

const castNames: Record<string, SqlType> = {
  INT64: 'INT64',
  NUMERIC: 'NUMERIC',
  FLOAT64: 'FLOAT64',
  STRING: 'STRING',
  BOOL: 'BOOL',
  DATE: 'DATE',
  TIMESTAMP: 'TIMESTAMP',
};

export function column(alias: string, name: string): string {
  return `${quoteName(alias)}.${quoteName(name)}`;
}

export function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** Both sides in a common type, or null. BigQuery does not compare text with numbers. */
function comparable(left: Typed, right: Typed, at: number): [Typed, Typed] | null {
  if (commonType(left.type, right.type)) return [left, right];
  const turned = coerce(right, left.type, at);
  if (turned) return [left, turned];
  const other = coerce(left, right.type, at);
  return other ? [other, right] : null;
}

function textOf({ sql, type }: Typed): string {
  if (type === 'BOOL') return `CASE WHEN ${sql} THEN 'true' WHEN NOT ${sql} THEN 'false' END`;
  if (type === 'TIMESTAMP') return `strftime('%Y-%m-%d %H:%M:%S', ${sql} / 1000000, 'unixepoch') || ${textLiteral('+00')}`;
  return `CAST(${sql} AS TEXT)`;
}

function ungrouped(name: string, at: number): SqlError {
  return new SqlError(`SELECT list expression references column ${name} which is neither grouped nor aggregated`, { at });
}
