import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../tools/ports.ts';
import { startPostgres } from '../../tools/postgres/start-postgres.ts';
import { createOrganization } from '../bench/api-data.ts';
import { startIdentity } from '../bench/identity.ts';
import { callerOf } from '../bench/run-data.ts';
import { FIREBASE_PROJECT_ID, sandboxSettings, testSettings } from '../test/settings.js';
import { startCommitProxy } from './commit-proxy.js';
import { Processes } from './processes.js';
import { type Scene, until } from './scene.js';

const WORKERS = Number(process.env['WORKERS'] ?? 3);
const START_TIMEOUT_MS = 60_000;
const SERVER = { fsync: 'off', max_connections: '120', shared_buffers: '64MB' };

export async function startScene(): Promise<Scene> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-drill-'));
  chmodSync(folder, 0o755);
  const cleanUps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  };
  try {
    return await build(folder, cleanUps, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(folder: string, cleanUps: (() => unknown)[], stop: () => Promise<void>): Promise<Scene> {
  const options = { dataDir: path.join(folder, 'own'), port: await findFreePort(), databases: ['tributary'], settings: SERVER };
  let server = await startPostgres(options);
  cleanUps.push(() => server.stop());
  const warehouse = await startPostgres({ dataDir: path.join(folder, 'warehouse'), databases: ['warehouse'], settings: SERVER });
  cleanUps.push(() => warehouse.stop());
  const databaseProxy = await startCommitProxy({ host: '127.0.0.1', port: server.port });
  const warehouseProxy = await startCommitProxy({ host: '127.0.0.1', port: warehouse.port });
  cleanUps.push(() => databaseProxy.stop(), () => warehouseProxy.stop()); // prettier-ignore
  const processes = new Processes();
  cleanUps.push(() => processes.stopAll());

  const sandboxUrl = await processes.startSandbox();
  const directUrl = server.url('tributary');
  const proxiedUrl = Object.assign(new URL(directUrl), { port: String(databaseProxy.port) }).href;
  const settingsOf = (role: string, url: string, port = '0') =>
    testSettings(url, { ROLE: role, PORT: port, HOST: '127.0.0.1', LOG_LEVEL: 'fatal', ...sandboxSettings(sandboxUrl) });
  await processes.migrate(settingsOf('api', directUrl));
  const port = String(await findFreePort());
  processes.startProduct(settingsOf('api', directUrl, port));
  const url = `http://127.0.0.1:${port}`;
  await until('the API started', () => fetch(`${url}/readyz`).then(({ ok }) => ok, () => false)); // prettier-ignore

  const [ownPool, warehousePool] = [poolOf(directUrl), poolOf(warehouse.url('warehouse'))];
  cleanUps.push(() => Promise.all([ownPool.end(), warehousePool.end()]));
  const query: Scene['query'] = async (text, parameters) => (await retried(() => ownPool.query(text, parameters))).rows;
  const { call, organizationId } = await signUp(url);
  const { username: user, password } = new URL(warehouse.url('warehouse'));
  const workers: ChildProcess[] = [];
  const scene: Scene = {
    organizationId,
    call,
    admin: (adminPath, body) => callAdmin(sandboxUrl, adminPath, body),
    clearFaults: async () => void (await fetch(`${sandboxUrl}/admin/faults`, { method: 'DELETE' })),
    query,
    queryWarehouse: async (text, parameters) => (await warehousePool.query(text, parameters)).rows,
    warehouse: { host: '127.0.0.1', port: warehouseProxy.port, database: 'warehouse', user, password },
    databaseProxy,
    warehouseProxy,
    restartDatabase: async () => {
      await server.stop();
      server = await startPostgres(options);
    },
    workers,
    startWorker: async () => {
      const worker = processes.startProduct({ ...settingsOf('worker', proxiedUrl), WORKER_CONCURRENCY: '3' });
      workers.push(worker);
      const isKnown = () => query('select 1 from workers where description like $1', [`% pid ${worker.pid}`]);
      await until('a worker started', async () => (await isKnown()).length > 0);
    },
    killWorker: async (worker) => {
      workers.splice(workers.indexOf(worker), 1);
      await processes.kill(worker);
    },
    stop,
  };
  await Promise.all(Array.from({ length: WORKERS }, () => scene.startWorker()));
  return scene;
}

/** An organization and a caller with the token of its owner. */
async function signUp(url: string): Promise<Pick<Scene, 'call' | 'organizationId'>> {
  const identity = await startIdentity(FIREBASE_PROJECT_ID);
  identity.server.close();
  const client = { url, token: identity.token };
  const organizationId = await createOrganization(client, identity);
  return { organizationId, call: callerOf(client, `/api/v1/organizations/${organizationId}`) };
}

function poolOf(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The drill restarts the database that it reads from. */
async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const { code = '' } = error as { code?: string };
      const isDown = /^(57P0|08|ECONN)/.test(code) || /terminated/.test((error as Error).message);
      if (!isDown || Date.now() > deadline) throw error;
      await wait(100);
    }
  }
}

async function callAdmin<Body>(url: string, adminPath: string, body?: object): Promise<Body> {
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(`${url}/admin/${adminPath}`, init);
  if (!answer.ok) throw new Error(`${adminPath}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}
