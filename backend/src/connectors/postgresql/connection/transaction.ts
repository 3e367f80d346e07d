import type pg from 'pg';
import { execute, type Statement } from '../statement.js';

/** Time limits for a destination. A run that exceeds one is retried later with the reason. */
export interface Limits {
  /** Wait for locks of another load: a day, a row, the run. */
  lockMs: number;
  /** Wait for a table that must be changed. All readers queue behind this wait. */
  tableLockMs: number;
  /** One statement at the server. */
  statementMs: number;
  /** One statement that copies rows or creates an index of a table that is replaced. Other loads of the table wait for it. */
  completionMs: number;
  /**
   * Between two commands of a transaction. The server ends the transaction of a frozen worker, so that the next worker need not
   * wait.
   */
  idleMs: number;
  /** Wait for a server that does not respond; longer than its statement limit. */
  answerMs: number;
  /** After this time without a response, the server's liveness is checked. Default: 15 seconds. */
  silentMs?: number;
  /** Maximum size of one answer. Default: 1 MB. */
  answerBytes?: number;
}

export const usualLimits: Limits = {
  lockMs: 60_000,
  tableLockMs: 1_000,
  statementMs: 300_000,
  completionMs: 1_800_000,
  idleMs: 15_000,
  answerMs: 330_000,
};

export const BEGIN: Statement = { title: 'Begin the transaction', sql: 'BEGIN' };
export const COMMIT: Statement = { title: 'Commit the transaction', sql: 'COMMIT' };

type TransactionLimits = Pick<Limits, 'lockMs' | 'statementMs' | 'idleMs'>;

/**
 * The server enforces the limits too, because it continues working for a disconnected client. They apply only to the transaction,
 * so that a pooled connection does not keep them. A failed transaction is not rolled back: its connection is closed.
 */
export async function inTransaction<Result>(
  client: pg.ClientBase,
  limits: TransactionLimits,
  work: () => Promise<Result>,
): Promise<Result> {
  await execute(client, BEGIN);
  await execute(client, limitStatement(limits));
  const result = await work();
  await execute(client, COMMIT);
  return result;
}

/** The same transaction as a list of statements. */
export function transactionOf(limits: TransactionLimits, statements: Statement[]): Statement[] {
  return [BEGIN, limitStatement(limits), ...statements, COMMIT];
}

/** For reads that must not change anything, whatever they are. */
export async function inReadOnlyTransaction<Result>(
  client: pg.ClientBase,
  limits: TransactionLimits,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN READ ONLY');
  await execute(client, limitStatement(limits));
  const result = await work();
  await execute(client, COMMIT);
  return result;
}

/** Sets another limit for the following statements of the transaction. */
export const statementLimit = (statementMs: number): Statement => ({
  title: 'Set the time limit of a statement',
  sql: `SELECT set_config('statement_timeout', $1, true)`,
  values: [`${statementMs}ms`],
});

/** Notices of a user's triggers, one for each row, would exceed the maximum size of an answer. */
function limitStatement({ lockMs, statementMs, idleMs }: TransactionLimits): Statement {
  return {
    title: 'Set the time limits of the transaction, and receive no notices',
    sql: `SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
            set_config('idle_in_transaction_session_timeout', $3, true), set_config('client_min_messages', 'error', true)`,
    values: [`${lockMs}ms`, `${statementMs}ms`, `${idleMs}ms`],
  };
}
