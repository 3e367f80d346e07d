import type pg from 'pg';
import { isConnectionLost } from '../database/connection-lost.js';

/** The queue retries errors with this code within seconds (serialization failure), and most others not at all. */
const RETRIED_BY_QUEUE = '40001';
/** Names of the queue's prepared statements by which a job ends. It does not wait for them: an error would end the process. */
const ENDS_JOB = /^(complete|fail)_job/;

/**
 * The pool as the queue gets it. A connection that is lost when a job ends is an error that the queue retries: the job would stay
 * locked by a worker that no longer works on it.
 */
export const queuePool = (pool: pg.Pool): pg.Pool =>
  new Proxy(pool, {
    get(target, property) {
      if (property === 'connect') return connectTo(target);
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** With a callback it is the queue's own listener, which reconnects automatically. */
const connectTo = (pool: pg.Pool) => (callback?: ConnectCallback) =>
  callback ? pool.connect(callback) : Promise.resolve(new QueueClient(pool));

/** Connects with its first statement, because only the statement says whether it may be retried. */
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
  Object.assign(new Error('The connection was lost when a job ended.', { cause }), { code: RETRIED_BY_QUEUE });
