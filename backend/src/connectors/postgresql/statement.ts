import type pg from 'pg';

/** A statement and what it does. A run executes it, the test bench only shows it. */
export interface Statement {
  title: string;
  sql: string;
  values?: unknown[];
  /** COPY: receives the rows of the slice. */
  takesRows?: boolean;
}

export function execute<Result extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { sql, values }: Statement,
): Promise<pg.QueryResult<Result>> {
  return client.query<Result>(sql, values);
}
