import type pg from 'pg';

/** A statement and what it does. A run executes it, the test bench only shows it. */
export interface Statement {
  title: string;
  sql: string;
  values?: unknown[];
  /** COPY: receives the rows of the slice. */
  takesRows?: boolean;
}

interface Execution {
  /** How long the server may not answer, instead of the limit of the connection. */
  answerMs?: number;
}

export function execute<Result extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { sql, values }: Statement,
  { answerMs }: Execution = {},
): Promise<pg.QueryResult<Result>> {
  if (answerMs === undefined) return client.query<Result>(sql, values);
  // The types of pg lack the limit of a single query.
  const query: pg.QueryConfig = Object.assign({ text: sql, ...(values && { values }) }, { query_timeout: answerMs });
  return client.query<Result>(query);
}
