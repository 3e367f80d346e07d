import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { aConnection, anOrganization, eventually } from '../../factories.js';
import { tokenFor } from '../../http.js';
import { startSupervisedServer, type SupervisedServer } from '../../supervised-server.js';
import { Workers } from '../../workers.js';

const RECOVERY_MS = 30_000;
const CLIENTS = 4;
const CONNECTIONS = 2;

let sandbox: Sandbox;
let warehouse: Warehouse;
let server: SupervisedServer;
let app: TestApp;
const workers = new Workers();

beforeAll(async () => {
  [sandbox, warehouse, server] = await Promise.all([startSandbox(), startWarehouse(), startSupervisedServer()]);
  // Only the product's database is on the server that restarts.
  const common = process.env['TEST_DATABASE_URL'];
  process.env['TEST_DATABASE_URL'] = server.url;
  try {
    app = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
  } finally {
    process.env['TEST_DATABASE_URL'] = common;
  }
}, 90_000);
afterAll(async () => {
  await workers.killAll();
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop(), server?.stop()]);
});

it('the API and a worker recover within 30 seconds when PostgreSQL restarts under load', async () => {
  const organization = await anOrganization(app);
  await sandbox.addFault({ fault: 'slow', delayMs: 300 });
  for (let count = 0; count < CONNECTIONS; count++) await aConnection(organization, warehouse, { historyDays: 120 });
  const worker = workers.start(app, { ...sandboxSettings(sandbox.url), LOG_LEVEL: 'fatal' });
  const query = (text: string) => app.database.query<{ count: number }>(text).then(([row]) => row?.count ?? 0, () => 0); // prettier-ignore
  const loaded = () => query(`select count(*)::int as count from run_slices where state = 'done'`);
  await eventually(loaded, (count) => count > 0);

  const statuses: number[] = [];
  let isLoading = true;
  const load = Array.from({ length: CLIENTS }, async () => {
    while (isLoading) {
      const headers = { authorization: `Bearer ${tokenFor(organization.owner)}` };
      const { status } = await fetch(`${app.url}${organization.path}/connections`, { headers });
      statuses.push(status);
    }
  });
  await eventually(
    () => Promise.resolve(statuses.length),
    (count) => count > 20,
  );
  const before = await loaded();
  const restartedAt = performance.now();
  server.restart();
  await eventually(
    () => Promise.resolve(statuses.some((status) => status !== 200)),
    (hasFailed) => hasFailed,
  );
  await sandbox.clearFaults();
  await eventually(
    () => Promise.resolve(statuses.slice(-20).every((status) => status === 200)),
    (isHealthy) => isHealthy,
    RECOVERY_MS,
  );
  await eventually(loaded, (count) => count > before, RECOVERY_MS - (performance.now() - restartedAt));
  isLoading = false;
  await Promise.all(load);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);

  await eventually(() => query(`select count(*)::int as count from runs where state = 'succeeded'`), (count) => count === CONNECTIONS, 120_000); // prettier-ignore
  expect([worker.exitCode, worker.signalCode]).toEqual([null, null]);
  process.stdout.write(`${statuses.filter((status) => status !== 200).length} of ${statuses.length} requests failed\n`);
}, 300_000);
