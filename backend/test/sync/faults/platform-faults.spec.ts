import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { daysAgo } from '../../factories.js';
import { aPlatformScenario, doneSlices, type PlatformScenario } from '../../platform-scenario.js';
import { googleAds, metaAds, microsoftAds, type Platform } from '../../platforms.js';

const BY_ITSELF = 'No action needed: Tributary retries automatically';

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

interface Storm {
  platform: Platform;
  fault: string;
  parameters?: object;
  code: string;
  message: string;
  /** Pause requested by the platform. */
  pauseSeconds: number;
}

const storms: Storm[] = [
  {
    platform: googleAds,
    fault: 'throttle',
    parameters: { retryDelaySeconds: 30 },
    code: 'google_ads.resource_temporarily_exhausted',
    message: 'Google Ads throttles requests.',
    pauseSeconds: 30,
  },
  {
    platform: metaAds,
    fault: 'throttle',
    parameters: { waitMinutes: 2 },
    code: 'meta_ads.account_limit',
    message: 'This ad account was read too often within the last hour.',
    pauseSeconds: 120,
  },
  {
    platform: microsoftAds,
    fault: 'throttle',
    code: 'microsoft_ads.call_rate_exceeded',
    message: 'Microsoft Advertising throttles requests: too many calls per minute.',
    pauseSeconds: 60,
  },
];

describe('a throttle storm', () => {
  it.each(storms)('of $platform.provider ($code) makes the run wait, and loaded slices are not read again', async (storm) => {
    const scenario = await worldOf(storm.platform);
    const historyDays = 150;
    const sourceId = await scenario.aSource({});
    // Ten slices in three lanes: so many calls happen only after some slices are done. One attempt meets at most three
    // rejections.
    const afterRequests = storm.platform === microsoftAds ? 16 : 8;
    await scenario.fault(storm.fault, { ...storm.parameters, afterRequests, times: 4 });
    const connection = await scenario.connect({ historyDays }, sourceId);
    const waiting = await scenario.waitingRun(connection);
    expect(waiting).toMatchObject({
      state: 'waiting',
      failure: { class: 'quota', code: storm.code, message: storm.message, action: BY_ITSELF },
      endedAt: null,
    });
    const pauseSeconds = (Date.parse(waiting.resumeAt ?? '') - Date.now()) / 1_000;
    expect(pauseSeconds).toBeGreaterThan(storm.pauseSeconds - 10);
    expect(pauseSeconds).toBeLessThanOrEqual(storm.pauseSeconds);
    const done = doneSlices(waiting);
    expect(done.length).toBeGreaterThan(0);
    const stoppedAt = new Date();

    const run = await scenario.endedRunAfterPauses(connection);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    expect(run.attempts.length).toBeGreaterThan(2);
    expect(run.quotaWaitMs).toBeGreaterThan(storm.pauseSeconds * 1_000);
    const readAfterwards = await scenario.slicesRead(stoppedAt);
    expect(readAfterwards.length).toBeGreaterThan(0);
    expect(readAfterwards.filter((slice) => done.includes(slice))).toEqual([]);
    await scenario.expectEqualSums([storm.platform.accounts[0]], historyDays);
  });

  it('of reports at Microsoft (207) makes the run wait only after its own reports have ended, and no report is requested again', async () => {
    const scenario = await worldOf(microsoftAds);
    const [first, crowded] = microsoftAds.accounts;
    const accountIds = [first, crowded, '180500013', '180500015', '180500020'];
    const sourceId = await scenario.aSource({ accountIds });
    await scenario.fault('concurrent_limit', { accountId: crowded, resource: 'CampaignPerformance' });
    const startedAt = new Date();
    const connection = await scenario.connect({ accountIds, historyDays: 20 }, sourceId);
    const waiting = await scenario.waitingRun(connection, 120_000);
    expect(waiting).toMatchObject({
      state: 'waiting',
      failure: { class: 'quota', code: 'microsoft_ads.concurrent_request_over_limit', action: BY_ITSELF },
    });
    await sandbox.clearFaults();
    expect(await scenario.endedRunAfterPauses(connection)).toMatchObject({ state: 'succeeded', failure: null });
    const read = await scenario.slicesRead(startedAt);
    expect(read.toSorted()).toEqual([...new Set(read)].toSorted());
    expect(read).toHaveLength(10);
    await scenario.expectEqualSums(accountIds, 20);
  });
});

describe('an account in an unknown time zone', () => {
  it('is listed as unusable with the cause; a run skips it and loads the others', async () => {
    const scenario = await worldOf(microsoftAds);
    const [kept, unusable] = microsoftAds.accounts;
    await scenario.fault('new_time_zone', { accountId: unusable });
    const wish = { accountIds: [kept, unusable], historyDays: 20 };
    const connection = await scenario.connect(wish);
    const { call, path } = scenario.organization;
    const { appId } = (await call.get<{ source: { appId: string } }>(connection)).body.source;
    const { body } = await call.get<{ items: { externalId: string; status: string; problem?: string }[] }>(
      `${path}/apps/${appId}/accounts`,
    );
    const reason = /^Its time zone "Kiritimati" is not supported/;
    expect(body.items.filter(({ problem }) => problem !== undefined)).toEqual([
      expect.objectContaining({ externalId: unusable, status: 'disabled', problem: expect.stringMatching(reason) }),
    ]);

    const run = await scenario.endedRun(connection);
    expect(run).toMatchObject({
      state: 'partial',
      failure: {
        class: 'config',
        code: 'sync.account_unusable',
        message: expect.stringMatching(/^Northwind US cannot be read\. Its time zone "Kiritimati" is not supported/),
      },
    });
    expect(new Set(run.slices.filter(({ accountId }) => accountId === unusable).map(({ state }) => state))).toEqual(
      new Set(['skipped']),
    );
    await scenario.expectEqualSums([kept], 20);
  });
});

const STREAMS = ['campaign_daily'];

interface Loss {
  platform: Platform;
  fault: string;
  code: string;
  message: string;
  action: string;
  /** More calls than three slices need before one of them is done. */
  afterRequests: number;
}

const losses: Loss[] = [
  {
    platform: googleAds,
    fault: 'permission',
    code: 'google_ads.user_permission_denied',
    message: 'The connected Google user has no access to this ad account.',
    action: 'Give the user access in Google Ads, or reconnect as a user with access',
    afterRequests: 1,
  },
  {
    platform: googleAds,
    fault: 'not_enabled',
    code: 'google_ads.customer_not_enabled',
    message: 'This ad account is not active. It was closed, or its setup is incomplete.',
    action: 'Activate the account in Google Ads, or remove it from the source',
    afterRequests: 1,
  },
  {
    platform: metaAds,
    fault: 'permission',
    code: 'meta_ads.account_forbidden',
    message: 'The owner of this ad account has not granted access to the connected user.',
    action: 'Give the connected user access in Meta Business settings, or reconnect as a user with access',
    afterRequests: 4,
  },
  {
    platform: metaAds,
    fault: 'closed',
    code: 'meta_ads.account_unknown',
    message: 'This ad account is closed, or the connected user has no access to it.',
    action: 'Give the connected user access again, or remove the account from the source',
    afterRequests: 4,
  },
  {
    platform: microsoftAds,
    fault: 'permission',
    code: 'microsoft_ads.user_is_not_authorized',
    message: 'The connected Microsoft user has no access to this ad account.',
    action: 'Give the user access in Microsoft Advertising, or reconnect as a user with access',
    afterRequests: 10,
  },
  {
    platform: microsoftAds,
    fault: 'account_inactive',
    code: 'microsoft_ads.invalid_credentials',
    message: 'This ad account is not active. It was closed, or was unused for a long time.',
    action: 'Activate the account in Microsoft Advertising, or remove it from the source',
    afterRequests: 10,
  },
];

describe('an account that becomes inaccessible during a run', () => {
  it.each(losses)('at $platform.provider ($fault) is reported, and every day of the others is loaded', async (loss) => {
    const scenario = await worldOf(loss.platform);
    const [kept, lost] = loss.platform.accounts;
    const wish = { accountIds: [kept, lost], historyDays: 80, streams: STREAMS };
    const sourceId = await scenario.aSource(wish);
    await scenario.fault(loss.fault, { [loss.platform.parameter]: lost, afterRequests: loss.afterRequests });
    const connection = await scenario.connect(wish, sourceId);
    const run = await scenario.endedRun(connection);
    const ofLost = run.slices.filter(({ accountId }) => accountId === lost);
    expect(run).toMatchObject({
      state: 'partial',
      failure: {
        class: 'permission',
        code: loss.code,
        message: `${ofLost[0]?.accountName}: ${loss.message}`,
        action: loss.action,
      },
    });
    const states = ofLost.map(({ state }) => state);
    expect(states).toContain('done');
    expect(states).toContain('skipped');
    await scenario.expectEqualSums([kept], 80, STREAMS);

    await sandbox.clearFaults();
    const restoredAt = new Date();
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', failure: null });
    const done = doneSlices(run).filter((name) => name.slice(-10) < daysAgo(40));
    expect(done.length).toBeGreaterThan(0);
    expect((await scenario.slicesRead(restoredAt)).filter((name) => done.includes(name))).toEqual([]);
    await scenario.expectEqualSums([kept, lost], 80, STREAMS);
  });
});
