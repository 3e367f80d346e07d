import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { eventually, expectStatus, type Organization } from '../factories.js';
import { anOrder, ConversionScenario } from './scenario.js';

let sandbox: Sandbox;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});

const remove = async ({ call, path }: Organization) => expectStatus(await call.delete(`${path}?confirmName=Northwind`), 204);
const restore = async ({ call, path }: Organization) => expectStatus(await call.post(`${path}/restore`), 200);
const jobsOf = (id: string) => app.database.query('select from graphile_worker.jobs where key = $1', [`conversion:${id}`]);

it('a conversion with a manual schedule continues its attempts after its organization is restored', async () => {
  const scenario = await ConversionScenario.create(app, sandbox);
  await scenario.pushApp.push(anOrder({ orderId: 'restored-refund', refundOf: 'restored-order' }));
  const { id } = await scenario.conversion({ sendsAdjustments: true });
  await scenario.ran(id);
  expect(await scenario.detail(id, 'restored-refund')).toMatchObject({ state: 'retrying', code: 'waiting_for_original' });
  await scenario.planned(id);
  await remove(scenario.organization);
  await app.database.query('update graphile_worker._private_jobs set run_at = now() where key = $1', [`conversion:${id}`]);
  await eventually(() => jobsOf(id), ({ length }) => length === 0); // prettier-ignore
  await restore(scenario.organization);
  await scenario.planned(id);
});
