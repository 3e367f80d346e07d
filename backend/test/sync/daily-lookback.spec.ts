import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import { ScheduleDue } from '../../src/connections/schedule/schedule-due.js';
import type { RunDetail } from '../../src/sync/api/runs.dto.js';

const HISTORY_DAYS = 20;
const LOOKBACK_DAYS = 12;
const STREAM = 'campaign_daily';
const [ACCOUNT] = googleAds.accounts;

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
/** A loaded connection whose next run a test makes due. */
beforeEach(async () => {
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: [STREAM] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  await change({ lookbackDays: LOOKBACK_DAYS, schedule: { kind: 'interval', everyMinutes: 15, timeZone: 'UTC' } });
});

async function change(body: object): Promise<void> {
  const { version } = (await scenario.organization.call.get<ConnectionEntry>(connection)).body;
  expectStatus(await scenario.organization.call.patch(connection, { version, ...body }), 200);
}

const idOf = () => connection.split('/').at(-1);

async function scheduledRun(): Promise<RunDetail> {
  const before = await scenario.newestRun(connection);
  await app.database.query(`update connections set next_run_at = now() - interval '1 minute' where id = $1`, [idOf()]);
  await app.get(ScheduleDue).startDue();
  return scenario.endedRun(connection, before.id);
}

/** Sets the last read of all days to yesterday. */
const letADayPass = () =>
  app.database.query(`update coverage set last_verified_at = last_verified_at - interval '1 day' where connection_id = $1`, [
    idOf(),
  ]);

const windowFrom = (days: number) => ({ state: 'succeeded', kind: 'scheduled', window: { from: daysAgo(days) } });

it('reads the whole lookback window with the first scheduled run of a day, and its last three days with the others', async () => {
  await letADayPass();
  expect(await scheduledRun()).toMatchObject(windowFrom(LOOKBACK_DAYS));
  expect(await scheduledRun()).toMatchObject(windowFrom(3));
  await letADayPass();
  expect(await scheduledRun()).toMatchObject(windowFrom(LOOKBACK_DAYS));
  await scenario.expectEqualSums([ACCOUNT], HISTORY_DAYS, [STREAM]);
});

it('reads the whole lookback window in a manual run, even if it was read today', async () => {
  await scheduledRun();
  expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(LOOKBACK_DAYS) } });
});

it('loads restated older days on the next day and not later', async () => {
  await sandbox.addFault({ fault: 'restate', customerId: ACCOUNT, from: daysAgo(11), to: daysAgo(5) });
  expect(await scheduledRun()).toMatchObject(windowFrom(3));
  expect(await scenario.atWarehouse(ACCOUNT, STREAM)).not.toEqual(await scenario.atSource(ACCOUNT, STREAM, HISTORY_DAYS));
  await letADayPass();
  await scheduledRun();
  await scenario.expectEqualSums([ACCOUNT], HISTORY_DAYS, [STREAM]);
});

it('requests the platform’s lookback windows once a day and for manual runs', async () => {
  await change({ lookbackDays: null });
  const learnedAt = async () => {
    const [row] = await app.database.query<{ at: string }>(
      'select learned_at::text as at from account_lookbacks where organization_id = $1',
      [scenario.organization.id],
    );
    return row?.at;
  };
  expect(await scheduledRun()).toMatchObject({ state: 'succeeded' });
  const first = await learnedAt();
  expect(first).toBeDefined();
  const { apiCalls } = await scheduledRun();
  expect(apiCalls).toBe(1);
  expect(await learnedAt()).toBe(first);
  await app.database.query(`update account_lookbacks set learned_at = now() - interval '25 hours'`);
  expect((await scheduledRun()).apiCalls).toBe(2);
  const second = await learnedAt();
  expect(second).not.toBe(first);
  await scenario.runAgain(connection);
  expect(await learnedAt()).not.toBe(second);
});

it('runs again as soon as a run that began on an earlier day has ended, because that run read yesterday before it ended', async () => {
  await change({ schedule: { kind: 'daily', atTime: '06:00', timeZone: 'UTC' } });
  const nextRunAt = async () => new Date((await scenario.organization.call.get<ConnectionEntry>(connection)).body.nextRunAt ?? 0);
  const soon = () => new Date(Date.now() + 10 * 60_000);
  const becomesDue = async () => {
    await app.database.query(`update connections set next_run_at = now() - interval '1 minute' where id = $1`, [idOf()]);
    await app.get(ScheduleDue).startDue();
  };
  await sandbox.addFault({ fault: 'slow', delayMs: 3_000 });
  expectStatus(await scenario.organization.call.post(`${connection}/run`), 202);
  const active = await eventually(() => scenario.newestRun(connection), ({ slicesTotal }) => slicesTotal > 0); // prettier-ignore
  await becomesDue();
  expect((await nextRunAt()).getTime()).toBeGreaterThan(soon().getTime());
  await app.database.query(`update runs set started_at = started_at - interval '1 day' where id = $1`, [active.id]);
  await becomesDue();
  expect((await nextRunAt()).getTime()).toBeLessThan(soon().getTime());
  await sandbox.clearFaults();
  await scenario.endedRun(connection);
  expect(await scheduledRun()).toMatchObject({ state: 'succeeded', kind: 'scheduled' });
  expect((await nextRunAt()).getTime()).toBeGreaterThan(soon().getTime());
});
