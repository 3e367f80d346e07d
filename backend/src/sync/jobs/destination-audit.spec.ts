import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../../test/connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../../../test/factories.js';
import { aPlatformScenario, type PlatformScenario } from '../../../test/platform-scenario.js';
import { googleAds } from '../../../test/platforms.js';
import type { BackfillDetail } from '../../backfills/backfills.dto.js';
import type { Completeness } from '../../connections/coverage/coverage.dto.js';
import type { ConnectionAudit, DestinationAuditEntry } from '../api/destination-audits.dto.js';
import { DestinationAudits } from '../api/destination-audits.service.js';

/** Much longer than the lookback window of three days: no scheduled run reads these days again. */
const HISTORY_DAYS = 30;
const STREAM = 'campaign_daily';
const TABLE = `google_ads_${STREAM}`;
const [LONDON] = googleAds.accounts;

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
  await warehouse.query(`drop table if exists ${TABLE}`);
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
});

async function aLoadedConnection(): Promise<string> {
  const connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: [STREAM] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
  return connection;
}

const auditOf = async (connection: string) => (await scenario.organization.call.get<ConnectionAudit>(`${connection}/audit`)).body;
const completenessOf = async (path: string) => (await scenario.organization.call.get<Completeness>(`${path}/completeness`)).body;

async function endedAudit(connection: string, since: string | null): Promise<DestinationAuditEntry> {
  const answer = await eventually(
    () => auditOf(connection),
    ({ current, last }) => current === null && last !== null && last.id !== since,
  );
  return answer.last as DestinationAuditEntry;
}

async function audit(connection: string): Promise<DestinationAuditEntry> {
  const before = await auditOf(connection);
  const answer = await scenario.organization.call.post<ConnectionAudit>(`${connection}/audit`);
  const { current, last } = expectStatus(answer, 202).body;
  // A short audit may have ended before the response was read.
  expect((current ?? last)?.id).not.toBe(before.last?.id);
  return endedAudit(connection, before.last?.id ?? null);
}

const old = `date between '${daysAgo(20)}' and '${daysAgo(16)}'`;
const count = async (condition: string) =>
  (
    await warehouse.query<{ rows: number; cost: string }>(
      `select count(*)::int as rows, coalesce(sum(cost_micros), 0)::text as cost from ${TABLE} where ${condition}`,
    )
  )[0] as { rows: number; cost: string };

async function expectRepaired(connection: string, days = HISTORY_DAYS): Promise<void> {
  // The repair run is queued after the audit has ended.
  const run = await eventually(
    () => scenario.newestRun(connection),
    ({ trigger, endedAt }) => trigger === 'audit' && endedAt !== null,
  );
  expect(run).toMatchObject({ state: 'succeeded', kind: 'repair' });
  expect(await auditOf(connection)).toMatchObject({ last: { runId: run.id } });
  await scenario.expectEqualSums([LONDON], days, [STREAM]);
  expect(await completenessOf(connection)).toMatchObject({ isComplete: true, missing: 0 });
  expect(await audit(connection)).toMatchObject({ state: 'done', differingAccountDays: 0, differences: [], runId: null });
}

describe('an audit of old days', () => {
  it('finds deleted rows, names them and loads them again, although the run before succeeded', async () => {
    const connection = await aLoadedConnection();
    const gone = await count(old);
    await warehouse.query(`delete from ${TABLE} where ${old}`);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    const found = await audit(connection);
    expect(found).toMatchObject({
      state: 'done',
      trigger: 'user',
      tables: 1,
      accountDays: HISTORY_DAYS + 1,
      accountDaysBySums: 0,
      differingAccountDays: 5,
      failure: null,
    });
    expect(found.differences).toEqual([
      {
        stream: STREAM,
        table: TABLE,
        accountId: LONDON,
        accountName: expect.any(String),
        currency: expect.stringMatching(/^[A-Z]{3}$/),
        from: daysAgo(20),
        to: daysAgo(16),
        days: 5,
        rowsMissing: gone.rows,
        rowsExtra: 0,
        costMissingMicros: gone.cost,
        costExtraMicros: '0',
        lostColumns: [],
      },
    ]);
    await expectRepaired(connection);
  });

  it('finds deleted rows that a backfill had loaded before the start date, and loads them again', async () => {
    const connection = await scenario.connect({ historyDays: 10, streams: [STREAM] });
    expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
    const backfill = { mode: 'fill_missing', from: daysAgo(40), to: daysAgo(11) };
    const { id } = expectStatus(
      await scenario.organization.call.post<{ id: string }>(`${connection}/backfills`, backfill),
      201,
    ).body;
    const read = async () => (await scenario.organization.call.get<BackfillDetail>(`${connection}/backfills/${id}`)).body;
    expect(await eventually(read, ({ endedAt }) => endedAt !== null)).toMatchObject({ state: 'completed' });
    await warehouse.query(`delete from ${TABLE} where date = '${daysAgo(30)}'`);
    const found = await audit(connection);
    expect(found).toMatchObject({
      accountDays: 41,
      differingAccountDays: 1,
      differences: [{ from: daysAgo(30), to: daysAgo(30) }],
    });
    await expectRepaired(connection, 40);
  });

  it('reports all rows of a truncated table as missing', async () => {
    const connection = await aLoadedConnection();
    await warehouse.query(`truncate ${TABLE}`);
    const found = await audit(connection);
    expect(found.differences).toMatchObject([{ from: daysAgo(HISTORY_DAYS), to: daysAgo(0) }]);
    await expectRepaired(connection);
  });

  it('reports duplicated rows as extra', async () => {
    const connection = await aLoadedConnection();
    const doubled = await count(old);
    await warehouse.query(`alter table ${TABLE} drop constraint ${TABLE}_pkey`);
    await warehouse.query(`insert into ${TABLE} select * from ${TABLE} where ${old}`);
    const found = await audit(connection);
    expect(found).toMatchObject({ differingAccountDays: 5 });
    expect(found.differences).toMatchObject([
      { rowsMissing: 0, rowsExtra: doubled.rows, costMissingMicros: '0', costExtraMicros: doubled.cost },
    ]);
    // The table cannot be loaded without its key: the days stay missing until the key is restored.
    await scenario.endedRun(connection);
    expect(await completenessOf(connection)).toMatchObject({ isComplete: false, missing: 5 });
  });

  it.each([
    ['changed conversions', 'conversions = conversions + 1'],
    ['renamed campaigns', `campaign_name = campaign_name || ' (old)'`],
    ['an emptied column', 'view_through_conversions = null'],
    ['cost moved between rows', `cost_micros = cost_micros + case when campaign_id % 2 = 0 then 1 else -1 end`],
  ])('detects %s although no row is missing', async (_, assignment) => {
    const connection = await aLoadedConnection();
    await warehouse.query(`update ${TABLE} set ${assignment} where ${old}`);
    const found = await audit(connection);
    expect(found.differingAccountDays).toBe(5);
    expect(found.differences).toMatchObject([{ rowsMissing: 0, rowsExtra: 0 }]);
    await expectRepaired(connection);
  });

  it('detects rows restored from a backup that differ from the rows loaded since', async () => {
    const connection = await aLoadedConnection();
    await warehouse.query(`create table backup as select * from ${TABLE}`);
    await scenario.fault('restate', { [googleAds.parameter]: LONDON, from: daysAgo(20), to: daysAgo(1) });
    await app.database.query(`update coverage set state = 'missing' where connection_id = $1`, [connection.split('/').at(-1)]);
    expect(await scenario.runAgain(connection)).toMatchObject({ state: 'succeeded' });
    await warehouse.query(`truncate ${TABLE}; insert into ${TABLE} select * from backup; drop table backup`);
    expect((await audit(connection)).differingAccountDays).toBeGreaterThan(10);
    await expectRepaired(connection);
  });
});

it('a renamed column counts as lost, also after a run has created it again without values', async () => {
  const connection = await aLoadedConnection();
  await warehouse.query(`alter table ${TABLE} rename column conversions to conv`);
  const found = await audit(connection);
  expect(found.differences).toMatchObject([{ lostColumns: ['conversions'] }]);
  await expectRepaired(connection);
});

it('all days of a dropped table are missing', async () => {
  const connection = await aLoadedConnection();
  const all = await count('true');
  await warehouse.query(`drop table ${TABLE}`);
  const found = await audit(connection);
  expect(found.differences.reduce((sum, { rowsMissing }) => sum + rowsMissing, 0)).toBe(all.rows);
  await expectRepaired(connection);
});

it('an audit waits for an active run and reports no rows that the run is changing', async () => {
  const connection = await aLoadedConnection();
  await scenario.fault('slow', { delayMs: 1_500, times: 2 });
  expectStatus(await scenario.organization.call.post(`${connection}/run`), 202);
  const found = await audit(connection);
  expect(found).toMatchObject({ state: 'done', differingAccountDays: 0 });
  expect((await scenario.newestRun(connection)).endedAt?.localeCompare(found.startedAt ?? '')).toBe(-1);
});

it('compares a long history in parts, and reports lost days as one range', async () => {
  const connection = await aLoadedConnection();
  expectStatus(await scenario.organization.call.post(`${connection}/pause`), 200);
  const DAYS = 9_000;
  await app.database.query(
    `insert into coverage (organization_id, connection_id, stream, account_id, day, state, rows, first_loaded_at, last_verified_at)
     select organization_id, connection_id, stream, account_id, day - n, 'final', 2, first_loaded_at, last_verified_at
       from coverage cross join generate_series(1, $2::int) n where connection_id = $1 and account_id = $3 and day = $4`,
    [connection.split('/').at(-1), DAYS - HISTORY_DAYS, LONDON, daysAgo(HISTORY_DAYS)],
  );
  const found = await audit(connection);
  expect(found).toMatchObject({ state: 'done', accountDays: DAYS + 1, differingAccountDays: DAYS - HISTORY_DAYS });
  expect(found.differences).toMatchObject([
    { from: daysAgo(DAYS), to: daysAgo(HISTORY_DAYS + 1), days: DAYS - HISTORY_DAYS, rowsMissing: 2 * (DAYS - HISTORY_DAYS) },
  ]);
  expect(await completenessOf(connection)).toMatchObject({ missing: 0 });
  expect(
    await app.database.query(`select count(*)::int as days from coverage where connection_id = $1 and state = 'missing'`, [
      connection.split('/').at(-1),
    ]),
  ).toEqual([{ days: DAYS - HISTORY_DAYS }]);
});

it('an audit whose job is lost does not block the next one', async () => {
  const connection = await aLoadedConnection();
  const id = connection.split('/').at(-1);
  await app.database.query(
    `insert into destination_audits (organization_id, id, connection_id, state, trigger)
     select organization_id, gen_random_uuid(), id, 'running', 'night' from connections where id = $1`,
    [id],
  );
  const answer = await scenario.organization.call.post<ConnectionAudit>(`${connection}/audit`);
  expectStatus(answer, 202);
  expect(await endedAudit(connection, null)).toMatchObject({ state: 'done', trigger: 'user' });
  expect(
    await app.database.query(
      `select failure->>'code' as code from destination_audits where connection_id = $1 and state = 'failed'`,
      [id],
    ),
  ).toEqual([{ code: 'sync.audit_lost' }]);
});

it('a second request returns the queued audit', async () => {
  const connection = await aLoadedConnection();
  const answers = await Promise.all([1, 2, 3].map(() => scenario.organization.call.post<ConnectionAudit>(`${connection}/audit`)));
  for (const answer of answers) expectStatus(answer, 202);
  await endedAudit(connection, null);
  const [{ audits } = {}] = await app.database.query<{ audits: number }>(
    'select count(*)::int as audits from destination_audits where connection_id = $1',
    [connection.split('/').at(-1)],
  );
  expect(audits).toBe(1);
});

it('compares days that were loaded before every column was summed by rows, cost, clicks and impressions', async () => {
  const connection = await aLoadedConnection();
  await app.database.query('update coverage set content_hash = null where connection_id = $1', [connection.split('/').at(-1)]);
  expect(await audit(connection)).toMatchObject({ differingAccountDays: 0, accountDaysBySums: HISTORY_DAYS + 1 });
  await warehouse.query(`update ${TABLE} set clicks = clicks + 1 where ${old}`);
  expect(await audit(connection)).toMatchObject({ differingAccountDays: 5 });
  await scenario.endedRun(connection);
});

it('a destination that rejects the password fails the audit with an action and changes nothing', async () => {
  const connection = await aLoadedConnection();
  await app.database.query(`update destinations set settings = settings || '{"database":"nowhere"}'`);
  expect(await audit(connection)).toMatchObject({
    state: 'failed',
    failure: { class: 'config', action: expect.any(String) },
    differingAccountDays: 0,
  });
  expect(await completenessOf(connection)).toMatchObject({ isComplete: true });
});

it('the nightly job audits active connections and skips paused ones', async () => {
  const [active, paused] = [await aLoadedConnection(), await scenario.connect({ historyDays: 3, streams: [STREAM] })];
  await scenario.endedRun(paused);
  expectStatus(await scenario.organization.call.post(`${paused}/pause`), 200);
  await warehouse.query(`delete from ${TABLE} where ${old}`);
  await app.get(DestinationAudits).startNightly();
  await app.database.query(`update graphile_worker._private_jobs set run_at = now() where key like 'audit:%'`);
  expect(await endedAudit(active, null)).toMatchObject({ trigger: 'night', requestedBy: null, differingAccountDays: 5 });
  await scenario.endedRun(active);
  expect(await auditOf(paused)).toEqual({ isAudited: true, current: null, last: null });
});

it('rejects the audit of a Mixpanel destination with a message', async () => {
  const { call, path } = scenario.organization;
  const { body } = expectStatus(
    await call.post<{ id: string }>(`${path}/destinations`, {
      provider: 'mixpanel',
      name: 'Mixpanel',
      settings: { projectId: '3100001', residency: 'US', eventName: `ads_${scenario.organization.id.slice(-8)}` },
      credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
    }),
    201,
  );
  const connection = await scenario.connectTo(body.id, { historyDays: 3, streams: [STREAM] });
  expect(await auditOf(connection)).toEqual({ isAudited: false, current: null, last: null });
  const answer = await call.post<{ code: string }>(`${connection}/audit`);
  expect(expectStatus(answer, 409).body).toMatchObject({ code: 'connection.not_audited' });
  await scenario.endedRun(connection);
});
