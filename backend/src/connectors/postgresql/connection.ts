import pg from 'pg';
import { resolveAllowed, type EgressPolicy } from '../kit/egress.js';
import { toDestinationError } from './errors.js';
import type { PostgresqlSettings } from './settings.js';
import { type Encryption, GuardedSocket, type Place } from './socket.js';
import { type SharedPool, takePool } from './pools.js';
import { type SilenceWatch, watchSilence } from './liveness.js';
import { type Limits, usualLimits } from './transaction.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** After this long without a response, a second connection checks whether the server is alive, within the connect timeout. */
const SILENT_MS = 15_000;
/** A network that is cut is noticed after about twice this: the system's own first question comes after two hours. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Connections to one destination, opened when first asked for. */
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
   * One connection for one piece of work. It is thrown away when the work fails, and with it its transaction, its locks and
   * its temporary tables. When the caller stops, its socket is closed at once: nothing waits for the server any more.
   * `table` is named in errors.
   */
  async use<Result>(signal: AbortSignal, work: (client: pg.PoolClient) => Promise<Result>, table?: string): Promise<Result> {
    try {
      return await this.lend(signal, work);
    } catch (error) {
      throw signal.aborted ? signal.reason : toDestinationError(error, { ...this.settings, table });
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

  /** A connection that comes after the caller has stopped goes back to the pool. */
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
    // A server that was away may be back: the next call starts anew.
    const pool = await this.pool.catch((error: unknown) => {
      this.pool = null;
      throw error;
    });
    return pool.connect();
  }

  /** The host is resolved and checked again for every run; sessions of the same address, user and database are shared. */
  private async openPool(): Promise<SharedPool> {
    const { settings } = this;
    const place = await findPlace(settings, this.egress);
    this.place = place;
    const { database, user, password, sslMode } = settings;
    const { answerMs } = this.limits;
    const key = JSON.stringify([place, database, user, password, sslMode, answerMs]);
    return takePool(key, {
      ...toConfig(settings, place, answerMs),
      stream: () => new GuardedSocket(place, encryptionOf[sslMode], { isPerStatement: true }),
    });
  }
}

/** The host's address, resolved and checked now where users may name the host. */
export async function findPlace({ host, port }: PostgresqlSettings, egress: EgressPolicy): Promise<Place> {
  return { host, port, address: await resolveAllowed(host, egress) };
}

const encryptionOf: Record<PostgresqlSettings['sslMode'], Encryption> = {
  // Settled before anything is saved; until then it is the one that sends nothing unencrypted.
  automatic: 'demanded',
  'verify-full': 'verified',
  require: 'demanded',
  prefer: 'preferred',
  disable: 'none',
};

/** Whatever the connection waits for ends with an error. The answer undoes it. */
export function endOnAbort(client: pg.Client, signal: AbortSignal): () => void {
  const end = () => void client.connection.stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', end);
  return () => signal.removeEventListener('abort', end);
}

/** How an attempt to sign in ended, and whether the connection was encrypted by then; null: it did not get that far. */
export type SignIn = { isEncrypted: boolean | null } & ({ client: pg.Client } | { error: unknown });

/** A single connection for a check: it ends with the signal, and reads no more than the limit in all. */
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
    // Its socket encrypts, before pg begins.
    ssl: false,
    application_name: 'tributary',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    query_timeout: answerMs,
  };
}
