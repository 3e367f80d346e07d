import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertsOf } from '../../alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../../factories.js';
import { untilTriggered } from '../../faults.js';
import { aPlatformScenario, doneSlices, type PlatformScenario, sliceName } from '../../platform-scenario.js';
import { googleAds } from '../../platforms.js';

const BROKEN = {
  class: 'permission',
  code: 'bigquery.access_denied',
  message: 'A right is lacking.',
  action: 'Give it',
  providerRequestId: null,
};
const BY_ITSELF = 'No action needed: Tributary retries automatically';
const [ACCOUNT] = googleAds.accounts;
const STREAM = 'campaign_daily';
const BIGQUERY_PROJECT = 'northwind-marketing';
const MIXPANEL_PROJECT = '3100001';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let sourceId: string;

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
  sourceId = await scenario.aSource({});
});

const admin = <Body>(path: string): Promise<Body> => sandbox.admin<Body>(path);

/** A dataset or event name of this test. */
const ownName = () => `ads_${scenario.organization.id.slice(-8)}`;
const historyQuery = () => ({ accountId: ACCOUNT, from: daysAgo(200), to: daysAgo(-1) });

async function aDestination(body: object): Promise<string> {
  const { call, path } = scenario.organization;
  return expectStatus(await call.post<{ id: string }>(`${path}/destinations`, body), 201).body.id;
}

const connect = (destinationId: string, historyDays: number): Promise<string> =>
  scenario.connectTo(destinationId, { historyDays, streams: [STREAM] }, sourceId);

const destinationOf = async (id: string) =>
  (await scenario.organization.call.get<{ state: string; failure: unknown }>(`${scenario.organization.path}/destinations/${id}`))
    .body;

const healthOf = async (connection: string) => (await scenario.organization.call.get<{ health: string }>(connection)).body.health;

/** Marks the destination like another run or check, after this run has begun. */
async function breakWhileRunning(connection: string, destinationId: string): Promise<void> {
  await sandbox.addFault({ provider: 'bigquery', fault: 'rate_limit', resource: 'upload' });
  expectStatus(await scenario.organization.call.post(`${connection}/run`), 202);
  expect(await scenario.waitingRun(connection)).toMatchObject({ state: 'waiting' });
  await app.database.query(
    `update destinations set state = 'permission_denied', failure = $2, updated_at = now() where id = $1`,
    [destinationId, BROKEN],
  );
  await sandbox.clearFaults();
}

describe('BigQuery', () => {
  const fault = (name: string, parameters: object = {}) => sandbox.addFault({ provider: 'bigquery', fault: name, ...parameters });

  const aBigQuery = async (): Promise<string> =>
    aDestination({
      provider: 'bigquery',
      name: 'BigQuery',
      settings: { projectId: BIGQUERY_PROJECT, datasetId: ownName(), location: 'EU' },
      credentials: { serviceAccountKey: JSON.stringify(await admin('bigquery/service-account?name=loader')) },
    });

  const atBigQuery = () => {
    const place = { projectId: BIGQUERY_PROJECT, datasetId: ownName(), tableId: `google_ads_${STREAM}` };
    return admin(`bigquery/totals?${new URLSearchParams({ ...place, ...historyQuery() })}`);
  };
  const expectEqualSums = async (historyDays: number) =>
    expect(await atBigQuery()).toEqual(await scenario.atSource(ACCOUNT, STREAM, historyDays));

  it.each([
    ['executes a load and loses the response', 'fails_after_applying', { resource: 'load' }],
    ['executes a replacement and loses the response', 'fails_after_applying', { resource: 'query' }],
    ['fails a load job with an internal error', 'job_fails', { resource: 'load' }],
    ['fails a replacement with an internal error', 'job_fails', { resource: 'query' }],
    ['temporarily rejects an upload (rateLimitExceeded)', 'rate_limit', { resource: 'upload' }],
    ['aborts a replacement because of a concurrent one', 'concurrent_update', {}],
  ])('that %s gets an immediate retry: nothing is read twice, no row is duplicated', async (_, name, parameters) => {
    const destinationId = await aBigQuery();
    await fault(name, { ...parameters, times: 1 });
    const startedAt = new Date();
    const run = await scenario.endedRun(await connect(destinationId, 20));
    const { faults } = await admin<{ faults: { struckCount: number }[] }>('faults');
    expect(faults.map(({ struckCount }) => struckCount)).toEqual([1]);
    expect(run).toMatchObject({ state: 'succeeded', failure: null, verify: { rows: true, cost: true } });
    expect(run.attempts).toHaveLength(1);
    expect(await scenario.slicesRead(startedAt)).toEqual(run.slices.map(sliceName));
    await expectEqualSums(20);
  });

  it('that keeps rejecting uploads (rateLimitExceeded) makes the run wait, and loaded days are not read again', async () => {
    const destinationId = await aBigQuery();
    await fault('rate_limit', { resource: 'upload', afterRequests: 3 });
    const connection = await connect(destinationId, 150);
    const waiting = await scenario.waitingRun(connection);
    expect(waiting).toMatchObject({
      state: 'waiting',
      resumeAt: expect.any(String),
      failure: {
        class: 'quota',
        code: 'bigquery.rate_limit_exceeded',
        message: 'BigQuery throttles requests.',
        action: BY_ITSELF,
      },
    });
    const done = doneSlices(waiting);
    expect(done).toHaveLength(3);
    const stoppedAt = new Date();
    await sandbox.clearFaults();
    expect(await scenario.endedRunAfterPauses(connection)).toMatchObject({ state: 'succeeded', failure: null });
    const readAfterwards = await scenario.slicesRead(stoppedAt);
    expect(readAfterwards.length).toBeGreaterThan(0);
    expect(readAfterwards.filter((slice) => done.includes(slice))).toEqual([]);
    await expectEqualSums(150);
  });

  it('that revokes a role during the run stops the run, the destination shows the cause, and the next run loads the rest', async () => {
    const destinationId = await aBigQuery();
    await fault('access_denied', { resource: 'upload', afterRequests: 1 });
    const connection = await connect(destinationId, 80);
    const run = await scenario.endedRun(connection);
    const failure = {
      class: 'permission',
      code: 'bigquery.access_denied',
      message: `The account lacks a BigQuery permission for "${BIGQUERY_PROJECT}" or its dataset "${ownName()}".`,
      action: 'Give the account the roles BigQuery Data Editor on the dataset and BigQuery Job User on the project',
    };
    expect(['partial', 'failed']).toContain(run.state);
    expect(run.failure).toMatchObject(failure);
    expect(await destinationOf(destinationId)).toMatchObject({ state: 'permission_denied', failure });
    await sandbox.clearFaults();
    expect(await healthOf(connection)).toBe('failing');
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', failure: null });
    await expectEqualSums(80);
    await eventually(
      () => destinationOf(destinationId),
      ({ state }) => state === 'ready',
    );
    expect(await destinationOf(destinationId)).toMatchObject({ state: 'ready', failure: null });
    expect(await healthOf(connection)).toBe('healthy');
  });

  it('that a user corrects during a run is not marked as broken by that run', async () => {
    const destinationId = await aBigQuery();
    await fault('job_never_finishes', { resource: 'load', times: 1 });
    const connection = await connect(destinationId, 20);
    await untilTriggered(sandbox, 'job_never_finishes');
    const { call, path } = scenario.organization;
    expectStatus(await call.patch(`${path}/destinations/${destinationId}`, { name: 'Corrected', version: 1 }), 200);
    await fault('access_denied');
    expect((await scenario.endedRun(connection)).failure).toMatchObject({ code: 'bigquery.access_denied' });
    expect(await destinationOf(destinationId)).toMatchObject({ name: 'Corrected', state: 'ready', failure: null });
  });

  it('that was marked as broken during a run is marked as working only by a later run', async () => {
    const destinationId = await aBigQuery();
    const connection = await connect(destinationId, 20);
    expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
    await breakWhileRunning(connection, destinationId);
    expect(await scenario.endedRunAfterPauses(connection)).toMatchObject({ state: 'succeeded' });
    expect(await destinationOf(destinationId)).toMatchObject({ state: 'permission_denied', failure: BROKEN });
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await eventually(
      () => destinationOf(destinationId),
      ({ state, failure }) => state === 'ready' && failure === null,
    );
  });

  it('that accepts rows again is marked as working by a run that ends partial because of an account', async () => {
    const destinationId = await aBigQuery();
    const accountIds = [...googleAds.accounts];
    const source = await scenario.aSource({ accountIds });
    await fault('access_denied', { resource: 'upload' });
    const connection = await scenario.connectTo(destinationId, { historyDays: 20, streams: [STREAM] }, source);
    expect(await scenario.endedRun(connection)).toMatchObject({ state: 'failed' });
    expect(await destinationOf(destinationId)).toMatchObject({ state: 'permission_denied' });
    await sandbox.clearFaults();
    await scenario.fault('not_enabled', { customerId: accountIds[1] });
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'partial' });
    expect(await destinationOf(destinationId)).toMatchObject({ state: 'ready', failure: null });
    const { items } = await alertsOf(scenario.organization);
    expect(items.map(({ kind, recoveredAt }) => [kind, recoveredAt !== null]).toSorted()).toEqual([
      ['connection.partial', false],
      ['destination.unreachable', true],
    ]);
  });

  it('that permanently rejects the rows fails the run with an action and loads none of them', async () => {
    const destinationId = await aBigQuery();
    await fault('job_fails', { resource: 'load', reason: 'invalid', message: 'Error while reading data' });
    const connection = await connect(destinationId, 20);
    const run = await scenario.endedRun(connection);
    expect(run).toMatchObject({
      state: 'failed',
      failure: { class: 'schema', code: 'bigquery.invalid', action: 'Undo the change, or choose another table prefix' },
    });
    expect(await atBigQuery()).toMatchObject({ rows: 0 });
    await sandbox.clearFaults();
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await expectEqualSums(20);
  });

  it('that reports every row but loses some is detected in three attempts, and the run fails', async () => {
    const destinationId = await aBigQuery();
    await fault('drop_rows');
    const connection = await connect(destinationId, 20);
    const run = await scenario.endedRun(connection);
    expect(run).toMatchObject({
      state: 'failed',
      failure: {
        class: 'data',
        code: 'bigquery.rows_lost',
        message: expect.stringContaining('BigQuery received fewer rows than were sent. The table was not changed.'),
        action: 'Run again',
      },
    });
    expect(run.slices).toEqual([expect.objectContaining({ state: 'failed', attempts: 3 })]);
    expect(await atBigQuery()).toMatchObject({ rows: 0 });
    await sandbox.clearFaults();
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await expectEqualSums(20);
  });
});

describe('Mixpanel', () => {
  const fault = (name: string, parameters: object = {}) => sandbox.addFault({ provider: 'mixpanel', fault: name, ...parameters });

  const aMixpanel = (): Promise<string> =>
    aDestination({
      provider: 'mixpanel',
      name: 'Mixpanel',
      settings: { projectId: MIXPANEL_PROJECT, residency: 'US', eventName: ownName() },
      credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
    });

  async function expectEqualSums(historyDays: number): Promise<void> {
    const query = new URLSearchParams({ projectId: MIXPANEL_PROJECT, event: ownName(), ...historyQuery() });
    const { sums } = await admin<{ sums: Record<string, string> }>(`mixpanel/totals?${query}`);
    const { costMicros, clicks, impressions } = await scenario.atSource(ACCOUNT, STREAM, historyDays);
    const found = [Math.round(Number(sums['cost']) * 1e6), Number(sums['clicks']), Number(sums['impressions'])];
    expect(found).toEqual([Number(costMicros), clicks, impressions]);
  }

  it('that accepts events and then breaks off gets the same events again and counts each once', async () => {
    const destinationId = await aMixpanel();
    await fault('fail_after_applying', { times: 2 });
    const startedAt = new Date();
    const run = await scenario.endedRun(await connect(destinationId, 20));
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    expect(run.attempts).toHaveLength(1);
    expect(await scenario.slicesRead(startedAt)).toEqual(run.slices.map(sliceName));
    await expectEqualSums(20);
  });

  it('that repeatedly returns 429 makes the run wait for a minute, and the sums are equal afterwards', async () => {
    const destinationId = await aMixpanel();
    await fault('throttle');
    const connection = await connect(destinationId, 20);
    const waiting = await scenario.waitingRun(connection, 90_000);
    expect(waiting).toMatchObject({
      state: 'waiting',
      failure: { class: 'quota', code: 'mixpanel.http_429', message: 'Mixpanel throttles requests.', action: BY_ITSELF },
    });
    const pauseSeconds = (Date.parse(waiting.resumeAt ?? '') - Date.now()) / 1_000;
    expect(pauseSeconds).toBeGreaterThan(50);
    expect(pauseSeconds).toBeLessThanOrEqual(60);
    await sandbox.clearFaults();
    expect(await scenario.endedRunAfterPauses(connection)).toMatchObject({ state: 'succeeded', failure: null });
    await expectEqualSums(20);
  });

  it('that acknowledges events and loses some gets them again, and only then the run succeeds', async () => {
    const destinationId = await aMixpanel();
    await fault('drop_events', { everyNth: 7, times: 1 });
    const run = await scenario.endedRun(await connect(destinationId, 20));
    expect(run).toMatchObject({ state: 'succeeded', failure: null, verify: { rows: true, cost: true } });
    const lost = Math.floor(run.rowsRead / 7);
    expect(run.log.map(({ message }) => message)).toContain(
      `Mixpanel returns other values than were sent for ${lost} rows. They are being corrected. Attempt 1 of 3.`,
    );
    await expectEqualSums(20);
  });
});
