import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../../factories.js';
import { aPlatformScenario, doneSlices, type PlatformScenario } from '../../platform-scenario.js';
import { googleAds, metaAds, microsoftAds, type Platform } from '../../platforms.js';
import type { ConnectionEntry } from '../../../src/connections/connections.dto.js';
import type { RunDetail } from '../../../src/sync/api/runs.dto.js';

const BY_ITSELF = 'No action needed: Tributary retries automatically';
const PROJECT = 'northwind-marketing';

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

const statesOf = (run: RunDetail, matches: (slice: RunDetail['slices'][number]) => boolean): string[] => [
  ...new Set(run.slices.filter(matches).map(({ state }) => state)),
];

/** Simulates a slice that has waited nine times, to save time. */
const nearTheLimit = (scenario: PlatformScenario) =>
  app.database.query(`update run_slices set faults = 10 where organization_id = $1 and faults > 0`, [scenario.organization.id]);

interface Fault {
  platform: Platform;
  fault: string;
  parameters: object;
}

/** Every request for one stream fails at the source. */
const broken: Fault[] = [
  { platform: googleAds, fault: 'unavailable', parameters: { resource: 'ad_group' } },
  { platform: metaAds, fault: 'server_error', parameters: { level: 'adset' } },
  { platform: microsoftAds, fault: 'report_error', parameters: { resource: 'AdGroupPerformance' } },
];

describe('a stream that always fails at the source', () => {
  it.each(broken)(
    'at $platform.provider ($fault) does not block the other stream, and the run ends partial',
    async ({ platform, fault, parameters }) => {
      const historyDays = 100;
      const scenario = await worldOf(platform);
      const [good = '', bad = ''] = Object.keys(platform.streams);
      const sourceId = await scenario.aSource({});
      await scenario.fault(fault, parameters);
      const startedAt = new Date();
      const connection = await scenario.connect({ historyDays }, sourceId);
      const waiting = await scenario.waitingRun(connection);
      expect(waiting).toMatchObject({ state: 'waiting', resumeAt: expect.any(String), failure: { class: 'transient' } });
      expect(statesOf(waiting, ({ stream }) => stream === good)).toEqual(['done']);
      expect(statesOf(waiting, ({ stream }) => stream === bad)).toEqual(['pending']);
      expect(waiting.slices.filter(({ stream }) => stream === bad).map((slice) => slice.resumeAt)).not.toContain(null);
      await scenario.expectEqualSums([platform.accounts[0]], historyDays, [good]);

      await nearTheLimit(scenario);
      const run = await scenario.endedRunAfterPauses(connection);
      expect(run).toMatchObject({ state: 'partial', failure: { class: 'transient', action: 'Run again' } });
      expect(statesOf(run, ({ stream }) => stream === good)).toEqual(['done']);
      // Some slices were not requested again.
      expect(statesOf(run, ({ stream }) => stream === bad)).toContain('failed');
      expect(statesOf(run, ({ stream }) => stream === bad)).not.toContain('done');
      expect(run.slices.map((slice) => slice.resumeAt).filter(Boolean)).toEqual([]);
      expect(new Set(doneSlices(run)).size).toBe(doneSlices(run).length);
      // Loaded slices were read once.
      const read = (await scenario.slicesRead(startedAt)).filter((name) => name.startsWith(good));
      expect(read.toSorted()).toEqual(doneSlices(run).toSorted());

      await sandbox.clearFaults();
      expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', failure: null });
      await scenario.expectEqualSums([platform.accounts[0]], historyDays);
    },
  );
});

describe('an account that always fails at the source', () => {
  it('does not block the others: they complete before it is retried, and few requests are used for it', async () => {
    const scenario = await worldOf(googleAds);
    const [good, bad] = googleAds.accounts;
    const wish = { accountIds: [good, bad], historyDays: 370 };
    const sourceId = await scenario.aSource(wish);
    await scenario.fault('unavailable', { customerId: bad });
    const startedAt = new Date();
    const connection = await scenario.connect(wish, sourceId);
    const waiting = await scenario.waitingRun(connection);
    expect(waiting.state).toBe('waiting');
    expect(statesOf(waiting, ({ accountId }) => accountId === good)).toEqual(['done']);
    await scenario.expectEqualSums([good], 370);
    // The account has 24 slices. The first three are requested; each request is repeated a limited number of times.
    const asked = (await scenario.requests()).filter(
      ({ at, path, status }) => new Date(at) >= startedAt && path.includes(bad) && status === 503,
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThan(30);

    await sandbox.clearFaults();
    expect(await scenario.endedRunAfterPauses(connection)).toMatchObject({ state: 'succeeded', failure: null });
    await scenario.expectEqualSums([good, bad], 370);
  });
});

describe('an account whose requests the source rejects as wrong', () => {
  it('does not stop the others, and few requests are used for it', async () => {
    const scenario = await worldOf(metaAds);
    const [good, bad] = metaAds.accounts;
    const wish = { accountIds: [bad, good], historyDays: 370 };
    const sourceId = await scenario.aSource(wish);
    await scenario.fault('parameter_rejected', { accountId: bad });
    const startedAt = new Date();
    const run = await scenario.endedRun(await scenario.connect(wish, sourceId));
    expect(run).toMatchObject({ state: 'partial', failure: { code: 'meta_ads.request_refused' } });
    expect(statesOf(run, ({ accountId }) => accountId === good)).toEqual(['done']);
    expect(statesOf(run, ({ accountId }) => accountId === bad).toSorted()).toEqual(['failed', 'skipped']);
    await scenario.expectEqualSums([good], 370);
    const rejected = (await scenario.requests()).filter(({ at, status }) => new Date(at) >= startedAt && status === 400);
    expect(rejected.length).toBeLessThan(10);
  });

  it('ends the run after several rejections in a row if it is the only one', async () => {
    const scenario = await worldOf(metaAds);
    const [bad] = metaAds.accounts;
    const wish = { accountIds: [bad], historyDays: 370 };
    const sourceId = await scenario.aSource(wish);
    await scenario.fault('parameter_rejected', { accountId: bad });
    const run = await scenario.endedRun(await scenario.connect(wish, sourceId));
    expect(run).toMatchObject({ state: 'failed', failure: { code: 'meta_ads.request_refused' } });
    const rejected = (await scenario.requests()).filter(({ path, status }) => path.includes(bad) && status === 400);
    expect(rejected.length).toBeLessThan(10);
  });
});

describe('several streams that always fail', () => {
  it('do not block a later stream in the next attempt', async () => {
    const scenario = await worldOf(googleAds);
    // In the order of the source, which plans the working stream last.
    const bad = { campaign_daily: 'campaign', ad_group_daily: 'ad_group', ad_daily: 'ad_group_ad' };
    const sourceId = await scenario.aSource({});
    for (const resource of Object.values(bad)) await scenario.fault('unavailable', { resource });
    const streams = [...Object.keys(bad), 'keyword_daily'];
    const connection = await scenario.connect({ historyDays: 2, streams }, sourceId);
    const waiting = await scenario.waitingRun(connection);
    expect(waiting.state).toBe('waiting');
    await scenario.makeWaitingRunsDue();
    const run = await eventually(
      () => scenario.newestRun(connection),
      (newest) => doneSlices(newest).length === 1,
    );
    expect(statesOf(run, ({ stream }) => stream === 'keyword_daily')).toEqual(['done']);
    await sandbox.clearFaults();
    expect(await scenario.endedRunAfterPauses(connection)).toMatchObject({ state: 'succeeded' });
  });
});

describe('a platform that goes down during a run', () => {
  it('gets a limited number of requests instead of one per slice, and the run resumes where it stopped', async () => {
    const scenario = await worldOf(googleAds);
    const wish = { accountIds: [...googleAds.accounts, '9001000013'], historyDays: 370 };
    const sourceId = await scenario.aSource(wish);
    await scenario.fault('unavailable', { afterRequests: 12 });
    const startedAt = new Date();
    const connection = await scenario.connect(wish, sourceId);
    const waiting = await scenario.waitingRun(connection);
    expect(waiting).toMatchObject({ state: 'waiting', failure: { class: 'transient', action: BY_ITSELF } });
    const done = doneSlices(waiting);
    expect(done.length).toBeGreaterThan(0);
    const refused = (await scenario.requests()).filter(({ at, status }) => new Date(at) >= startedAt && status === 503);
    // 78 slices are left. Each one would be requested several times.
    expect(refused.length).toBeLessThan(60);
    const stoppedAt = new Date();
    await sandbox.clearFaults();
    expect(await scenario.endedRunAfterPauses(connection)).toMatchObject({ state: 'succeeded', failure: null });
    expect((await scenario.slicesRead(stoppedAt)).filter((slice) => done.includes(slice))).toEqual([]);
    await scenario.expectEqualSums(wish.accountIds, 370);
  });

  it('permanently fails the run after ten retries, with a bounded number of requests', async () => {
    const scenario = await worldOf(googleAds);
    const wish = { accountIds: [...googleAds.accounts, '9001000013'], historyDays: 370 };
    const sourceId = await scenario.aSource(wish);
    await scenario.fault('unavailable');
    const startedAt = new Date();
    const run = await scenario.endedRunAfterPauses(await scenario.connect(wish, sourceId));
    expect(run).toMatchObject({ state: 'failed', failure: { class: 'transient', action: 'Run again' }, verify: null });
    const refused = (await scenario.requests()).filter(({ at, status }) => new Date(at) >= startedAt && status === 503);
    expect(refused.length).toBeLessThan(700);
    expect(run.slices.some(({ state }) => state === 'pending' || state === 'running')).toBe(false);
  });
});

describe('a stream that always fails at the destination', () => {
  const admin = async <Body>(path: string): Promise<Body> =>
    (await fetch(`${sandbox.url}/admin/${path}`)).json() as Promise<Body>;
  const [good = '', bad = ''] = Object.keys(googleAds.streams);
  const [account] = googleAds.accounts;

  it('(PostgreSQL reports a lock conflict) does not block the other stream, and the waiting run shows the error', async () => {
    const scenario = await worldOf(googleAds);
    const historyDays = 100;
    const sourceId = await scenario.aSource({});
    const connection = await scenario.connect({ historyDays: 2 }, sourceId);
    expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
    await warehouse.query(`create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'busy' using errcode = '40P01'; end $$`);
    await warehouse.query(`create trigger fail before insert or update or delete on google_ads_${bad} execute function fail()`);

    const other = await scenario.connect({ historyDays }, sourceId);
    const waiting = await scenario.waitingRun(other);
    expect(waiting).toMatchObject({ state: 'waiting', failure: { class: 'transient', code: 'postgresql.40p01' } });
    expect(statesOf(waiting, ({ stream }) => stream === good)).toEqual(['done']);
    // The pause is short: the run can have resumed, and wait again soon.
    const { body } = await eventually(
      () => scenario.organization.call.get<ConnectionEntry>(other),
      ({ body: entry }) => entry.activeRun?.state === 'waiting',
    );
    expect(body.health).not.toBe('rate_limited');
    expect(body.activeRun?.failure).toMatchObject({ class: 'transient', code: 'postgresql.40p01' });
    await scenario.expectEqualSums([account], historyDays, [good]);
    await nearTheLimit(scenario);
    const run = await scenario.endedRunAfterPauses(other);
    expect(run).toMatchObject({ state: 'partial', failure: { code: 'postgresql.40p01', action: 'Run again' } });
    expect(statesOf(run, ({ stream }) => stream === good)).toEqual(['done']);

    await warehouse.query(`drop trigger fail on google_ads_${bad}`);
    expect(await scenario.runAgain(other)).toMatchObject({ state: 'succeeded', failure: null });
    await scenario.expectEqualSums([account], historyDays);
  });

  it('(BigQuery ends its replacements with backendError) does not block the other stream between its retries', async () => {
    const scenario = await worldOf(googleAds);
    const { call, path, id } = scenario.organization;
    const datasetId = `ads_${id.slice(-8)}`;
    const body = {
      provider: 'bigquery',
      name: 'BigQuery',
      settings: { projectId: PROJECT, datasetId, location: 'EU' },
      credentials: { serviceAccountKey: JSON.stringify(await admin('bigquery/service-account?name=loader')) },
    };
    const destination = expectStatus(await call.post<{ id: string }>(`${path}/destinations`, body), 201).body;
    await sandbox.addFault({ provider: 'bigquery', fault: 'job_fails', resource: 'query', table: `google_ads_${bad}` });
    const sourceId = await scenario.aSource({});
    const connection = await scenario.connectTo(destination.id, { historyDays: 100, streams: [bad, good] }, sourceId);
    const stateOf = (run: RunDetail, name: string) => statesOf(run, ({ stream }) => stream === name).toSorted();
    const beside = await eventually(
      () => scenario.newestRun(connection),
      (run) => doneSlices(run).length >= 2,
    );
    expect(stateOf(beside, bad)).toEqual(['pending', 'running']);
    await sandbox.clearFaults();
    expect(await scenario.endedRunAfterPauses(connection)).toMatchObject({ state: 'succeeded', failure: null });
    for (const stream of [good, bad]) {
      const place = { projectId: PROJECT, datasetId, tableId: `google_ads_${stream}`, accountId: account };
      const found = await admin(`bigquery/totals?${new URLSearchParams({ ...place, from: daysAgo(100), to: daysAgo(-1) })}`);
      expect(found).toEqual(await scenario.atSource(account, stream, 100));
    }
  });
});

describe('the run after a partial run', () => {
  it('begins with slices that did not fail', async () => {
    const scenario = await worldOf(googleAds);
    const [good, bad] = googleAds.accounts;
    const wish = { accountIds: [bad, good], historyDays: 100, streams: ['campaign_daily'] };
    const sourceId = await scenario.aSource(wish);
    await scenario.fault('unavailable', { customerId: bad });
    const connection = await scenario.connect(wish, sourceId);
    await scenario.waitingRun(connection);
    await nearTheLimit(scenario);
    const partial = await scenario.endedRunAfterPauses(connection);
    expect(partial).toMatchObject({ state: 'partial', verify: { rows: true } });
    // Both accounts are read again.
    await sandbox.clearFaults();
    await app.database.query(`update coverage set state = 'missing' where organization_id = $1`, [scenario.organization.id]);
    const startedAt = new Date();
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    const accounts = (await scenario.slicesRead(startedAt)).map((name) => name.split('/')[1]);
    expect(accounts).toHaveLength(8);
    expect(accounts.slice(0, 3)).toEqual([good, good, good]);
  });
});
