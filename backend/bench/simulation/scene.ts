import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../../tools/ports.ts';
import { type Postgres, startPostgres } from '../../../tools/postgres/start-postgres.ts';
import type { Login } from '../engine.ts';
import { type Identity, startIdentity } from '../identity.ts';
import { type Environment, Processes } from '../processes.ts';
import { PROJECT_ID, sandboxSettings, startApi, startProduct, startWorker } from '../product.ts';
import { settings } from './settings.ts';

/** The default of PostgreSQL, with which the number of used connections is compared. */
export const MAX_CONNECTIONS = 100;
const OWN_SERVER = {
  max_connections: String(MAX_CONNECTIONS),
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  fsync: 'off',
  shared_preload_libraries: 'pg_stat_statements',
};
const WAREHOUSE_SERVER = { max_connections: '200', shared_buffers: '128MB', max_wal_size: '4GB', fsync: 'off' };

/** The longest statement analyzes all tables of the destination. */
const TIMEOUTS = { connectionTimeoutMillis: 30_000, statement_timeout: 300_000 };

export interface Scene {
  identity: Identity;
  /** The product's database and the destination of all connections, on two servers. */
  server: Postgres;
  warehouse: Postgres;
  database: pg.Pool;
  warehouseDatabase: pg.Pool;
  login: Login;
  sandboxPid: number;
  apis: { url: string; pid: number }[];
  startWorkers(): number[];
}

/** What ends the parts of the scene, newest last. */
export type CleanUps = (() => unknown)[];

export async function startScene(cleanUps: CleanUps): Promise<Scene> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-simulation-'));
  chmodSync(folder, 0o755);
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const start = async (name: string, serverSettings: Record<string, string>) => {
    const started = await startPostgres({ dataDir: path.join(folder, name), databases: [name], settings: serverSettings });
    cleanUps.push(() => started.stop());
    const pool = new pg.Pool({ connectionString: started.url(name), max: 4, ...TIMEOUTS });
    pool.on('error', () => undefined);
    return { started, pool };
  };
  const own = await start('tributary', OWN_SERVER);
  const warehouse = await start('warehouse', WAREHOUSE_SERVER);
  const processes = new Processes();
  cleanUps.push(() => processes.stop());
  cleanUps.push(() => Promise.all([own.pool.end(), warehouse.pool.end()]));
  const identity = await startIdentity(PROJECT_ID);
  cleanUps.push(() => identity.server.close());
  const sandbox = await processes.startServer('../../sandbox/src/main.ts', { SANDBOX_PORT: '0' });
  const { apis, environment } = await startApis(processes, own.started.url('tributary'), simulationSettings(sandbox.url));
  const { hostname: host, port, username: user, password } = new URL(warehouse.started.url('warehouse'));
  return {
    identity,
    server: own.started,
    warehouse: warehouse.started,
    database: own.pool,
    warehouseDatabase: warehouse.pool,
    login: { host, port: Number(port), database: 'warehouse', user, password },
    sandboxPid: sandbox.pid,
    apis,
    startWorkers: () => Array.from({ length: settings.workers }, () => startWorker(processes, environment)),
  };
}

async function startApis(processes: Processes, databaseUrl: string, overrides: Environment) {
  const first = await startProduct(processes, databaseUrl, overrides);
  const apis = [{ url: first.url, pid: first.pid }];
  while (apis.length < settings.apis) {
    const port = String(await findFreePort());
    apis.push(await startApi(processes, first.environment, port));
  }
  return { apis, environment: first.environment };
}

const simulationSettings = (sandboxUrl: string): Environment => ({
  ...sandboxSettings(sandboxUrl),
  ORGANIZATIONS_PER_PERSON: String(settings.organizations),
  LOG_LEVEL: 'error',
});
