import type pg from 'pg';

/** How long a destination is waited for; what takes longer is tried again later, by a run that is told why. */
export interface Limits {
  /** For what another load holds: a day, a row, the run. */
  lockMs: number;
  /** For a table that has to be changed: all who want to read it queue up behind whoever waits for it. */
  tableLockMs: number;
  /** One statement, at the server. */
  statementMs: number;
  /** Between two commands of a transaction: a worker that is frozen loses it to the server, so that its successor need not wait. */
  idleMs: number;
  /** For a server that says nothing; longer than it may work on a statement. */
  answerMs: number;
  /** After this time without a response the server's liveness is checked; default 15 seconds. */
  silentMs?: number;
}

export const usualLimits: Limits = {
  lockMs: 60_000,
  tableLockMs: 1_000,
  statementMs: 300_000,
  idleMs: 15_000,
  answerMs: 330_000,
};

/**
 * The server keeps the limits too: it goes on working for a client that has gone away. They hold in the transaction alone,
 * so that a connection that a pooler passes on takes none of them along. One that fails is not rolled back: its connection ends.
 */
export async function inTransaction<Result>(
  client: pg.ClientBase,
  limits: Pick<Limits, 'lockMs' | 'statementMs' | 'idleMs'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN');
  await client.query(
    `SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
            set_config('idle_in_transaction_session_timeout', $3, true)`,
    [`${limits.lockMs}ms`, `${limits.statementMs}ms`, `${limits.idleMs}ms`],
  );
  const result = await work();
  await client.query('COMMIT');
  return result;
}
