import type pg from 'pg';
import { isConnectionLost } from '../database/connection-lost.js';
import type { QueueLength } from './queue-length.js';

/** The queue retries errors with this code (serialization failure) within seconds. It does not retry most other errors. */
const RETRIED_BY_QUEUE = '40001';
/**
 * Names of the queue's prepared statements that complete a job. The queue does not await them: an error would end the process.
 */
const ENDS_JOB = /^(complete|fail)_job/;
/** Name of the queue's prepared statement that selects the next job. */
const SELECTS_JOB = /^get_job/;

/**
 * Wraps the pool for the queue. A connection that is lost while a job completes becomes an error that the queue retries. Without
 * the retry, the job stays locked by a worker that no longer executes it.
 * @param sessions for the queue's listener
 * @param length while the queue is long, the selection of a job is not a prepared statement
 */
export const queuePool = (pool: pg.Pool, sessions: pg.Pool, length: Readonly<QueueLength>): pg.Pool =>
  new Proxy(pool, {
    get(target, property) {
      if (property === 'connect') return connectTo(target, sessions, length);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** Calls with a callback come from the queue's listener, which reconnects automatically. */
const connectTo = (pool: pg.Pool, sessions: pg.Pool, length: Readonly<QueueLength>) => (callback?: ConnectCallback) =>
  callback ? sessions.connect(callback) : Promise.resolve(new QueueClient(pool, length));

/** Connects with its first statement, because the statement determines whether a retry is safe. */
class QueueClient {
  private client: pg.PoolClient | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly length: Readonly<QueueLength>,
  ) {}

  async query(statement: pg.QueryConfig | string, values?: unknown[]): Promise<pg.QueryResult> {
    const name = typeof statement === 'string' ? undefined : statement.name;
    const isPlanned = this.length.isLong && name !== undefined && SELECTS_JOB.test(name);
    try {
      this.client ??= await this.pool.connect();
      return await this.client.query(isPlanned ? { ...(statement as pg.QueryConfig), name: undefined } : statement, values);
    } catch (error) {
      throw name && ENDS_JOB.test(name) && isConnectionLost(error) ? retried(error) : error;
    }
  }

  release(error?: Error | boolean): void {
    this.client?.release(error);
  }
}

const retried = (cause: unknown): Error =>
  Object.assign(new Error('The database connection was lost while a job completed.', { cause }), { code: RETRIED_BY_QUEUE });
