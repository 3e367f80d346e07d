import pg from 'pg';
import { resolveAllowed, type EgressPolicy } from '../../kit/egress.js';
import { toDestinationError } from '../errors.js';
import type { PostgresqlSettings } from '../settings.js';
import { type Encryption, GuardedSocket, type Place } from './socket.js';
import { type SharedPool, takePool } from './pools.js';
import { type SilenceWatch, watchSilence } from './liveness.js';
import { type Limits, usualLimits } from './transaction.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** After this long without a response, a second connection checks within the connect timeout whether the server is alive. */
const SILENT_MS = 15_000;
/** A lost network is detected after about twice this time. The operating system's default is two hours. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Connections to one destination, opened on first use. */
export class Database {
  readonly settings: PostgresqlSettings;
  readonly limits: Limits;
  private readonly egress: EgressPolicy;
  private pool: Promise<SharedPool> | null = null;
  private place: Place | null = null;

  constructor(settings: PostgresqlSettings, egress: EgressPolicy, limits: Limits = usualLimits) {
    this.settings = settings;
    this.egress = egress;
    this.limits = limits;
  }

  /**
   * Runs `work` on one connection. If it fails, the connection is closed, which also ends its transaction, locks and temporary
   * tables. If the caller aborts, its socket is closed immediately. `table` is used in error messages.
   */
  async use<Result>(signal: AbortSignal, work: (client: pg.PoolClient) => Promise<Result>, table?: string): Promise<Result> {
    try {
      return await this.lend(signal, work);
    } catch (error) {
      throw signal.aborted ? signal.reason : toDestinationError(error, { ...this.settings, table });
    }
  }

  /**
   * Like `use`, for results that are handed out during the work. The connection is closed at the end, because statements of the user
   * can change its session. Errors are not translated.
   */
  async *stream<Result>(signal: AbortSignal, work: (client: pg.PoolClient) => AsyncGenerator<Result>): AsyncGenerator<Result> {
    const client = await this.connectUnless(signal);
    const forget = endOnAbort(client, signal);
    const watch = this.watch(client);
    try {
      yield* work(client);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      watch?.end();
      forget();
      client.release(true);
    }
  }

  async close(): Promise<void> {
    const pool = await this.pool?.catch(() => null);
    this.pool = null;
    pool?.release();
  }

  private async lend<Result>(signal: AbortSignal, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.connectUnless(signal);
    const forget = endOnAbort(client, signal);
    const watch = this.watch(client);
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    } finally {
      watch?.end();
      forget();
    }
  }

  private watch(client: pg.PoolClient): SilenceWatch | null {
    const { stream } = client.connection;
    if (!this.place || !(stream instanceof GuardedSocket)) return null;
    const silentMs = this.limits.silentMs ?? SILENT_MS;
    return watchSilence(stream, this.place, { silentMs, answerMs: Math.min(CONNECT_TIMEOUT_MS, silentMs) });
  }

  /** If the caller aborts first, the connection returns to the pool. */
  private connectUnless(signal: AbortSignal): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop);
      this.connect()
        .then((client) => (signal.aborted ? client.release() : resolve(client)), reject)
        .finally(() => signal.removeEventListener('abort', stop));
    });
  }

  private async connect(): Promise<pg.PoolClient> {
    this.pool ??= this.openPool();
    // The server may be available again, so the next call opens a new pool.
    const pool = await this.pool.catch((error: unknown) => {
      this.pool = null;
      throw error;
    });
    return pool.connect();
  }

  /** The host is resolved and checked again for every run. Sessions with the same address, user and database are shared. */
  private async openPool(): Promise<SharedPool> {
    const { settings } = this;
    const place = await findPlace(settings, this.egress);
    this.place = place;
    const { database, user, password, sslMode } = settings;
    const { answerMs, answerBytes } = this.limits;
    const key = JSON.stringify([place, database, user, password, sslMode, answerMs, answerBytes]);
    return takePool(key, {
      ...toConfig(settings, place, answerMs),
      stream: () => new GuardedSocket(place, encryptionOf[sslMode], { isPerStatement: true, limitBytes: answerBytes }),
    });
  }
}

/** The host's address, resolved and checked against the egress policy. */
export async function findPlace({ host, port }: PostgresqlSettings, egress: EgressPolicy, signal?: AbortSignal): Promise<Place> {
  return { host, port, address: await resolveAllowed(host, egress, signal) };
}

const encryptionOf: Record<PostgresqlSettings['sslMode'], Encryption> = {
  // Replaced before settings are saved. Until then, nothing is sent unencrypted.
  automatic: 'demanded',
  'verify-full': 'verified',
  require: 'demanded',
  prefer: 'preferred',
  disable: 'none',
};

/** Aborts whatever the connection waits for. Returns a function that removes the listener. */
export function endOnAbort(client: pg.Client, signal: AbortSignal): () => void {
  const end = () => void client.connection.stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', end);
  return () => signal.removeEventListener('abort', end);
}

/** Result of a sign-in attempt, and whether the connection was encrypted; null: encryption was not reached. */
export type SignIn = { isEncrypted: boolean | null } & ({ client: pg.Client } | { error: unknown });

/** A single connection for a check. It ends with the signal, and the limit applies to all its answers together. */
export async function signIn(
  settings: PostgresqlSettings,
  place: Place,
  { answerMs, signal }: { answerMs: number; signal: AbortSignal },
): Promise<SignIn> {
  const stream = new GuardedSocket(place, encryptionOf[settings.sslMode], { isPerStatement: false });
  const client = new pg.Client({ ...toConfig(settings, place, answerMs), stream: () => stream });
  client.on('error', () => undefined);
  endOnAbort(client, signal);
  try {
    signal.throwIfAborted();
    await client.connect();
    return { client, isEncrypted: stream.isEncrypted };
  } catch (error) {
    stream.destroy();
    return { error, isEncrypted: stream.isEncrypted };
  }
}

function toConfig({ database, user, password }: PostgresqlSettings, { address, port }: Place, answerMs: number): pg.ClientConfig {
  return {
    host: address,
    port,
    database,
    user,
    password,
    // GuardedSocket encrypts before pg starts.
    ssl: false,
    application_name: 'tributary',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    query_timeout: answerMs,
  };
}
