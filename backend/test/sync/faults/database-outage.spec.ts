import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startTcpProxy, type TcpProxy } from '../../connectors/tcp-proxy.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { aConnection, anOrganization, eventually } from '../../factories.js';
import { Workers } from '../../workers.js';
import type { RunPage } from '../../../src/sync/api/runs.dto.js';

const CONNECTIONS = 8;
const CUTS = 3;
const AWAY_MS = 2_500;
const BETWEEN_CUTS_MS = 4_000;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let network: TcpProxy;
const workers = new Workers();

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
  const { hostname: host, port } = new URL(app.database.url);
  network = await startTcpProxy({ host, port: Number(port) });
});
afterAll(async () => {
  await workers.killAll();
  await app?.stop();
  await network?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

it('runs of a worker that loses its connections to the product database are resumed and succeed', async () => {
  const organization = await anOrganization(app);
  await sandbox.addFault({ fault: 'slow', delayMs: 300 });
  for (let count = 0; count < CONNECTIONS; count++) await aConnection(organization, warehouse, { historyDays: 200 });
  const throughFront = Object.assign(new URL(app.database.url), { hostname: '127.0.0.1', port: String(network.port) }).href;
  const worker = workers.start(app, { ...sandboxSettings(sandbox.url), DATABASE_URL: throughFront, LOG_LEVEL: 'fatal' });
  await eventually(
    () => app.database.query(`select 1 from run_slices where state = 'running'`),
    (found) => found.length > 3,
  );
  for (let cut = 0; cut < CUTS; cut++) {
    network.close();
    await pause(AWAY_MS);
    await network.open();
    await pause(BETWEEN_CUTS_MS);
  }
  await sandbox.clearFaults();
  const ended = await eventually(
    () => app.database.query<{ state: string; failure: unknown }>('select state, failure from runs'),
    (runs) => runs.every(({ state }) => !['queued', 'running', 'waiting', 'verifying'].includes(state)),
    150_000,
  );
  expect(ended).toEqual(Array.from({ length: CONNECTIONS }, () => ({ state: 'succeeded', failure: null })));
  const { body } = await organization.call.get<RunPage>(`${organization.path}/runs?limit=100`);
  expect(body.items.map(({ verify }) => verify)).toEqual(
    body.items.map(() => expect.objectContaining({ rows: true, cost: true })),
  );
  expect([worker.exitCode, worker.signalCode]).toEqual([null, null]);
});
