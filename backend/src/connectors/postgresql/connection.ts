import { isIP } from 'node:net';
import pg from 'pg';
import { resolveAllowed, type EgressPolicy, withoutBrackets } from '../kit/egress.js';
import type { PostgresqlSettings } from './settings.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Slices of several accounts and streams load side by side; a user's server has few connections to spare. */
const MAXIMUM_CONNECTIONS = 4;
const IDLE_TIMEOUT_MS = 30_000;

/** Connections to one destination, opened when first asked for. */
export class Database {
  readonly settings: PostgresqlSettings;
  private readonly egress: EgressPolicy;
  private pool: Promise<pg.Pool> | null = null;

  constructor(settings: PostgresqlSettings, egress: EgressPolicy) {
    this.settings = settings;
    this.egress = egress;
  }

  async connect(): Promise<pg.PoolClient> {
    this.pool ??= this.openPool();
    // A server that was away may be back: the next call starts anew.
    const pool = await this.pool.catch((error: unknown) => {
      this.pool = null;
      throw error;
    });
    return pool.connect();
  }

  /** One query on a connection of its own choosing. */
  async query<Result extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<Result[]> {
    const client = await this.connect();
    try {
      const { rows } = await client.query<Result>(sql, parameters);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async close(): Promise<void> {
    const pool = await this.pool?.catch(() => null);
    this.pool = null;
    await pool?.end();
  }

  private async openPool(): Promise<pg.Pool> {
    const client = await openClient(this.settings, this.egress);
    await client.end();
    const pool = new pg.Pool({
      ...toConfig(this.settings, client.address, client.isEncrypted),
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

/** A single connection, in the encryption the settings ask for; `prefer` goes on without it where the server has none. */
export async function openClient(settings: PostgresqlSettings, egress: EgressPolicy): Promise<OpenClient> {
  const isEncrypted = settings.sslMode !== 'disable';
  const address = await resolveAllowed(settings.host, egress);
  try {
    return await connectOnce(settings, address, isEncrypted);
  } catch (error) {
    if (settings.sslMode !== 'prefer' || !isWithoutEncryption(error)) throw error;
    return connectOnce(settings, address, false);
  }
}

async function connectOnce(settings: PostgresqlSettings, address: string, isEncrypted: boolean): Promise<OpenClient> {
  const client = new pg.Client(toConfig(settings, address, isEncrypted));
  client.on('error', () => undefined);
  await client.connect();
  return Object.assign(client, { isEncrypted, address });
}

/** pg says this in words only. */
export function isWithoutEncryption(error: unknown): boolean {
  return error instanceof Error && error.message.includes('does not support SSL');
}

function toConfig(settings: PostgresqlSettings, address: string, isEncrypted: boolean): pg.ClientConfig {
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
  };
}
