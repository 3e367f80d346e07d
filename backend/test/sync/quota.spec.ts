import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppEntry } from '../../src/apps/apps.dto.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { startTcpProxy } from '../connectors/tcp-proxy.js';
import { expectStatus } from '../factories.js';
import { aPlatformScenario, doneSlices, type PlatformScenario } from '../platform-scenario.js';
import { googleAds, metaAds, type Platform } from '../platforms.js';

const HISTORY_DAYS = 10;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

beforeEach(() => sandbox.clearFaults());

/** A connection whose app the platform throttles, after its first run has started to wait. */
async function throttled(
  platform: Platform,
  fault: object,
  { historyDays = HISTORY_DAYS, destination = warehouse } = {},
): Promise<{ scenario: PlatformScenario; sourceId: string; first: string }> {
  const scenario = await aPlatformScenario(app, sandbox, destination, platform);
  const sourceId = await scenario.aSource({});
  await scenario.fault('throttle', fault);
  const first = await scenario.connect({ historyDays }, sourceId);
  expect(await scenario.waitingRun(first)).toMatchObject({ state: 'waiting', failure: { class: 'quota' } });
  return { scenario, sourceId, first };
}

const appOf = async ({ organization: { call, path } }: PlatformScenario, connection: string): Promise<AppEntry> => {
  const { appId } = (await call.get<ConnectionEntry>(connection)).body.source;
  return expectStatus(await call.get<AppEntry>(`${path}/apps/${appId}`), 200).body;
};

describe('an app that the platform throttles', () => {
  it('is not called by its other runs, which wait until the same time without a failed attempt', async () => {
    const { scenario, sourceId, first } = await throttled(googleAds, { retryDelaySeconds: 600, times: 1 });
    const { quotaPause } = await appOf(scenario, first);
    expect(quotaPause).toMatchObject({ reason: 'Google Ads throttles requests.', waitingRuns: 1 });
    const requestsBefore = (await scenario.requests()).length;

    const second = await scenario.connect({ historyDays: HISTORY_DAYS }, sourceId);
    const waiting = await scenario.waitingRun(second);
    expect(waiting).toMatchObject({ state: 'waiting', resumeAt: quotaPause?.until, apiCalls: 0, slices: [] });
    expect(waiting.failure).toMatchObject({ class: 'quota', message: 'Google Ads throttles requests.' });
    expect((await scenario.requests()).length).toBe(requestsBefore);
    expect(await appOf(scenario, first)).toMatchObject({ quotaPause: { waitingRuns: 2 } });
    const entry = (await scenario.organization.call.get<ConnectionEntry>(second)).body;
    expect(entry).toMatchObject({ health: 'rate_limited', healthReason: 'Google Ads throttles requests' });
    expect(entry.activeRun?.failure).toMatchObject({ class: 'quota' });

    expect(await scenario.endedRunAfterPauses(first)).toMatchObject({ state: 'succeeded' });
    expect(await scenario.endedRunAfterPauses(second)).toMatchObject({ state: 'succeeded', failure: null });
    expect(await appOf(scenario, first)).toMatchObject({ quotaPause: null });
  });

  it('is still called by other runs if only one ad account was throttled', async () => {
    const { scenario, sourceId, first } = await throttled(metaAds, { accountId: metaAds.accounts[0], waitMinutes: 10 });
    expect(await appOf(scenario, first)).toMatchObject({ quotaPause: null });
    await sandbox.clearFaults();
    const other = await scenario.connect({ historyDays: HISTORY_DAYS }, sourceId);
    expect(await scenario.endedRun(other)).toMatchObject({ state: 'succeeded' });
    expect(await scenario.newestRun(first)).toMatchObject({ state: 'waiting' });
    expect(await scenario.endedRunAfterPauses(first)).toMatchObject({ state: 'succeeded' });
  });

  it('for a day fails its run only then, and a retry before loads everything', async () => {
    const { scenario, first } = await throttled(googleAds, { retryDelaySeconds: 60 });
    const { id } = await scenario.newestRun(first);
    await app.database.query('update runs set quota_faults = 103 where id = $1', [id]);
    await scenario.makeWaitingRunsDue();
    expect(await scenario.waitingRun(first)).toMatchObject({ id, state: 'waiting', failure: { class: 'quota' } });
    await sandbox.clearFaults();
    expect(await scenario.endedRunAfterPauses(first)).toMatchObject({ id, state: 'succeeded' });

    const lasting = await throttled(googleAds, { retryDelaySeconds: 60 });
    await app.database.query('update runs set quota_faults = 105 where organization_id = $1', [lasting.scenario.organization.id]);
    expect(await lasting.scenario.endedRunAfterPauses(lasting.first)).toMatchObject({
      state: 'failed',
      failure: { class: 'quota', action: 'Run again' },
    });
  });
});

describe('a run that waited for the quota more often than other errors may occur', () => {
  it('survives a lost connection to the destination', async () => {
    const proxy = await startTcpProxy(warehouse.settings);
    const settings = { ...warehouse.settings, host: '127.0.0.1', port: proxy.port };
    const destination = { ...warehouse, settings };
    const { scenario, first } = await throttled(googleAds, { retryDelaySeconds: 600 }, { destination });
    for (let waits = 1; waits <= 12; waits++) {
      await scenario.makeWaitingRunsDue();
      expect(await scenario.waitingRun(first)).toMatchObject({ state: 'waiting', failure: { class: 'quota' } });
    }
    await sandbox.clearFaults();
    proxy.close();
    await scenario.makeWaitingRunsDue();
    expect(await scenario.waitingRun(first)).toMatchObject({ state: 'waiting', failure: { class: 'transient' } });
    await proxy.open();
    expect(await scenario.endedRunAfterPauses(first)).toMatchObject({ state: 'succeeded', failure: null });
    await proxy.stop();
  });

  it('counts its errors from zero once it has loaded rows, within the same attempt', async () => {
    const { scenario, first } = await throttled(googleAds, { retryDelaySeconds: 600 }, { historyDays: 370 });
    await app.database.query('update runs set quota_faults = 105 where organization_id = $1', [scenario.organization.id]);
    await sandbox.clearFaults();
    await scenario.fault('throttle', { retryDelaySeconds: 600, afterRequests: 10 });
    await scenario.makeWaitingRunsDue();
    const waiting = await scenario.waitingRun(first);
    expect(doneSlices(waiting)).not.toEqual([]);
    expect(waiting).toMatchObject({ state: 'waiting', failure: { class: 'quota' } });
    await sandbox.clearFaults();
    expect(await scenario.endedRunAfterPauses(first)).toMatchObject({ state: 'succeeded', failure: null });
  });
});
