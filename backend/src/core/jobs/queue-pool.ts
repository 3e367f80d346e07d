import type pg from 'pg';
import { isConnectionLost } from '../database/connection-lost.js';
import type { IdlePolls } from './idle-polls.js';
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
 * @param idle of the slots that use the pool
 */
export const queuePool = (pool: pg.Pool, sessions: pg.Pool, length: Readonly<QueueLength>, idle?: IdlePolls): pg.Pool =>
  new Proxy(pool, {
    get(target, property) {
      if (property === 'connect') return connectTo(target, sessions, length, idle);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** Calls with a callback come from the queue's listener, which reconnects automatically. */
const connectTo =
  (pool: pg.Pool, sessions: pg.Pool, length: Readonly<QueueLength>, idle: IdlePolls | undefined) =>
  (callback?: ConnectCallback) =>
    callback ? sessions.connect(callback) : Promise.resolve(new QueueClient(pool, length, idle));

/** Connects with its first statement, because the statement determines whether a retry is safe. */
class QueueClient {
  private client: pg.PoolClient | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly length: Readonly<QueueLength>,
    private readonly idle: IdlePolls | undefined,
  ) {}

  async query(statement: pg.QueryConfig | string, values?: unknown[]): Promise<pg.QueryResult> {
    const name = typeof statement === 'string' ? undefined : statement.name;
    if (typeof statement !== 'string' && name !== undefined && SELECTS_JOB.test(name)) {
      const select = () => this.send(this.length.isLong ? { ...statement, name: undefined } : statement, values);
      return this.idle ? this.idle.selectJob(select) : select();
    }
    try {
      return await this.send(statement, values);
    } catch (error) {
      throw name && ENDS_JOB.test(name) && isConnectionLost(error) ? retried(error) : error;
    }
  }

  private async send(statement: pg.QueryConfig | string, values?: unknown[]): Promise<pg.QueryResult> {
    this.client ??= await this.pool.connect();
    return this.client.query(statement, values);
  }

  release(error?: Error | boolean): void {
    this.client?.release(error);
  }
}

const retried = (cause: unknown): Error =>
  Object.assign(new Error('The database connection was lost while a job completed.', { cause }), { code: RETRIED_BY_QUEUE });
