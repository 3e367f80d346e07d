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

it('a run sends no further events after its organization was deleted, and the next run sends them after it is restored', async () => {
  const scenario = await ConversionScenario.create(app, sandbox);
  const target = await scenario.target('meta_ads', '310000000000011', 'dataset');
  // One more than Meta takes in one request.
  await scenario.pushApp.push(Array.from({ length: 1_000 }, () => anOrder()));
  await scenario.pushApp.push(anOrder());
  await sandbox.addFault({ provider: 'meta-ads', fault: 'hold' });
  const { id } = await scenario.conversion({}, { target });
  const states = async () =>
    Object.fromEntries(
      (
        await app.database.query<{ state: string; events: number }>(
          'select state, count(*)::int as events from conversion_events where conversion_id = $1 group by state',
          [id],
        )
      ).map(({ state, events }) => [state, events]),
    );
  await eventually(states, ({ sent }) => sent === 1_000);
  await remove(scenario.organization);
  await sandbox.clearFaults();
  await eventually(
    () => app.database.query<{ state: string }>('select state from conversion_runs where conversion_id = $1', [id]),
    (runs) => runs.every(({ state }) => state !== 'running'),
  );
  await eventually(() => jobsOf(id), ({ length }) => length === 0); // prettier-ignore
  expect(await states()).toEqual({ accepted: 1_000, queued: 1 });
  await restore(scenario.organization);
  await eventually(states, ({ accepted }) => accepted === 1_001);
});

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
