import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo } from '../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { metaAds } from '../platforms.js';

const [ACCOUNT] = metaAds.accounts;
/** Days of history of the connections that a `PlatformScenario` creates. */
const LOOKBACK_DAYS = 3;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  warehouse = await startWarehouse();
  scenario = await aPlatformScenario(app, sandbox, warehouse, metaAds);
});
afterEach(() => warehouse.stop());

async function firstRun(streams: string[], historyDays: number) {
  const connection = await scenario.connect({ accountIds: [ACCOUNT], historyDays, streams });
  return scenario.endedRun(connection);
}

describe('reports of Meta Ads', () => {
  it('load while values within the lookback window change', async () => {
    await scenario.fault('numbers_move', { days: LOOKBACK_DAYS + 1 });
    const run = await firstRun(['campaign_daily', 'ad_set_daily'], 20);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    expect((await scenario.atWarehouse(ACCOUNT, 'campaign_daily')).rows).toBeGreaterThan(50);
  });

  it('do not load while values of final days change', async () => {
    await scenario.fault('numbers_move', { days: LOOKBACK_DAYS + 3 });
    const run = await firstRun(['campaign_daily'], 20);
    expect(run).toMatchObject({ state: 'failed', failure: { class: 'data', code: 'meta_ads.totals_differ' } });
  });

  it('load all days but a final one on which the levels of the account differ', async () => {
    const day = daysAgo(9);
    await scenario.fault('level_differs', { level: 'campaign', day });
    const connection = await scenario.connect({ accountIds: [ACCOUNT], historyDays: 31, streams: ['campaign_daily'] });
    const run = await scenario.endedRun(connection);
    expect(run).toMatchObject({ state: 'partial', failure: { class: 'data', code: 'meta_ads.totals_differ' } });
    expect(run.failure?.message).toMatch(
      new RegExp(
        `^Northwind DE: Meta's rows do not add up to the account's total on ${day} for impressions: expected \\d+, found \\d+`,
      ),
    );
    const lost = run.slices.filter(({ state }) => state !== 'done');
    expect(lost).toMatchObject([{ state: 'failed', from: day, to: day, attempts: 3 }]);
    const [loaded] = await warehouse.query<{ days: number; lost: number }>(
      `select count(distinct date)::int as days, (count(*) filter (where date = '${day}'))::int as lost from meta_ads_campaign_daily`,
    );
    expect(loaded).toEqual({ days: 31, lost: 0 });

    // The next run reads only this day and the lookback window.
    const next = await scenario.runAgain(connection);
    expect(next.slices.filter(({ to }) => to < daysAgo(LOOKBACK_DAYS))).toMatchObject([{ state: 'failed', from: day, to: day }]);
    await sandbox.clearFaults();
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', failure: null });
    await scenario.expectEqualSums([ACCOUNT], 31, ['campaign_daily']);
  });

  it('of a breakdown show their part of the cost', async () => {
    await scenario.fault('breakdown_differs', { percent: 90 });
    const run = await firstRun(['ad_placement_daily'], 3);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    for (const { costMicros, totalCostMicros } of run.slices) {
      expect(Number(costMicros) / Number(totalCostMicros)).toBeGreaterThan(0.85);
      expect(Number(costMicros) / Number(totalCostMicros)).toBeLessThan(0.91);
    }
  });

  it('include archived and deleted campaigns', async () => {
    const run = await firstRun(['campaign_daily', 'ad_set_daily'], 170);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    await scenario.expectEqualSums([ACCOUNT], 170);
  });
});
