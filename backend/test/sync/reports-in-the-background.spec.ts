import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import { alertsOf } from '../alerts.js';
import { eventually, expectStatus } from '../factories.js';
import { aPlatformScenario, doneSlices, type PlatformScenario, sliceName } from '../platform-scenario.js';
import { type LoggedRequest, metaAds, microsoftAds, type Platform } from '../platforms.js';
import { Workers } from '../workers.js';

const BY_ITSELF = 'No action needed: Tributary retries automatically';
const PATIENCE_SECONDS = 2;

let sandbox: Sandbox;
/** Waits for reports as long as in production, with workers in separate processes. */
let patient: TestApp;
let impatient: TestApp;
let warehouse: Warehouse;
const workers = new Workers();

beforeAll(async () => {
  sandbox = await startSandbox();
  patient = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
  const REPORT_PATIENCE_SECONDS = String(PATIENCE_SECONDS);
  impatient = await startTestApp({ ROLE: 'all', REPORT_PATIENCE_SECONDS, ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await workers.killAll();
  await patient?.stop();
  await impatient?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  warehouse = await startWarehouse();
});
afterEach(() => warehouse.stop());

interface Endless {
  platform: Platform;
  fault: string;
  selector: object;
  /** A platform with background reports, and its fault. */
  stream: string;
  /** Whether a request polls a report. */
  isPoll(path: string): boolean;
}

/** More than Meta allows in one request: a month of ad sets. */
const HISTORY_DAYS = 29;
const meta: Endless = {
  platform: metaAds,
  fault: 'report_never_finishes',
  selector: { level: 'adset' },
  stream: 'ad_set_daily',
  isPoll: (path) => /\/v[\d.]+\/\d+$/.test(path),
};
const microsoft: Endless = {
  platform: microsoftAds,
  fault: 'never_finishes',
  selector: { resource: 'AdGroupPerformance' },
  stream: 'ad_group_daily',
  isPoll: (path) => path.endsWith('/GenerateReport/Poll'),
};

const othersAreDone = (scenario: PlatformScenario, connection: string, count: number) =>
  eventually(
    () => scenario.newestRun(connection),
    (run) => doneSlices(run).length === count,
  );

/** How often workers claimed the newest run of the connection. */
async function epochOf(connection: string): Promise<number> {
  const [row] = await patient.database.query<{ epoch: number }>(
    'select lease_epoch::int as epoch from runs where connection_id = $1 order by queued_at desc limit 1',
    [connection.split('/').at(-1)],
  );
  return row!.epoch;
}

describe('a report that never finishes', () => {
  it.each([meta, microsoft])(
    'at $platform.provider is resumed by the next worker by its id, without a new request',
    async ({ platform, fault, selector, stream, isPoll }) => {
      const scenario = await aPlatformScenario(patient, sandbox, warehouse, platform);
      const first = workers.start(patient, sandboxSettings(sandbox.url));
      await scenario.fault(fault, selector);
      const startedAt = new Date();
      const connection = await scenario.connect({ historyDays: HISTORY_DAYS });
      const before = await othersAreDone(scenario, connection, 1);
      const [id] = await eventually(
        () => scenario.remoteJobs(stream),
        ([job]) => typeof job === 'string',
      );
      first.kill('SIGTERM');
      await once(first, 'exit');
      await sandbox.clearFaults();
      const stopped = await epochOf(connection);
      const replacedAt = new Date();
      const second = workers.start(patient, sandboxSettings(sandbox.url));

      const run = await scenario.endedRun(connection);
      expect(run).toMatchObject({ state: 'succeeded', failure: null });
      // Every worker that resumes a run claims it. A poll of a run that had released its slot is a claim but not an attempt.
      expect(await epochOf(connection)).toBeGreaterThan(stopped);
      expect(run.attempts.length).toBeGreaterThanOrEqual(before.attempts.length);
      expect(await scenario.remoteJobs(stream)).toEqual([id]);
      expect((await scenario.slicesRead(startedAt)).toSorted()).toEqual(run.slices.map(sliceName).toSorted());
      const polls = (await scenario.requests()).filter(({ at, path }) => new Date(at) >= replacedAt && isPoll(path));
      expect(polls.length).toBeGreaterThan(0);
      await scenario.expectEqualSums([platform.accounts[0]], HISTORY_DAYS);
      await workers.kill(second);
    },
  );

  it('at Microsoft is polled by its id, without occupying a worker', async () => {
    const scenario = await aPlatformScenario(impatient, sandbox, warehouse, microsoftAds);
    await scenario.fault(microsoft.fault, microsoft.selector);
    const startedAt = new Date();
    const connection = await scenario.connect({ historyDays: HISTORY_DAYS });
    const waiting = await scenario.waitingRun(connection);
    expect(waiting).toMatchObject({
      state: 'waiting',
      resumeAt: expect.any(String),
      failure: { class: 'transient', code: 'microsoft_ads.report_unfinished', action: BY_ITSELF },
    });
    expect(waiting.failure?.message).toMatch(/has not finished a report after .*\. It is polled again later\./);
    const [id] = await scenario.remoteJobs(microsoft.stream);
    expect(id).toMatch(/^\d+$/);
    await sandbox.clearFaults();
    const run = await scenario.endedRunAfterPauses(connection);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    expect(await scenario.remoteJobs(microsoft.stream)).toEqual([id]);
    expect((await scenario.slicesRead(startedAt)).toSorted()).toEqual(run.slices.map(sliceName).toSorted());
    await scenario.expectEqualSums([microsoftAds.accounts[0]], HISTORY_DAYS);
    // The rows are as of the request, however often the run has waited for the report.
    const isPollOf = ({ path, requestBody }: LoggedRequest) => microsoft.isPoll(path) && requestBody?.includes(String(id));
    const polls = (await scenario.requests()).filter(isPollOf).map(({ at }) => Date.parse(at));
    expect(polls).not.toEqual([]);
    const [days] = await impatient.database.query<{ verifiedAt: Date }>(
      'select max(last_verified_at) as "verifiedAt" from coverage where organization_id = $1 and stream = $2',
      [scenario.organization.id, microsoft.stream],
    );
    expect(days?.verifiedAt.getTime()).toBeLessThan(Math.min(...polls));
  });

  it('at Meta is replaced by a new report, and each slice waits for its own report', async () => {
    const historyDays = 60;
    const scenario = await aPlatformScenario(impatient, sandbox, warehouse, metaAds);
    await scenario.fault(meta.fault, meta.selector);
    // The second report starts only when a lane is free, so the first one is abandoned earlier.
    await scenario.fault('slow', { level: 'campaign', delayMs: 600 });
    const startedAt = new Date();
    const connection = await scenario.connect({ historyDays });
    const waiting = await scenario.waitingRun(connection);
    expect(waiting).toMatchObject({
      state: 'waiting',
      resumeAt: expect.any(String),
      failure: { class: 'transient', code: 'meta_ads.report_never_finished', action: BY_ITSELF },
    });
    expect(waiting.failure?.message).toMatch(/did not finish a report within .* \(progress: 42 %\)\. Another one is started\./);
    const jobs = await scenario.remoteJobs(meta.stream);
    const abandoned = jobs.filter((id) => id === null).length;
    expect(abandoned).toBeGreaterThan(0);
    await sandbox.clearFaults();
    const run = await scenario.endedRunAfterPauses(connection);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    const finished = await scenario.remoteJobs(meta.stream);
    expect(finished).toEqual(jobs.map((id) => id ?? expect.stringMatching(/^\d+$/)));
    // Each slice once, except for the abandoned reports. A retry may have abandoned more before the fault was cleared.
    const read = await scenario.slicesRead(startedAt);
    const isAbandoned = (slice: string) => slice.startsWith(`${meta.stream}/`);
    const slices = run.slices.map(sliceName);
    expect(read.filter((slice) => !isAbandoned(slice)).toSorted()).toEqual(
      slices.filter((slice) => !isAbandoned(slice)).toSorted(),
    );
    expect(read.filter(isAbandoned).length).toBeGreaterThanOrEqual(slices.filter(isAbandoned).length + abandoned);
    await scenario.expectEqualSums([metaAds.accounts[0]], historyDays);
  });
});

describe('a run that waits for reports', () => {
  it('loads the other streams if one is removed from the connection in the meantime', async () => {
    const historyDays = 100;
    const scenario = await aPlatformScenario(impatient, sandbox, warehouse, microsoftAds);
    await scenario.fault(microsoft.fault);
    const connection = await scenario.connect({ historyDays });
    expect(await scenario.waitingRun(connection)).toMatchObject({ state: 'waiting' });
    const { version } = (await scenario.organization.call.get<ConnectionEntry>(connection)).body;
    const change = { version, streams: [microsoft.stream] };
    expectStatus(await scenario.organization.call.patch(connection, change), 200);
    await sandbox.clearFaults();
    const run = await scenario.endedRunAfterPauses(connection);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    await scenario.expectEqualSums([microsoftAds.accounts[0]], historyDays, [microsoft.stream]);
    expect((await alertsOf(scenario.organization)).items).toEqual([]);
  });
});

describe('slow reports', () => {
  it('occupy no slot: a fifth run ends while four wait, and each of the four resumes with its requested report', async () => {
    const scenario = await aPlatformScenario(patient, sandbox, warehouse, metaAds);
    await scenario.fault(meta.fault, meta.selector);
    const worker = workers.start(patient, { ...sandboxSettings(sandbox.url), WORKER_CONCURRENCY: '4' });
    const startedAt = new Date();
    const others = [await aPlatformScenario(patient, sandbox, await startWarehouse(), metaAds)];
    while (others.length < 4) others.push(await aPlatformScenario(patient, sandbox, await startWarehouse(), metaAds));
    const slow: { scenario: PlatformScenario; connection: string }[] = [];
    for (const other of others)
      slow.push({ scenario: other, connection: await other.connect({ historyDays: HISTORY_DAYS, streams: [meta.stream] }) });
    for (const one of slow) await eventually(() => one.scenario.remoteJobs(meta.stream), ([job]) => typeof job === 'string'); // prettier-ignore

    const quick = await scenario.connect({ historyDays: HISTORY_DAYS, streams: ['campaign_daily'] });
    expect(await scenario.endedRun(quick)).toMatchObject({ state: 'succeeded' });
    const ids = await Promise.all(slow.map((one) => one.scenario.remoteJobs(meta.stream)));
    for (const one of slow) {
      expect(await one.scenario.waitingRun(one.connection)).toMatchObject({
        state: 'waiting',
        resumeAt: expect.any(String),
        failure: { class: 'transient', code: 'meta_ads.report_pending', message: 'Meta is still preparing a report (42 %).' },
      });
    }

    await sandbox.clearFaults();
    for (const [index, one] of slow.entries()) {
      const run = await one.scenario.endedRun(one.connection);
      expect(run).toMatchObject({ state: 'succeeded', failure: null, slicesTotal: 1 });
      expect(run.attempts).toHaveLength(1);
      expect(await one.scenario.remoteJobs(meta.stream)).toEqual(ids[index]);
      await one.scenario.expectEqualSums([metaAds.accounts[0]], HISTORY_DAYS, [meta.stream]);
      await one.scenario.warehouse.stop();
    }
    expect((await scenario.slicesRead(startedAt)).filter((name) => name.startsWith(meta.stream))).toHaveLength(4);
    await workers.kill(worker);
  });

  it('end with their run if it is canceled while it waits', async () => {
    const scenario = await aPlatformScenario(patient, sandbox, warehouse, metaAds);
    await scenario.fault(meta.fault, meta.selector);
    const worker = workers.start(patient, sandboxSettings(sandbox.url));
    const connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: [meta.stream] });
    const waiting = await scenario.waitingRun(connection);
    const { call, path } = scenario.organization;
    await call.post(`${path}/runs/${waiting.id}/cancel`);
    await sandbox.clearFaults();
    await scenario.makeWaitingRunsDue();
    expect(await scenario.newestRun(connection)).toMatchObject({ state: 'cancelled', slicesTotal: 1, slicesSkipped: 1 });
    await workers.kill(worker);
  });
});

/** Google streams responses, and Microsoft creates reports of any size, so only Meta has this error. */
describe('a report that Meta finds too big', () => {
  it('is split into halves, which load each row once', async () => {
    const scenario = await aPlatformScenario(impatient, sandbox, warehouse, metaAds);
    await scenario.fault('report_too_big', { level: 'adset', times: 1 });
    const startedAt = new Date();
    const run = await scenario.endedRun(await scenario.connect({ historyDays: HISTORY_DAYS }));
    expect(run).toMatchObject({ state: 'succeeded', failure: null, slicesTotal: 3, slicesDone: 3 });
    const halves = run.slices
      .filter(({ stream }) => stream === meta.stream)
      .toSorted((one, other) => (one.from < other.from ? -1 : 1));
    expect(halves).toHaveLength(2);
    expect(halves[0]?.from).toBe(run.window?.from);
    expect(halves[1]?.to).toBe(run.window?.to);
    expect(new Date(halves[1]?.from ?? '').getTime() - new Date(halves[0]?.to ?? '').getTime()).toBe(86_400_000);
    // Slices below the limit are read once. The whole slice was requested once before its halves.
    expect(await scenario.slicesRead(startedAt)).toHaveLength(4);
    await scenario.expectEqualSums([metaAds.accounts[0]], HISTORY_DAYS);
  });

  it('for a single day and campaign fails with an action, and the other reports are loaded', async () => {
    const scenario = await aPlatformScenario(impatient, sandbox, warehouse, metaAds);
    await scenario.fault('report_too_big', { level: 'adset' });
    const connection = await scenario.connect({ historyDays: 1 });
    const run = await scenario.endedRun(connection);
    expect(run).toMatchObject({
      state: 'partial',
      failure: {
        class: 'data',
        code: 'meta_ads.report_too_large',
        message: expect.stringMatching(/^A single campaign of .* on [\d-]+ is too large for a Meta report\.$/),
        action: 'Remove the report from the source, or choose a coarser one',
      },
    });
    await scenario.expectEqualSums([metaAds.accounts[0]], 1, ['campaign_daily']);
    expect(await scenario.atWarehouse(metaAds.accounts[0], meta.stream)).toMatchObject({ rows: 0 });
  });
});
