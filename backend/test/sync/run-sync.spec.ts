import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { untilEventsDelivered } from '../alerts.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import {
  aConnectedApp,
  aConnection,
  anOrganization,
  aSource,
  authorize,
  type Connection,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
} from '../factories.js';
import type { RunDetail, RunSummary } from '../../src/sync/api/runs.dto.js';
import * as runs from '../runs.js';

const GERMANY = '9001000011';
const USA = '9001000012';
const JAPAN = '9001000013';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;

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
  organization = await anOrganization(app);
});
afterEach(() => warehouse.stop());

const newestRun = (connection: Connection) => runs.newestRun(organization, connection.id);
const endedRun = (connection: Connection) => runs.endedRun(app, organization, connection.id);
async function runAgain(connection: Connection): Promise<RunDetail> {
  expectStatus(await organization.call.post<RunSummary>(`${connection.path}/run`), 202);
  return endedRun(connection);
}
const health = async (connection: Connection) =>
  (await organization.call.get<{ health: string; failure: unknown }>(connection.path)).body;

interface TableSums {
  rows: number;
  costMicros: string;
  clicks: number;
  impressions: number;
}

async function atWarehouse(table: string, accountId: string): Promise<TableSums> {
  const [sums] = await warehouse.query<TableSums>(
    `select count(*)::int as rows, coalesce(sum(cost_micros), 0)::text as "costMicros", coalesce(sum(clicks), 0)::float8 as clicks,
            coalesce(sum(impressions), 0)::float8 as impressions
       from google_ads_${table} where account_id = $1`,
    [accountId],
  );
  return sums as TableSums;
}

/** Expects the warehouse to equal the sandbox's totals, to the micro. */
async function expectEqualSums(accountIds: string[], historyDays: number): Promise<void> {
  for (const accountId of accountIds) {
    const expected = await sandbox.totals(accountId, daysAgo(historyDays), daysAgo(-1));
    expect(expected['campaign_daily']?.rows).toBeGreaterThan(100);
    expect(await atWarehouse('campaign_daily', accountId)).toEqual(expected['campaign_daily']);
    expect(await atWarehouse('ad_group_daily', accountId)).toEqual(expected['ad_group_daily']);
  }
}

describe('a run', () => {
  it('loads every row of every account in its time zone, and succeeds because both totals are equal', async () => {
    const connection = await aConnection(organization, warehouse, { accountIds: [GERMANY, USA, JAPAN], historyDays: 90 });
    const run = await endedRun(connection);
    expect(run).toMatchObject({ state: 'succeeded', failure: null, trigger: 'first_run' });
    expect(run.verify).toEqual({
      rows: true,
      cost: true,
      expected: { rows: run.rowsRead, costMicros: expect.any(String) },
      found: { rows: run.rowsRead, costMicros: run.verify?.expected.costMicros },
    });
    expect(run.slices.every((slice) => slice.state === 'done')).toBe(true);
    expect(run.requests.length).toBe(run.apiCalls);
    await expectEqualSums([GERMANY, USA, JAPAN], 90);
    const { body } = await organization.call.get(`${connection.path}/completeness`);
    expect(body).toMatchObject({ isComplete: true, missing: 0 });
  });

  it('leaves the same rows without duplicates in a second run', async () => {
    const connection = await aConnection(organization, warehouse);
    await endedRun(connection);
    const first = await atWarehouse('campaign_daily', GERMANY);
    const again = await runAgain(connection);
    expect(again.state).toBe('succeeded');
    expect(await atWarehouse('campaign_daily', GERMANY)).toEqual(first);
    // Final days are not read again, only the lookback window.
    expect(again.window?.from).toBe(daysAgo(7));
    await expectEqualSums([GERMANY], 40);
  });

  it('loads rows that the source restated within the lookback window', async () => {
    const connection = await aConnection(organization, warehouse, { historyDays: 20 });
    await endedRun(connection);
    await sandbox.addFault({ fault: 'restate', customerId: GERMANY, from: daysAgo(5), to: daysAgo(2) });
    const before = await atWarehouse('campaign_daily', GERMANY);
    expect((await runAgain(connection)).state).toBe('succeeded');
    expect(await atWarehouse('campaign_daily', GERMANY)).not.toEqual(before);
    await expectEqualSums([GERMANY], 20);
  });

  it('returns the active run for a second request', async () => {
    const connection = await aConnection(organization, warehouse);
    await sandbox.addFault({ fault: 'slow', delayMs: 500 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => organization.call.post<RunSummary>(`${connection.path}/run`)),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    await sandbox.clearFaults();
    expect((await endedRun(connection)).state).toBe('succeeded');
  });

  it('stops when it is canceled, and the next run loads the rest', async () => {
    await sandbox.addFault({ fault: 'slow', delayMs: 400 });
    const connection = await aConnection(organization, warehouse, { historyDays: 200 });
    const running = await eventually(
      () => newestRun(connection),
      (run) => run.slicesDone > 0,
    );
    expectStatus(await organization.call.post(`${organization.path}/runs/${running.id}/cancel`), 202);
    expect((await newestRun(connection)).state).toBe('cancelled');
    await sandbox.clearFaults();
    expect((await runAgain(connection)).state).toBe('succeeded');
    await expectEqualSums([GERMANY], 200);
  });
});

describe('a run with faults', () => {
  it('does not succeed if the warehouse acknowledges rows and loses them', async () => {
    const connection = await aConnection(organization, warehouse);
    await endedRun(connection);
    await warehouse.query('delete from google_ads_campaign_daily');
    await warehouse.query(`create function lose() returns trigger language plpgsql as $$ begin
      if random() < 0.05 then return null; end if; return new; end $$`);
    await warehouse.query('create trigger lose before insert on google_ads_campaign_daily for each row execute function lose()');
    const run = await runAgain(connection);
    expect(['failed', 'partial']).toContain(run.state);
    expect(run.failure).toMatchObject({ class: 'destination', code: 'sync.mismatch', action: expect.any(String) });
    expect(run.verify).toMatchObject({ rows: false });
    expect(run.verify?.found.rows).toBeLessThan(run.verify?.expected.rows ?? 0);
    expect((await organization.call.get(`${connection.path}/completeness`)).body).toMatchObject({ isComplete: false });
    await warehouse.query('drop trigger lose on google_ads_campaign_daily');
    expect((await runAgain(connection)).state).toBe('succeeded');
  });

  it.each(['truncate_rows', 'truncate_json', 'repeat_page'])(
    'does not succeed and loads nothing if the source returns %s',
    async (fault) => {
      await sandbox.addFault({ fault });
      const connection = await aConnection(organization, warehouse, { historyDays: 20 });
      const run = await endedRun(connection);
      expect(run.state).toBe('failed');
      expect(run.failure).toMatchObject({ class: 'data', action: expect.any(String) });
      expect(await atWarehouse('campaign_daily', GERMANY)).toMatchObject({ rows: 0 });
      expect(await health(connection)).toMatchObject({ health: 'failing', healthReason: run.failure?.message });
      await sandbox.clearFaults();
      expect((await runAgain(connection)).state).toBe('succeeded');
      await expectEqualSums([GERMANY], 20);
    },
  );

  it('retries immediately after one truncated response', async () => {
    await sandbox.addFault({ fault: 'truncate_rows', times: 1 });
    const connection = await aConnection(organization, warehouse, { historyDays: 20 });
    expect((await endedRun(connection)).state).toBe('succeeded');
    await expectEqualSums([GERMANY], 20);
  });

  it('waits as long as the provider requests and then loads everything', async () => {
    const sourceId = await aSource(organization);
    await sandbox.addFault({ fault: 'throttle', retryDelaySeconds: 2, times: 1 });
    const connection = await aConnection(organization, warehouse, { sourceId, historyDays: 20 });
    const waiting = await eventually(
      () => newestRun(connection),
      (run) => run.state === 'waiting',
    );
    expect(waiting.failure).toMatchObject({ class: 'quota' });
    expect((await health(connection)).health).toBe('rate_limited');
    const run = await endedRun(connection);
    expect(run.state).toBe('succeeded');
    expect(run.quotaWaitMs).toBeGreaterThan(1_000);
    await expectEqualSums([GERMANY], 20);
  });

  it('gets a new token when the old one expires during the run', async () => {
    await sandbox.addFault({ fault: 'expire_token', afterRequests: 4, times: 1 });
    const connection = await aConnection(organization, warehouse, { historyDays: 90 });
    expect((await endedRun(connection)).state).toBe('succeeded');
    await expectEqualSums([GERMANY], 90);
  });

  it('reports a revoked sign-in, and one reconnect repairs it', async () => {
    const appId = await aConnectedApp(organization);
    const sourceId = await aSource(organization, { appId });
    await sandbox.addFault({ fault: 'revoke' });
    const connection = await aConnection(organization, warehouse, { sourceId, historyDays: 20 });
    const run = await endedRun(connection);
    expect(run).toMatchObject({ state: 'failed', failure: { class: 'auth', action: expect.stringContaining('Reconnect') } });
    expect(await health(connection)).toMatchObject({ health: 'needs_reauth', failure: { class: 'auth' } });
    expect((await organization.call.get(`${organization.path}/apps/${appId}`)).body).toMatchObject({ state: 'needs_reauth' });
    expect(await warehouse.query(`select 1 from pg_class where relname = 'google_ads_campaign_daily' and reltuples > 0`)).toEqual(
      [],
    );
    expectStatus(await authorize(organization, appId), 200);
    await untilEventsDelivered(app);
    expect(await endedRun(connection)).toMatchObject({ kind: 'catch_up', trigger: 'reconnect', state: 'succeeded' });
    await expectEqualSums([GERMANY], 20);
  });

  it('loads the other accounts if one is not accessible, and reports the missing one', async () => {
    const appId = await aConnectedApp(organization, 'limited@example.com');
    const sourceId = await aSource(organization, { appId, accountIds: [GERMANY, USA] });
    const connection = await aConnection(organization, warehouse, { sourceId, historyDays: 20 });
    const run = await endedRun(connection);
    expect(run).toMatchObject({ state: 'partial', failure: { class: 'permission', action: expect.any(String) } });
    expect(run.verification.map(({ accountId, isEqual }) => [accountId, isEqual])).toEqual(
      expect.arrayContaining([
        [GERMANY, true],
        [USA, false],
      ]),
    );
    expect((await health(connection)).health).toBe('partial');
    await expectEqualSums([GERMANY], 20);
  });

  it('does not succeed if the app no longer has access to a selected account', async () => {
    const connection = await aConnection(organization, warehouse, { accountIds: [GERMANY, USA], historyDays: 10 });
    expect((await endedRun(connection)).state).toBe('succeeded');
    await app.database.query(
      `update apps set accounts = (select jsonb_agg(account) from jsonb_array_elements(accounts) account
                                    where account->>'externalId' <> $2) where organization_id = $1 and provider = 'google_ads'`,
      [organization.id, USA],
    );
    const run = await runAgain(connection);
    expect(run).toMatchObject({ state: 'partial', failure: { class: 'permission', action: expect.any(String) } });
    expect(run.slices.filter(({ accountId }) => accountId === USA).map(({ state }) => state)).toEqual(['skipped', 'skipped']);
    const { body } = await organization.call.get<{ source: { accounts: { externalId: string; status: string }[] } }>(
      connection.path,
    );
    expect(body.source.accounts).toContainEqual(expect.objectContaining({ externalId: USA, status: 'closed' }));
  });

  it('reports a password that was changed at the warehouse, with an action', async () => {
    const loader = `loader_${Date.now()}`;
    await warehouse.query(`create role ${loader} login password 'first'`);
    await warehouse.query(`grant all on schema public to ${loader}`);
    const as = { ...warehouse, settings: { ...warehouse.settings, user: loader, password: 'first' } };
    const connection = await aConnection(organization, as, { historyDays: 20 });
    expect((await endedRun(connection)).state).toBe('succeeded');
    const before = await atWarehouse('campaign_daily', GERMANY);
    await warehouse.query(`alter role ${loader} password 'second'`);
    // A server and the worker keep signed-in sessions for ten seconds.
    await warehouse.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${loader}'`);
    const run = await runAgain(connection);
    expect(run).toMatchObject({
      state: 'failed',
      failure: { class: expect.stringMatching(/config|destination|permission|auth/), action: expect.any(String) },
    });
    expect(JSON.stringify(run)).not.toContain('first"');
    expect(await atWarehouse('campaign_daily', GERMANY)).toEqual(before);
    expect((await health(connection)).health).toBe('needs_reauth');
    const { body } = await organization.call.get<{ items: { id: string; version: number; state: string }[] }>(
      `${organization.path}/destinations`,
    );
    expect(body.items[0]?.state).not.toBe('ready');
    const path = `${organization.path}/destinations/${body.items[0]?.id}`;
    expectStatus(
      await organization.call.patch(path, { credentials: { password: 'second' }, version: body.items[0]?.version }),
      200,
    );
    expect((await runAgain(connection)).state).toBe('succeeded');
    await warehouse.query(`drop owned by ${loader} cascade`);
    await warehouse.query(`drop role ${loader}`);
  });
});

describe('a run whose worker crashes', () => {
  it('cannot be committed by a worker that lost the lease', async () => {
    await sandbox.addFault({ fault: 'slow', delayMs: 300 });
    const connection = await aConnection(organization, warehouse, { historyDays: 200 });
    const running = await eventually(
      () => newestRun(connection),
      (run) => run.slicesDone > 0,
    );
    // Another worker claims the run: from here on, writes of the first one are rejected.
    await app.database.query(`update runs set lease_epoch = nextval('lease_epoch') where id = $1`, [running.id]);
    const stolen = await newestRun(connection);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await newestRun(connection)).slicesDone).toBe(stolen.slicesDone);
    await sandbox.clearFaults();
    await app.database.query(
      `select graphile_worker.add_job('run-sync', json_build_object('organizationId', organization_id, 'runId', id)) from runs where id = $1`,
      [running.id],
    );
    expect((await endedRun(connection)).state).toBe('succeeded');
    await expectEqualSums([GERMANY], 200);
  });
});
