import type pg from 'pg';

/** Time limits for a destination. A run that exceeds one is retried later with the reason. */
export interface Limits {
  /** Wait for locks of another load: a day, a row, the run. */
  lockMs: number;
  /** Wait for a table that must be changed. All readers queue behind this wait. */
  tableLockMs: number;
  /** One statement at the server. */
  statementMs: number;
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
  idleMs: 15_000,
  answerMs: 330_000,
};

/**
 * The server enforces the limits too, because it continues working for a disconnected client. They apply only to the transaction,
 * so that a pooled connection does not keep them. A failed transaction is not rolled back: its connection is closed.
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
