import type { DatabaseSync } from 'node:sqlite';
import { Scope, type Environment } from './environment.ts';
import type { TranslatedQuery } from './expression-translator.ts';
import { plain } from './query-translator.ts';
import { placeOf, SqlError } from './sql-error.ts';
import { StatementTranslator, type Change } from './statement-translator.ts';
import type { Statement } from './syntax.ts';

export type Cell = string | number | bigint | null;

export interface ScriptResult {
  statementType: string;
  /** Result of the last SELECT; null if there was none. */
  rows: { columns: TranslatedQuery['columns']; cells: Cell[][] } | null;
  /** Rows changed by the last statement; null if there was none. */
  affectedRows: bigint | null;
}

/** Runs a whole script synchronously, so no other client sees an open transaction. An error rolls it back. */
export function runScript(database: DatabaseSync, text: string, statements: Statement[], environment: Environment): ScriptResult {
  const run = new ScriptRun(database, environment);
  try {
    for (const statement of statements) run.statement(statement);
  } catch (error) {
    throw toSqlError(error, text, statements.length > 1);
  } finally {
    // A script that ends inside a transaction has not committed it.
    if (database.isTransaction) database.exec('ROLLBACK');
  }
  return { ...run.result, statementType: typeOfScript(statements) };
}

/** Checks names and types of a SELECT, and executes nothing. Of other statements, only the type is found. */
export function dryRun(text: string, statements: Statement[], environment: Environment): ScriptResult {
  const statementType = typeOfScript(statements);
  const [first] = statements;
  if (statementType !== 'SELECT' || first?.kind !== 'query') return { statementType, rows: null, affectedRows: null };
  try {
    const { columns } = new StatementTranslator(environment).query(first.query, null);
    return { statementType, rows: { columns, cells: [] }, affectedRows: null };
  } catch (error) {
    throw toSqlError(error, text, false);
  }
}

function typeOfScript(statements: Statement[]): string {
  const [first] = statements;
  return statements.length > 1 || !first ? 'SCRIPT' : typeOf(first);
}

class ScriptRun {
  readonly result: Omit<ScriptResult, 'statementType'> = { rows: null, affectedRows: null };
  readonly #database: DatabaseSync;
  readonly #environment: Environment;
  readonly #translator: StatementTranslator;

  constructor(database: DatabaseSync, environment: Environment) {
    this.#database = database;
    this.#environment = environment;
    this.#translator = new StatementTranslator(environment);
  }

  statement(statement: Statement): void {
    const { at } = statement;
    switch (statement.kind) {
      case 'query':
        return this.#query(statement);
      case 'begin':
        if (this.#database.isTransaction) throw new SqlError('Cannot begin a nested transaction', { at });
        return this.#database.exec('BEGIN');
      case 'commit':
      case 'rollback':
        if (!this.#database.isTransaction) throw new SqlError(`There is no active transaction to ${statement.kind}`, { at });
        return this.#database.exec(statement.kind.toUpperCase());
      case 'assert':
        return this.#assert(statement);
      case 'alter':
        if (this.#database.isTransaction) throw new SqlError('DDL of tables is not allowed in a transaction', { at });
        return this.#environment.alterTable(statement.table.path, at, statement.changes);
      case 'create':
        // As the only statement of a query, it is run by `query-work.ts`.
        throw new SqlError('The sandbox supports CREATE TABLE only as the only statement of a query', { at });
      default:
        return this.#change(statement);
    }
  }

  #query({ query, at }: Statement & { kind: 'query' }): void {
    const { sql, columns } = this.#translator.query(query, null);
    const cells = this.#rows(sql, at);
    const isOverflown = cells.some((row) =>
      row.some((cell, index) => columns[index]?.type === 'INT64' && typeof cell === 'number'),
    );
    // SQLite continues with a floating point number where BigQuery fails.
    if (isOverflown) throw new SqlError('int64 overflow', { at });
    this.result.rows = { columns, cells };
  }

  #assert({ condition, description, at }: Statement & { kind: 'assert' }): void {
    const sql = this.#translator.condition(condition, plain(new Scope(null)), 'ASSERT expression');
    const [[value] = [null]] = this.#rows(`SELECT ${sql}`, at);
    if (value !== 1n) throw new SqlError(`Assertion failed${description === null ? '' : `: ${description}`}`, { at });
  }

  #change(change: Change): void {
    const sql = this.#translator.change(change);
    const { changes } = placed(change.at, () => this.#database.prepare(sql).run());
    this.#environment.rowCount = BigInt(changes);
    this.result.affectedRows = BigInt(changes);
  }

  #rows(sql: string, at: number): Cell[][] {
    return placed(at, () => {
      const statement = this.#database.prepare(sql);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return statement.all() as unknown as Cell[][];
    });
  }
}

/** Translates SQLite runtime errors to BigQuery's. */
export function placed<Result>(at: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const required = /^NOT NULL constraint failed: [^.]*\.(.*)$/.exec(message)?.[1];
    if (required) throw new SqlError(`Required field ${required} cannot be null`, { at });
    if (/integer overflow|cannot store REAL value in INTEGER/.test(message)) throw new SqlError('int64 overflow', { at });
    throw new SqlError(message, { at });
  }
}

/** Marks errors of a script and adds their position. */
export function toSqlError(error: unknown, text: string, isScript: boolean): unknown {
  if (!(error instanceof SqlError)) return error;
  const place = error.at === null ? '' : ` at ${placeOf(text, error.at)}`;
  return new SqlError(`${isScript ? 'Query error: ' : ''}${error.message}${place}`, { reason: error.reason });
}

function typeOf(statement: Statement): string {
  const types: Partial<Record<Statement['kind'], string>> = {
    query: 'SELECT',
    truncate: 'TRUNCATE_TABLE',
    alter: 'ALTER_TABLE',
    create: 'CREATE_TABLE_AS_SELECT',
  };
  return types[statement.kind] ?? statement.kind.toUpperCase();
}
