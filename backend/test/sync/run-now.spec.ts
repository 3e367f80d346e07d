import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import { ScheduleDue } from '../../src/connections/schedule/schedule-due.js';
import type { RunSummary } from '../../src/sync/api/runs.dto.js';

const LOOKBACK_DAYS = 12;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let connection: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  connection = await scenario.connect({ historyDays: 20, streams: ['campaign_daily'] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  const { version } = (await scenario.organization.call.get<ConnectionEntry>(connection)).body;
  const schedule = { kind: 'interval', everyMinutes: 15, timeZone: 'UTC' };
  expectStatus(await scenario.organization.call.patch(connection, { version, lookbackDays: LOOKBACK_DAYS, schedule }), 200);
});

/** A planned scheduled run that reads the last three days slowly. */
async function aNarrowRun(): Promise<string> {
  const before = await scenario.newestRun(connection);
  await sandbox.addFault({ fault: 'slow', delayMs: 2_500 });
  await app.database.query(`update connections set next_run_at = now() - interval '1 minute' where id = $1`, [
    connection.split('/').at(-1),
  ]);
  await app.get(ScheduleDue).startDue();
  const run = await eventually(
    () => scenario.newestRun(connection),
    ({ id, window }) => id !== before.id && window !== null,
  );
  expect(run).toMatchObject({ kind: 'scheduled', endedAt: null, window: { from: daysAgo(3) } });
  return run.id;
}

const runNow = () => scenario.organization.call.post<RunSummary>(`${connection}/run`);

it('reads the whole lookback window after a narrow run that was active at the request', async () => {
  const narrow = await aNarrowRun();
  expect(expectStatus(await runNow(), 202).body).toMatchObject({ id: narrow, hasFollowUp: true });
  expectStatus(await runNow(), 202);
  await sandbox.clearFaults();
  const followUp = await scenario.endedRun(connection, narrow);
  expect(followUp).toMatchObject({
    kind: 'manual',
    trigger: 'user',
    actor: expect.any(String),
    state: 'succeeded',
    window: { from: daysAgo(LOOKBACK_DAYS) },
    hasFollowUp: false,
  });
  expect(
    (await scenario.organization.call.get<{ items: unknown[] }>(`${scenario.organization.path}/runs`)).body.items,
  ).toHaveLength(3);
});

it('does not start the follow-up run if the active one is canceled', async () => {
  const narrow = await aNarrowRun();
  expectStatus(await runNow(), 202);
  expectStatus(await scenario.organization.call.post(`${scenario.organization.path}/runs/${narrow}/cancel`), 202);
  await sandbox.clearFaults();
  expect(await scenario.newestRun(connection)).toMatchObject({ id: narrow, state: 'cancelled', hasFollowUp: false });
});

it('changes a queued run into the requested one', async () => {
  const id = connection.split('/').at(-1);
  await app.database.query(
    `insert into runs (id, organization_id, connection_id, kind, trigger) values (gen_random_uuid(), $1, $2, 'scheduled', 'schedule')`,
    [scenario.organization.id, id],
  );
  expect(expectStatus(await runNow(), 202).body).toMatchObject({ kind: 'manual', state: 'queued', hasFollowUp: false });
});
