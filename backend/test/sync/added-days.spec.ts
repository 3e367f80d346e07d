import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import type { SourceEntry } from '../../src/sources/sources.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';

const HISTORY_DAYS = 5;
const [FIRST, SECOND] = googleAds.accounts;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let connection: string;
/** Of the initial load. */
let firstRunId: string;

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
  connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: ['campaign_daily'], accountIds: [FIRST] });
  const run = await scenario.endedRun(connection);
  expect(run).toMatchObject({ state: 'succeeded' });
  firstRunId = run.id;
});

const call = () => scenario.organization.call;
const read = async (): Promise<ConnectionEntry> => (await call().get<ConnectionEntry>(connection)).body;

async function change(body: object): Promise<void> {
  expectStatus(await call().patch(connection, { version: (await read()).version, ...body }), 200);
}

async function addAccount(): Promise<void> {
  const path = `${scenario.organization.path}/sources/${(await read()).source.id}`;
  const { version } = (await call().get<SourceEntry>(path)).body;
  expectStatus(await call().patch(path, { version, accountIds: [FIRST, SECOND] }), 200);
}

/** Waits for a run that nobody has started. */
const runAfter = (runId: string) => scenario.endedRun(connection, runId);

describe('a connection with a manual schedule loads at once', () => {
  it('a stream that is added', async () => {
    await change({ streams: ['campaign_daily', 'ad_group_daily'] });
    expect(await runAfter(firstRunId)).toMatchObject({ state: 'succeeded', kind: 'catch_up' });
    await scenario.expectEqualSums([FIRST], HISTORY_DAYS);
    expect(await read()).toMatchObject({ health: 'healthy' });
  });

  it('an account that is added to its source', async () => {
    await addAccount();
    expect(await runAfter(firstRunId)).toMatchObject({ state: 'succeeded', kind: 'catch_up' });
    await scenario.expectEqualSums([FIRST, SECOND], HISTORY_DAYS, ['campaign_daily']);
  });

  it('nothing if a change adds no days', async () => {
    await change({ name: 'Other', streams: ['campaign_daily'], historyFrom: daysAgo(HISTORY_DAYS - 1) });
    expect((await scenario.newestRun(connection)).id).toBe(firstRunId);
  });
});

it('a stream that is added during a run is loaded by a second run', async () => {
  await scenario.fault('slow', { delayMs: 1_500 });
  expectStatus(await call().post(`${connection}/run`), 202);
  const { id } = await eventually(() => scenario.newestRun(connection), (run) => run.id !== firstRunId && run.slicesTotal > 0); // prettier-ignore
  await change({ streams: ['campaign_daily', 'ad_group_daily'] });
  await eventually(() => scenario.newestRun(connection), ({ hasFollowUp }) => hasFollowUp); // prettier-ignore
  await sandbox.clearFaults();
  expect(await runAfter(id)).toMatchObject({ state: 'succeeded' });
  await scenario.expectEqualSums([FIRST], HISTORY_DAYS);
});

it('a connection whose run for an added account is canceled is not healthy', async () => {
  // The report does not arrive before the run is canceled.
  await scenario.fault('slow', { delayMs: 60_000, resource: 'campaign' });
  expectStatus(await call().post(`${connection}/run`), 202);
  const { id } = await eventually(() => scenario.newestRun(connection), (run) => run.id !== firstRunId && run.slicesTotal > 0); // prettier-ignore
  await addAccount();
  await eventually(() => scenario.newestRun(connection), ({ hasFollowUp }) => hasFollowUp); // prettier-ignore
  expectStatus(await call().post(`${scenario.organization.path}/runs/${id}/cancel`), 202);
  await sandbox.clearFaults();
  await eventually(read, ({ activeRun }) => activeRun === null);
  expect(await read()).toMatchObject({ health: 'partial', healthReason: 'Days of an account or stream are not loaded yet' });
  expectStatus(await call().post(`${connection}/run`), 202);
  expect(await eventually(read, ({ activeRun }) => activeRun !== null)).toMatchObject({ health: 'backfilling' });
  expect(await runAfter(id)).toMatchObject({ state: 'succeeded' });
  await eventually(read, ({ health }) => health === 'healthy');
});

// Last, because the rows of all tests are in one table.
it('a connection with a manual schedule loads the days of an earlier start of its history at once', async () => {
  await change({ historyFrom: daysAgo(40) });
  expect(await runAfter(firstRunId)).toMatchObject({ state: 'succeeded', kind: 'catch_up' });
  await scenario.expectEqualSums([FIRST], 40, ['campaign_daily']);
});
