import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { daysAgo } from '../../factories.js';
import { aPlatformScenario, type PlatformScenario, sliceName } from '../../platform-scenario.js';
import { googleAds, metaAds, microsoftAds, type Platform } from '../../platforms.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;

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
});
afterEach(() => warehouse.stop());

const worldOf = (platform: Platform): Promise<PlatformScenario> => aPlatformScenario(app, sandbox, warehouse, platform);

interface Cut {
  platform: Platform;
  fault: string;
  /** Small pages, so that there are several pages to lose one of. */
  isInShortPages?: boolean;
  code: string;
  message: string;
}

const cuts: Cut[] = [
  {
    platform: googleAds,
    fault: 'truncate_json',
    code: 'http.incomplete_json',
    message: "The provider's answer is incomplete.",
  },
  {
    platform: googleAds,
    fault: 'truncate_rows',
    code: 'google_ads.totals_differ',
    message: "The rows of Google Ads do not add up to Google's own total",
  },
  {
    platform: metaAds,
    fault: 'truncate_json',
    code: 'meta_ads.malformed_json',
    message: 'Meta sent an answer that is not valid JSON.',
  },
  {
    platform: metaAds,
    fault: 'lose_pages',
    isInShortPages: true,
    code: 'meta_ads.totals_differ',
    message: "Meta's rows do not add up to the account's total",
  },
  {
    platform: microsoftAds,
    fault: 'truncate_zip',
    code: 'microsoft_ads.broken_archive',
    message: 'The file of the Microsoft Advertising report is incomplete: unpacking failed.',
  },
  {
    platform: microsoftAds,
    fault: 'truncate_rows',
    code: 'microsoft_ads.rows_differ',
    message: 'rows as in its header, found',
  },
];

const STREAMS = ['campaign_daily'];

describe('a truncated response', () => {
  it.each(cuts)('of $platform.provider ($fault) is requested three times and not loaded, and the run fails', async (cut) => {
    const scenario = await worldOf(cut.platform);
    const [whole, damaged] = cut.platform.accounts;
    const wish = { accountIds: [whole, damaged], historyDays: 20, streams: STREAMS };
    const sourceId = await scenario.aSource(wish);
    await scenario.fault(cut.fault, { [cut.platform.parameter]: damaged });
    if (cut.isInShortPages) await scenario.fault('short_pages', { [cut.platform.parameter]: damaged, rows: 30 });
    const startedAt = new Date();
    const connection = await scenario.connect(wish, sourceId);
    const run = await scenario.endedRun(connection);
    expect(run).toMatchObject({ state: 'partial', failure: { class: 'data', code: cut.code, action: 'Run again' } });
    const slice = run.slices.find(({ accountId }) => accountId === damaged);
    expect(slice).toMatchObject({ state: 'failed', attempts: 3, rows: 0 });
    expect(run.failure?.message).toMatch(new RegExp(`^${slice?.accountName}: `));
    expect(run.failure?.message).toContain(cut.message);
    expect(run.log.map(({ message }) => message).join()).toContain('Attempt 3 of 3.');
    const read = await scenario.slicesRead(startedAt);
    expect(read.filter((name) => name.includes(damaged))).toHaveLength(3);
    expect(read.filter((name) => name.includes(whole))).toHaveLength(1);
    expect(await scenario.atWarehouse(damaged, 'campaign_daily')).toMatchObject({ rows: 0 });
    await scenario.expectEqualSums([whole], 20, STREAMS);

    await sandbox.clearFaults();
    const again = await scenario.runAgain(connection);
    expect(again).toMatchObject({ state: 'succeeded', failure: null });
    // Final days are not affected. The others are within the lookback window.
    const reread = again.slices.filter(({ accountId }) => accountId === whole).map(({ from }) => from);
    expect(reread.every((from) => from >= daysAgo(4))).toBe(true);
    await scenario.expectEqualSums([whole, damaged], 20, STREAMS);
  });

  it.each([cuts[0], cuts[2], cuts[4]] as Cut[])(
    'of $platform.provider ($fault) that is complete the second time is the only repeated request, and the run succeeds',
    async ({ platform, fault }) => {
      const scenario = await worldOf(platform);
      const wish = { historyDays: 80, streams: STREAMS };
      const sourceId = await scenario.aSource(wish);
      await scenario.fault(fault, { times: 1 });
      const startedAt = new Date();
      const run = await scenario.endedRun(await scenario.connect(wish, sourceId));
      expect(run).toMatchObject({ state: 'succeeded', failure: null });
      expect(run.slices.map(({ attempts }) => attempts).toSorted()).toEqual([1, 1, 2]);
      const expected = run.slices.flatMap((slice) => Array.from({ length: slice.attempts }, () => sliceName(slice)));
      expect((await scenario.slicesRead(startedAt)).toSorted()).toEqual(expected.toSorted());
      await scenario.expectEqualSums([platform.accounts[0]], 80, STREAMS);
    },
  );
});

describe('a truncated report that takes longer than a run waits for it', () => {
  it('is requested three times over all attempts of the run, which then fails', async () => {
    const scenario = await worldOf(microsoftAds);
    const wish = { historyDays: 20, streams: STREAMS };
    const sourceId = await scenario.aSource(wish);
    // One more poll than fits into an attempt, so the run releases its slot after each request.
    await scenario.fault('slow_report', { polls: 10 });
    await scenario.fault('truncate_rows');
    const startedAt = new Date();
    const connection = await scenario.connect(wish, sourceId);
    const requested = async () => (await scenario.slicesRead(startedAt)).length;
    let run = await scenario.waitingRun(connection);
    expect(run).toMatchObject({ state: 'waiting', failure: { code: 'microsoft_ads.report_pending' } });
    while (run.endedAt === null && (await requested()) <= 3) {
      await scenario.makeWaitingRunsDue();
      run = await scenario.waitingRun(connection);
    }
    expect(run).toMatchObject({ state: 'failed', failure: { code: 'microsoft_ads.rows_differ', action: 'Run again' } });
    expect(run.log.map(({ message }) => message).join()).toContain('Attempt 3 of 3.');
    expect(await requested()).toBe(3);
  });
});
