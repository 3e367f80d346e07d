import type pg from 'pg';
import { isConnectionLost } from '../database/connection-lost.js';

/** The queue retries errors with this code (serialization failure) within seconds. It does not retry most other errors. */
const RETRIED_BY_QUEUE = '40001';
/**
 * Names of the queue's prepared statements that complete a job. The queue does not await them: an error would end the process.
 */
const ENDS_JOB = /^(complete|fail)_job/;

/**
 * Wraps the pool for the queue. A connection that is lost while a job completes becomes an error that the queue retries. Without
 * the retry, the job stays locked by a worker that no longer executes it.
 * @param sessions for the queue's listener
 */
export const queuePool = (pool: pg.Pool, sessions: pg.Pool): pg.Pool =>
  new Proxy(pool, {
    get(target, property) {
      if (property === 'connect') return connectTo(target, sessions);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** Calls with a callback come from the queue's listener, which reconnects automatically. */
const connectTo = (pool: pg.Pool, sessions: pg.Pool) => (callback?: ConnectCallback) =>
  callback ? sessions.connect(callback) : Promise.resolve(new QueueClient(pool));

/** Connects with its first statement, because the statement determines whether a retry is safe. */
class QueueClient {
  private client: pg.PoolClient | undefined;

  constructor(private readonly pool: pg.Pool) {}

  async query(...given: [pg.QueryConfig | string, unknown[]?]): Promise<pg.QueryResult> {
    try {
      this.client ??= await this.pool.connect();
      return await this.client.query(...(given as [pg.QueryConfig]));
    } catch (error) {
      const [statement] = given;
      const name = typeof statement === 'string' ? undefined : statement.name;
      throw name && ENDS_JOB.test(name) && isConnectionLost(error) ? retried(error) : error;
    }
  }

  release(error?: Error | boolean): void {
    this.client?.release(error);
  }
}

const retried = (cause: unknown): Error =>
  Object.assign(new Error('The database connection was lost while a job completed.', { cause }), { code: RETRIED_BY_QUEUE });
