import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../factories.js';
import { untilTriggered } from '../faults.js';
import { aPlatformScenario, type PlatformScenario } from '../platform-scenario.js';
import { googleAds } from '../platforms.js';
import type { Completeness } from '../../src/connections/coverage/coverage.dto.js';
import type { ConnectionEntry } from '../../src/connections/connections.dto.js';
import type { DestinationEntry } from '../../src/destinations/destinations.dto.js';
import type { RunDetail, RunPage, RunSummary } from '../../src/sync/api/runs.dto.js';

/** Much longer than the lookback window of three days: older days exist only because they were loaded once. */
const HISTORY_DAYS = 40;
const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
const OTHER_STREAM = 'ad_group_daily';
const [LONDON, OTHER = ''] = googleAds.accounts;
const MIXPANEL_PROJECT = '3100001';
const BIGQUERY_PROJECT = 'northwind-marketing';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;

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
});

/** The newest run of this kind. */
async function runOf(connection: string, kind: string): Promise<RunSummary | undefined> {
  const { call, path } = scenario.organization;
  const runs = await call.get<RunPage>(`${path}/runs?connectionId=${connection.split('/').at(-1)}`);
  return runs.body.items.find((run) => run.kind === kind);
}

const wish = (accountIds = [LONDON]) => ({ historyDays: HISTORY_DAYS, streams: [STREAM], accountIds });
const connectionOf = async (path: string) => (await scenario.organization.call.get<ConnectionEntry>(path)).body;
const completenessOf = async (path: string) => (await scenario.organization.call.get<Completeness>(`${path}/completeness`)).body;

const admin = <Body>(path: string): Promise<Body> => sandbox.admin<Body>(path);

async function loaded(path: string): Promise<string> {
  expect(await scenario.endedRun(path)).toMatchObject({ state: 'succeeded', failure: null });
  return path;
}

/** Changes settings of the connection's destination and waits for the run that starts automatically. */
async function move(connection: string, change: object): Promise<RunDetail> {
  const { destination } = await connectionOf(connection);
  const path = `${scenario.organization.path}/destinations/${destination.id}`;
  const { body } = await scenario.organization.call.get<DestinationEntry>(path);
  const before = await scenario.newestRun(connection);
  const answer = await scenario.organization.call.patch(path, {
    version: body.version,
    settings: { ...body.settings, ...change },
  });
  expectStatus(answer, 200);
  return scenario.endedRun(connection, before.id);
}

const expectWhole = async (connection: string) =>
  expect(await completenessOf(connection)).toMatchObject({ isComplete: true, missing: 0, expected: HISTORY_DAYS + 1 });

describe('a table that was deleted', () => {
  beforeEach(() => warehouse.query(`drop table if exists ${TABLE}`));

  it('is filled again with all its history, not only the lookback window', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(`drop table ${TABLE}`);
    const run = await scenario.runAgain(connection);
    expect(run).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    expect(run.log.map(({ message }) => message)).toContain(`${STREAM} is written to a new target: its history is loaded again.`);
    await scenario.expectEqualSums([LONDON], HISTORY_DAYS, [STREAM]);
    await expectWhole(connection);
  });

  it('does not count days as loaded that the run that created it again could not load', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await warehouse.query(`drop table ${TABLE}`);
    await scenario.fault('truncate_rows');
    expect((await scenario.runAgain(connection)).state).not.toBe('succeeded');
    expect(await completenessOf(connection)).toMatchObject({ isComplete: false, missing: HISTORY_DAYS + 1 });
    expect(await connectionOf(connection)).toMatchObject({ completeThrough: null });
    await sandbox.clearFaults();
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await scenario.expectEqualSums([LONDON], HISTORY_DAYS, [STREAM]);
    await expectWhole(connection);
  });

  it('is filled again by every connection that wrote to it', async () => {
    const first = await loaded(await scenario.connect(wish()));
    const { destination, source } = await connectionOf(first);
    const otherSource = await scenario.organization.call.post<{ id: string }>(`${scenario.organization.path}/sources`, {
      appId: source.appId,
      name: 'Other account',
      accountIds: [OTHER],
    });
    const second = await loaded(await scenario.connectTo(destination.id, wish([OTHER]), otherSource.body.id));
    await warehouse.query(`drop table ${TABLE}`);
    expect(await scenario.runAgain(first)).toMatchObject({ state: 'succeeded' });
    expect(await scenario.runAgain(second)).toMatchObject({ state: 'succeeded' });
    await scenario.expectEqualSums([LONDON, OTHER], HISTORY_DAYS, [STREAM]);
  });

  it.each([
    ['reload', 'repair', { from: daysAgo(2), to: daysAgo(0), streams: [OTHER_STREAM] }],
    ['backfills', 'backfill', { mode: 'fill_missing', from: daysAgo(50), to: daysAgo(45), streams: [OTHER_STREAM] }],
  ])('is filled again by another run if the run that finds it loads only other days: %s', async (path, kind, body) => {
    await warehouse.query(`drop table if exists google_ads_${OTHER_STREAM}`);
    const streams = [STREAM, OTHER_STREAM];
    const connection = await loaded(await scenario.connect({ ...wish(), streams }));
    await warehouse.query(`drop table ${TABLE}`);
    const answer = await scenario.organization.call.post(`${connection}/${path}`, body);
    expect(answer.status).toBeOneOf([201, 202]);
    const scoped = await eventually(() => runOf(connection, kind), (run) => run !== undefined && run.endedAt !== null); // prettier-ignore
    expect(scoped).toMatchObject({ state: 'succeeded' });
    const next = await eventually(() => runOf(connection, 'catch_up'), (run) => run !== undefined && run.endedAt !== null); // prettier-ignore
    expect(next).toMatchObject({ state: 'succeeded', trigger: 'destination', window: { from: daysAgo(HISTORY_DAYS) } });
    await scenario.expectEqualSums([LONDON], HISTORY_DAYS, [STREAM]);
    expect(await completenessOf(connection)).toMatchObject({ isComplete: true, missing: 0 });
  });

  it('is filled again after the active run if a reload finds it', async () => {
    await warehouse.query(`drop table if exists google_ads_${OTHER_STREAM}`);
    const streams = [STREAM, OTHER_STREAM];
    const connection = await loaded(await scenario.connect({ ...wish(), streams }));
    await scenario.fault('slow', { delayMs: 3_000 });
    expectStatus(await scenario.organization.call.post(`${connection}/run`), 202);
    await untilTriggered(sandbox, 'slow');
    await warehouse.query(`drop table ${TABLE}`);
    const days = { from: daysAgo(20), to: daysAgo(18), streams: [OTHER_STREAM] };
    const reload = await scenario.organization.call.post<{ id: string }>(`${connection}/reload`, days);
    expectStatus(reload, 202);
    await eventually(
      () => completenessOf(connection),
      ({ missing }) => missing > 0,
    );
    await sandbox.clearFaults();
    await eventually(
      () => completenessOf(connection),
      ({ isComplete }) => isComplete,
    );
    await scenario.expectEqualSums([LONDON], HISTORY_DAYS, [STREAM]);
  });

  it('whose column was replaced is filled again after a planned run that is active if a reload finds it', async () => {
    await warehouse.query(`drop table if exists google_ads_${OTHER_STREAM}`);
    const streams = [STREAM, OTHER_STREAM];
    const connection = await loaded(await scenario.connect({ ...wish(), streams }));
    await scenario.fault('slow', { resource: 'campaign', delayMs: 20_000 });
    expectStatus(await scenario.organization.call.post(`${connection}/run`), 202);
    const active = await eventually(
      () => scenario.newestRun(connection),
      ({ kind, window, endedAt }) => kind === 'manual' && window !== null && endedAt === null,
    );
    await warehouse.query(`alter table ${TABLE} drop column campaign_name`);
    const days = { from: daysAgo(20), to: daysAgo(18), streams: [OTHER_STREAM] };
    expectStatus(await scenario.organization.call.post(`${connection}/reload`, days), 202);
    await eventually(() => runOf(connection, 'repair'), (run) => run !== undefined && run.endedAt !== null); // prettier-ignore
    await sandbox.clearFaults();
    expect((await completenessOf(connection)).missing).toBeGreaterThan(0);
    expect((await runOf(connection, 'manual'))?.endedAt).toBeNull();
    const next = await eventually(
      () => runOf(connection, 'manual'),
      (run) => run !== undefined && run.id !== active.id && run.endedAt !== null,
      60_000,
    );
    expect(next).toMatchObject({ state: 'succeeded', window: { from: daysAgo(HISTORY_DAYS) } });
    expect(await completenessOf(connection)).toMatchObject({ isComplete: true });
  });

  it('that was not changed is not filled again: the next run reads only its lookback window', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded', window: { from: daysAgo(3) } });
  });
});

describe('a destination with a new target', () => {
  beforeEach(() => warehouse.query(`drop table if exists ${TABLE}`));

  it.each([
    ['another table prefix', { tablePrefix: 'moved_' }, `moved_${TABLE}`],
    ['another schema', { schema: 'moved' }, `moved.${TABLE}`],
  ])('%s: a run starts automatically and loads all history there', async (_, change, table) => {
    const connection = await loaded(await scenario.connect(wish()));
    const run = await move(connection, change);
    expect(run).toMatchObject({ state: 'succeeded', trigger: 'destination', window: { from: daysAgo(HISTORY_DAYS) } });
    const [{ rows } = {}] = await warehouse.query<{ rows: number }>(`select count(*)::int as rows from ${table}`);
    expect(rows).toBe((await scenario.atSource(LONDON, STREAM, HISTORY_DAYS)).rows);
    await expectWhole(connection);
    await warehouse.query(`drop table ${table}`);
  });

  it('the old target again: its existing rows are all loaded again', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    await move(connection, { tablePrefix: 'away_' });
    await warehouse.query(`delete from ${TABLE} where date < current_date - 20`);
    expect(await move(connection, { tablePrefix: '' })).toMatchObject({ state: 'succeeded' });
    await scenario.expectEqualSums([LONDON], HISTORY_DAYS, [STREAM]);
  });

  it('another name is not a new target: nothing is read', async () => {
    const connection = await loaded(await scenario.connect(wish()));
    const before = await scenario.newestRun(connection);
    const { destination } = await connectionOf(connection);
    const path = `${scenario.organization.path}/destinations/${destination.id}`;
    const { body } = await scenario.organization.call.get<DestinationEntry>(path);
    const renamed = { version: body.version, name: 'The warehouse', settings: body.settings };
    expectStatus(await scenario.organization.call.patch(path, renamed), 200);
    expect((await scenario.newestRun(connection)).id).toBe(before.id);
  });
});

describe('a Mixpanel destination', () => {
  const sumsOf = async (event: string) => {
    const query = { projectId: MIXPANEL_PROJECT, event, accountId: LONDON, from: daysAgo(200), to: daysAgo(-1) };
    const { sums } = await admin<{ sums: Record<string, string> }>(`mixpanel/totals?${new URLSearchParams(query)}`);
    return { clicks: Number(sums['clicks']), impressions: Number(sums['impressions']) };
  };

  it('with another event name gets all history under it, and returning to the first name duplicates nothing', async () => {
    const [first, second] = [`First ${scenario.organization.id.slice(-8)}`, `Second ${scenario.organization.id.slice(-8)}`];
    const { body } = expectStatus(
      await scenario.organization.call.post<{ id: string }>(`${scenario.organization.path}/destinations`, {
        provider: 'mixpanel',
        name: 'Mixpanel',
        settings: { projectId: MIXPANEL_PROJECT, residency: 'US', eventName: first },
        credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
      }),
      201,
    );
    const connection = await loaded(await scenario.connectTo(body.id, wish()));
    const { clicks, impressions } = await scenario.atSource(LONDON, STREAM, HISTORY_DAYS);
    for (const eventName of [second, first]) {
      expect(await move(connection, { eventName })).toMatchObject({ state: 'succeeded', failure: null });
      expect(await sumsOf(eventName)).toEqual({ clicks, impressions });
    }
    await expectWhole(connection);
  });
});

describe('a BigQuery destination', () => {
  it('with another dataset gets all history there', async () => {
    const datasetId = `ads_${scenario.organization.id.slice(-8)}`;
    const { body } = expectStatus(
      await scenario.organization.call.post<{ id: string }>(`${scenario.organization.path}/destinations`, {
        provider: 'bigquery',
        name: 'BigQuery',
        settings: { projectId: BIGQUERY_PROJECT, datasetId, location: 'EU' },
        credentials: { serviceAccountKey: JSON.stringify(await admin('bigquery/service-account?name=loader')) },
      }),
      201,
    );
    const connection = await loaded(await scenario.connectTo(body.id, wish()));
    expect(await move(connection, { datasetId: `${datasetId}_moved` })).toMatchObject({ state: 'succeeded' });
    const place = { projectId: BIGQUERY_PROJECT, datasetId: `${datasetId}_moved`, tableId: TABLE };
    const asked = { accountId: LONDON, from: daysAgo(200), to: daysAgo(-1) };
    expect(await admin(`bigquery/totals?${new URLSearchParams({ ...place, ...asked })}`)).toEqual(
      await scenario.atSource(LONDON, STREAM, HISTORY_DAYS),
    );
    await expectWhole(connection);
  });
});
