import pg from 'pg';

type Query = (...given: unknown[]) => unknown;

/** Limit of a new connection, and of the statements that prepare its session. Through a pooler, these may wait longer. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** The error of pg has no code. */
const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';

/**
 * A connection that ends when a statement gets no response in time (`query_timeout`). The server may have disappeared, and pg would send
 * the next statement, such as a rollback, only after the response.
 */
export class LimitedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    // Not an option of the pool, where it would also limit the wait for a free connection.
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    const send = this.query.bind(this) as Query;
    this.query = ((...given: unknown[]) => {
      const answer = send(...given);
      // Statements with a callback come from the pool, which closes the connection after an error.
      if (answer instanceof Promise) answer.catch((error: unknown) => isTimeout(error) && void this.end());
      return answer;
    }) as typeof this.query;
  }
}
