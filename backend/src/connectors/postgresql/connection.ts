import { isIP } from 'node:net';
import pg from 'pg';
import { resolveAllowed, type EgressPolicy, withoutBrackets } from '../kit/egress.js';
import { isWithoutEncryption, toDestinationError } from './errors.js';
import type { PostgresqlSettings } from './settings.js';
import { type Limits, usualLimits } from './transaction.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Slices of several accounts and streams load side by side; a user's server has few connections to spare. */
const MAXIMUM_CONNECTIONS = 4;
const IDLE_TIMEOUT_MS = 30_000;
/** A network that is cut is noticed after about twice this: the system's own first question comes after two hours. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Connections to one destination, opened when first asked for. */
export class Database {
  readonly settings: PostgresqlSettings;
  readonly limits: Limits;
  private readonly egress: EgressPolicy;
  private pool: Promise<pg.Pool> | null = null;

  constructor(settings: PostgresqlSettings, egress: EgressPolicy, limits: Limits = usualLimits) {
    this.settings = settings;
    this.egress = egress;
    this.limits = limits;
  }

  /**
   * One connection for one piece of work. It is thrown away when the work fails, and with it its transaction, its locks and
   * its temporary tables. When the caller stops, its socket is closed at once: nothing waits for the server any more.
   */
  async use<Result>(signal: AbortSignal, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    try {
      return await this.lend(signal, work);
    } catch (error) {
      throw signal.aborted ? signal.reason : toDestinationError(error, this.settings);
    }
  }

  async close(): Promise<void> {
    const pool = await this.pool?.catch(() => null);
    this.pool = null;
    await pool?.end();
  }

  private async lend<Result>(signal: AbortSignal, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.connectUnless(signal);
    const forget = endOnAbort(client, signal);
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    } finally {
      forget();
    }
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

  private async openPool(): Promise<pg.Pool> {
    const client = await openClient(this.settings, this.egress, this.limits.answerMs);
    // Not waited for: its answer may never come.
    void client.end();
    const pool = new pg.Pool({
      ...toConfig(this.settings, client.address, client.isEncrypted, this.limits.answerMs),
      max: MAXIMUM_CONNECTIONS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
    });
    // A connection that the server ends fails its query, or is replaced if idle; without listeners it would end the process.
    pool.on('error', () => undefined);
    pool.on('connect', (connection) => connection.on('error', () => undefined));
    return pool;
  }
}

export interface OpenClient extends pg.Client {
  isEncrypted: boolean;
  /** What the host name stood for when it was looked up. */
  address: string;
}

/** Whatever the connection waits for ends with an error. The answer undoes it. */
export function endOnAbort(client: pg.Client, signal: AbortSignal): () => void {
  const end = () => void client.connection.stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', end);
  return () => signal.removeEventListener('abort', end);
}

/** A single connection, in the encryption the settings ask for; `prefer` goes on without it where the server has none. */
export async function openClient(settings: PostgresqlSettings, egress: EgressPolicy, answerMs: number): Promise<OpenClient> {
  const isEncrypted = settings.sslMode !== 'disable';
  const address = await resolveAllowed(settings.host, egress);
  try {
    return await connectOnce(toConfig(settings, address, isEncrypted, answerMs));
  } catch (error) {
    if (settings.sslMode !== 'prefer' || !isWithoutEncryption(error)) throw error;
    return connectOnce(toConfig(settings, address, false, answerMs));
  }
}

async function connectOnce(config: Config): Promise<OpenClient> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  return Object.assign(client, { isEncrypted: config.ssl !== false, address: config.host });
}

type Config = pg.ClientConfig & { host: string };

function toConfig(settings: PostgresqlSettings, address: string, isEncrypted: boolean, answerMs: number): Config {
  const { host, port, database, user, password } = settings;
  return {
    host: address,
    port,
    database,
    user,
    password,
    // The certificate is of the name, not of the address.
    ssl: isEncrypted
      ? { rejectUnauthorized: settings.sslMode === 'verify-full', ...(isIP(withoutBrackets(host)) ? {} : { servername: host }) }
      : false,
    application_name: 'tributary',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    query_timeout: answerMs,
  };
}
