import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { PostgresqlSettings } from '../../src/connectors/postgresql/settings.js';
import { startOwnServer } from '../own-server.js';

/** A PostgreSQL as the user's destination: an empty database for each test file. */
export interface Warehouse {
  settings: PostgresqlSettings;
  query<Result extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<Result[]>;
  stop(): Promise<void>;
}

export async function startWarehouse(): Promise<Warehouse> {
  const server = await findServer();
  const name = `warehouse_${randomBytes(5).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server.url);
  const settings: PostgresqlSettings = {
    host: url.hostname,
    port: Number(url.port),
    database: name,
    schema: 'public',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    sslMode: 'prefer',
    tablePrefix: '',
  };
  const client = new pg.Client({ ...settings, ssl: false });
  await client.connect();
  return {
    settings,
    query: async (sql, parameters) => (await client.query(sql, parameters)).rows,
    stop: async () => {
      await client.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
      await server.stop();
    },
  };
}

/** The server of the whole test run, or one for this test file. */
async function findServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, stop: async () => undefined };
  return startOwnServer();
}

/** The test server is on this machine, which counts as the operator's own network. */
export const ownNetwork = { allowed: ['127.0.0.0/8', '::1/128'] };
