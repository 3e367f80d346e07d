import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import { daysAgo, eventually, expectStatus } from '../../test/factories.js';
import { untilTriggered } from '../../test/faults.js';
import type { Answer } from '../../test/http.js';
import { aPlatformScenario, type PlatformScenario } from '../../test/platform-scenario.js';
import { googleAds } from '../../test/platforms.js';
import { aMember, outboxOf } from '../../test/teams.js';
import type { ConnectionEntry } from '../connections/connections.dto.js';
import type { CoverageAnswer } from '../connections/coverage/coverage.dto.js';
import type { RunDetail, RunPage, RunSummary } from '../sync/api/runs.dto.js';
import type { BackfillBody, BackfillDetail, BackfillEstimate, BackfillPage } from './backfills.dto.js';

const HISTORY_DAYS = 5;
const [FIRST, SECOND] = googleAds.accounts;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let connection: string;

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
  connection = await scenario.connect({ historyDays: HISTORY_DAYS, streams: ['campaign_daily'], accountIds: [FIRST, SECOND] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
});

const call = () => scenario.organization.call;
const post = (body: Partial<BackfillBody>, caller = call()): Promise<Answer<BackfillDetail>> =>
  caller.post<BackfillDetail>(`${connection}/backfills`, { mode: 'fill_missing', ...body });
const start = async (body: Partial<BackfillBody>): Promise<BackfillDetail> => expectStatus(await post(body), 201).body;
const read = async (id: string): Promise<BackfillDetail> =>
  expectStatus(await call().get<BackfillDetail>(`${connection}/backfills/${id}`), 200).body;
const act = async (id: string, verb: string): Promise<BackfillDetail> =>
  expectStatus(await call().post<BackfillDetail>(`${connection}/backfills/${id}/${verb}`), 200).body;
const ended = (id: string): Promise<BackfillDetail> => eventually(() => read(id), ({ endedAt }) => endedAt !== null); // prettier-ignore
const runs = async (): Promise<RunSummary[]> =>
  (await call().get<RunPage>(`${scenario.organization.path}/runs?connectionId=${connection.split('/').at(-1)}`)).body.items;
const runDetail = async (id: string): Promise<RunDetail> =>
  (await call().get<RunDetail>(`${scenario.organization.path}/runs/${id}`)).body;
/** A backfill that waits for its paused connection. */
async function startAndPauseConnection(): Promise<string> {
  await scenario.fault('slow', { delayMs: 400 });
  const { id } = await start(older);
  await eventually(() => read(id), ({ state }) => state === 'running'); // prettier-ignore
  expectStatus(await call().post(`${connection}/pause`), 200);
  await eventually(() => read(id), ({ pausedReason }) => pausedReason === 'connection'); // prettier-ignore
  await sandbox.clearFaults();
  return id;
}
async function resumeConnection(): Promise<void> {
  expectStatus(await call().post(`${connection}/resume`), 200);
  const { ContinueBackfills } = await import('./continue-backfills.js');
  await app.get(ContinueBackfills).continueAll();
}
/** Copies a paused backfill with its connection. The copies have the lowest ids. */
async function copyPaused(backfillId: string, copies: number, first = 1): Promise<void> {
  const id = `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  for (const [table, changes, condition] of [
    ['connections', `'id', ${id}, 'name', 'Copy ' || n`, 'o.id = (select connection_id from backfills where id = $1)'],
    ['backfills', `'id', ${id}, 'connection_id', ${id}`, 'o.id = $1'],
  ])
    await app.database.query(
      `insert into ${table} select changed.* from ${table} o, generate_series(${first}, ${first + copies - 1}) n,
              jsonb_populate_record(o, jsonb_build_object(${changes})) changed where ${condition}`,
      [backfillId],
    );
}
const older = { from: daysAgo(100), to: daysAgo(HISTORY_DAYS + 1) };

describe('a backfill is rejected', () => {
  it.each<[string, object, number, string]>([
    ['an unknown stream', { streams: ['nothing_daily'], preset: 'last_30_days' }, 422, 'connection.unknown_stream'],
    ['a stream that the connection does not load', { streams: ['ad_group_daily'], preset: 'last_30_days' }, 422, 'connection.unknown_stream'],
    ['an account outside the source', { accounts: ['1'], preset: 'last_30_days' }, 422, 'connection.unknown_account'],
    ['a first day after the last', { from: daysAgo(3), to: daysAgo(9) }, 400, 'request.invalid'],
    ['neither a preset nor days', {}, 400, 'request.invalid'],
    ['a preset with days', { preset: 'this_year', ...older }, 400, 'request.invalid'],
    ['days that the platform has deleted', { from: '2005-01-01', to: '2005-12-31' }, 422, 'connection.history_gone'],
    ['days that are all loaded', { from: daysAgo(4), to: daysAgo(2) }, 409, 'backfill.nothing_missing'],
  ])('with %s', async (_, body, status, code) => {
    expect(await post(body)).toMatchObject({ status, body: { code } });
    expect((await call().get<BackfillPage>(`${connection}/backfills`)).body.items).toEqual([]);
  }); // prettier-ignore

  it('for a viewer, while an editor may start it', async () => {
    const viewer = await aMember(app, scenario.organization, 'viewer');
    expect(await post(older, viewer.call)).toMatchObject({ status: 403, body: { code: 'access.role_too_low' } });
    const editor = await aMember(app, scenario.organization, 'editor');
    expect((await post(older, editor.call)).status).toBe(201);
  });

  it('for a paused connection', async () => {
    expectStatus(await call().post(`${connection}/pause`), 200);
    expect(await post(older)).toMatchObject({ status: 409, body: { code: 'connection.paused' } });
  });

  it('if an active one loads some of its days, also when both are requested at the same time', async () => {
    await scenario.fault('slow', { delayMs: 1_000 });
    const answers = await Promise.all([0, 1, 2, 3, 4].map(() => post({ ...older, accounts: [FIRST] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const shifted = { from: daysAgo(60), to: daysAgo(50) };
    expect(await post({ ...shifted, accounts: [FIRST] })).toMatchObject({
      status: 409,
      body: { code: 'backfill.overlaps', detail: `An active backfill already loads ${older.from} to ${older.to}.` },
    });
    expect((await post({ ...shifted, accounts: [SECOND] })).status).toBe(201);
  });
});

describe('a backfill', () => {
  it('starts at the first day that the platform still has, and says why', async () => {
    const answer = await call().post<BackfillEstimate>(`${connection}/backfills/estimate`, {
      mode: 'fill_missing',
      from: '2015-01-01',
      to: daysAgo(10),
    });
    const { from, adjustedFrom, adjustedReason } = expectStatus(answer, 200).body;
    expect(from > '2015-01-01').toBe(true);
    expect([adjustedFrom, adjustedReason]).toEqual([from, `Google Ads no longer has days before ${from}.`]);
  });

  it('loads days before the history newest first, verified, once, and leaves schedule and history alone', async () => {
    const before = (await call().get<ConnectionEntry>(connection)).body;
    const estimate = (await call().post<BackfillEstimate>(`${connection}/backfills/estimate`, { mode: 'fill_missing', ...older }))
      .body;
    const since = new Date();
    const { id } = await start(older);
    const done = await ended(id);
    expect(done).toMatchObject({
      state: 'completed',
      adjustedFrom: null,
      progress: { chunksTotal: 8, chunksDone: 8, chunksFailed: 0, daysTotal: 190, daysDone: 190, secondsLeft: null },
    });
    expect(estimate).toMatchObject({ accountDays: 190, adjustedFrom: null, minutes: 1 });
    expect(estimate.apiCalls).toBeGreaterThanOrEqual(8);
    await scenario.expectEqualSums([FIRST, SECOND], 100, ['campaign_daily']);
    const firstDays = (await scenario.slicesRead(since)).map((name) => name.split('/').at(-1) ?? '');
    expect(firstDays).toHaveLength(8);
    expect([Math.max(...firstDays.slice(0, 2).map(Date.parse)), Math.min(...firstDays.slice(-2).map(Date.parse))]).toEqual([
      Date.parse(daysAgo(HISTORY_DAYS + 31)),
      Date.parse(older.from),
    ]);
    const after = (await call().get<ConnectionEntry>(connection)).body;
    const own = ['historyFrom', 'nextRunAt', 'completeThrough', 'schedule', 'version'] as const;
    for (const field of own) expect(after[field]).toEqual(before[field]);
    expect(after.health).toBe('healthy');
    const next = await scenario.runAgain(connection);
    expect([next.kind, (next.window?.from ?? '') > older.to]).toEqual(['manual', true]);
    const { body } = await call().get<CoverageAnswer>(`${connection}/coverage?from=${older.from}&to=${daysAgo(2)}`);
    expect(body.summary).toMatchObject({ expected: 198, loaded: 198, toRepair: 0 });
    expect(await outboxOf(app, scenario.organization.id, 'Connection Historical Backfill Started')).toHaveLength(1);
  });

  it('reads only the missing days of its range, or all of them if it replaces', async () => {
    const range = { from: daysAgo(10), to: daysAgo(1), accounts: [FIRST] };
    expect(await ended((await start(range)).id)).toMatchObject({ state: 'completed', progress: { daysDone: 5 } });
    const since = new Date();
    expect(await ended((await start({ ...range, mode: 'replace' })).id)).toMatchObject({
      state: 'completed',
      progress: { daysDone: 10 },
    });
    expect(await scenario.slicesRead(since)).toEqual([`campaign_daily/${FIRST}/${daysAgo(10)}`]);
  });

  it('pauses before the next slice, resumes with the remaining chunks, and loads every day once', async () => {
    await scenario.fault('slow', { delayMs: 400 });
    const since = new Date();
    const { id } = await start({ from: daysAgo(400), to: daysAgo(HISTORY_DAYS + 1) });
    await eventually(() => read(id), ({ progress }) => progress.daysDone > 0); // prettier-ignore
    expect(await act(id, 'pause')).toMatchObject({ state: 'paused', pausedReason: 'user' });
    expect(await post(older)).toMatchObject({ status: 409, body: { code: 'backfill.overlaps' } });
    await eventually(runs, ([run]) => run?.state === 'cancelled');
    const paused = await eventually(() => read(id), ({ chunks }) => chunks.every(({ state }) => state !== 'running')); // prettier-ignore
    expect(paused.progress.chunksDone).toBeGreaterThan(0);
    expect(paused.progress.chunksDone).toBeLessThan(paused.progress.chunksTotal);
    await sandbox.clearFaults();
    expect(await act(id, 'resume')).toMatchObject({ state: 'running', pausedReason: null });
    expect(await ended(id)).toMatchObject({ state: 'completed', progress: { chunksDone: paused.progress.chunksTotal } });
    const read_ = await scenario.slicesRead(since);
    expect(new Set(read_).size).toBe(read_.length);
    await scenario.expectEqualSums([FIRST, SECOND], 400, ['campaign_daily']);
  });

  it.each(['fill_missing', 'replace'] as const)(
    'completes when the platform drops its first day before it is read, with the mode %s',
    async (mode) => {
      await scenario.fault('slow', { delayMs: 400 });
      const all = { from: '2015-01-01', to: daysAgo(1_000), mode };
      const { id, from } = await start({ ...all, accounts: [FIRST] });
      await act(id, 'pause');
      await eventually(runs, ([run]) => run?.state === 'cancelled');
      await eventually(() => read(id), ({ chunks }) => chunks.every(({ state }) => state !== 'running')); // prettier-ignore
      await sandbox.clearFaults();
      // As if it had been started the day before, when the platform still had one more day.
      for (const [table, key] of [
        ['backfill_chunks', 'backfill_id'],
        ['backfills', 'id'],
      ] as const)
        // prettier-ignore
        await app.database.query(`update ${table} set day_from = day_from - 1 where ${key} = $1 and day_from = $2`, [id, from]);
      await act(id, 'resume');
      const done = await ended(id);
      expect(done).toMatchObject({ state: 'completed', from, progress: { chunksFailed: 0 } });
      expect((await runs()).filter(({ kind, state }) => kind === 'backfill' && state === 'succeeded')).toHaveLength(1);
    },
  );

  it('is canceled: loaded days stay, and its days are free for another one', async () => {
    await scenario.fault('slow', { delayMs: 400 });
    const { id } = await start(older);
    await eventually(() => read(id), ({ progress }) => progress.daysDone > 0); // prettier-ignore
    expect(await act(id, 'cancel')).toMatchObject({ state: 'cancelled', endedAt: expect.any(String) });
    await sandbox.clearFaults();
    expect(await call().post(`${connection}/backfills/${id}/resume`)).toMatchObject({
      status: 409,
      body: { code: 'backfill.wrong_state' },
    });
    await eventually(runs, ([run]) => run?.state === 'cancelled');
    const { daysDone } = (await eventually(() => read(id), ({ chunks }) => chunks.every(({ state }) => state !== 'running'))).progress; // prettier-ignore
    expect(daysDone).toBeGreaterThan(0);
    const rest = await ended((await start(older)).id);
    expect(rest).toMatchObject({ state: 'completed', progress: { daysTotal: 190 - daysDone } });
  });

  it('retries only the failed chunks', async () => {
    await scenario.fault('permission', { customerId: SECOND });
    const { id } = await start(older);
    const failed = await ended(id);
    expect(failed).toMatchObject({ state: 'completed_with_errors', progress: { chunksDone: 4, chunksFailed: 4 } });
    expect(failed.chunks.find(({ accountId }) => accountId === SECOND)).toMatchObject({
      state: 'failed',
      failure: { class: 'permission' },
    });
    // Only regular runs change the health.
    expect((await call().get<ConnectionEntry>(connection)).body.health).toBe('healthy');
    await sandbox.clearFaults();
    const since = new Date();
    expect(await act(id, 'retry-failed')).toMatchObject({ state: 'running', failure: null });
    expect(await ended(id)).toMatchObject({ state: 'completed', progress: { chunksDone: 8 } });
    const accounts = (await scenario.slicesRead(since)).map((name) => name.split('/')[1]);
    expect(new Set(accounts)).toEqual(new Set([SECOND]));
  });

  it('waits for chunks that a regular run loads, however often its runs have left them out', async () => {
    await scenario.fault('unavailable', { customerId: SECOND });
    expectStatus(await call().post(`${connection}/run`), 202);
    expect(await scenario.waitingRun(connection)).toMatchObject({ kind: 'manual', state: 'waiting' });
    await scenario.fault('slow', { customerId: FIRST, delayMs: 2_000 });
    const { id } = await start({ from: daysAgo(4), to: daysAgo(1), mode: 'replace' });
    // As if this were its tenth run that loads other chunks.
    await app.database.query('update backfill_chunks set attempts = 10 where backfill_id = $1', [id]);
    await eventually(runs, (all) => all.filter(({ kind }) => kind === 'backfill').length === 2);
    await sandbox.clearFaults();
    await scenario.endedRunAfterPauses(connection);
    expect(await ended(id)).toMatchObject({ state: 'completed', progress: { chunksDone: 2 } });
  });

  it('names the cause of chunks that ten runs did not load', async () => {
    await scenario.fault('slow', { delayMs: 8_000 });
    const { id } = await start({ from: daysAgo(4), to: daysAgo(1), mode: 'replace', accounts: [FIRST] });
    await app.database.query('update backfill_chunks set attempts = 10 where backfill_id = $1', [id]);
    await eventually(runs, ([run]) => run?.kind === 'backfill' && run.window !== null);
    expectStatus(await call().post(`${connection}/pause`), 200);
    const { chunks } = await eventually(() => read(id), ({ chunks: [chunk] }) => chunk?.state !== 'running'); // prettier-ignore
    const failure = { code: 'backfill.not_loaded', action: 'Retry the failed chunks' };
    expect(chunks).toMatchObject([{ state: 'failed', failure }]);
  });

  it('makes its remaining chunks smaller after the platform found one too large', async () => {
    await scenario.fault('deadline', { mostDays: 16 });
    const { id, chunks } = await start({ from: daysAgo(600), to: daysAgo(HISTORY_DAYS + 1) });
    const done = await ended(id);
    expect(done).toMatchObject({ state: 'completed', chunkDays: 16, progress: { daysDone: done.progress.daysTotal } });
    expect(done.chunks.length).toBeGreaterThan(chunks.length);
  });

  it('pauses with its connection and continues when the connection is resumed', async () => {
    const id = await startAndPauseConnection();
    await resumeConnection();
    expect(await ended(id)).toMatchObject({ state: 'completed' });
  });

  it('continues although hundreds of other backfills wait for their paused connections', async () => {
    const id = await startAndPauseConnection();
    await copyPaused(id, 501);
    await resumeConnection();
    expect(await ended(id)).toMatchObject({ state: 'completed' });
  });

  it('continues although the backfill of another connection cannot be continued', async () => {
    const id = await startAndPauseConnection();
    await copyPaused(id, 1, 1_000);
    await app.database.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'cannot be continued'; end $$`,
    );
    await app.database.query(
      `create trigger refuse before update on backfills for each row
         when (old.connection_id = '00000000-0000-7000-8000-000000001000') execute function refuse()`,
    );
    await app.database.query(`update connections set desired = 'active', next_run_at = null where name = 'Copy 1000'`);
    await resumeConnection();
    expect(await ended(id)).toMatchObject({ state: 'completed' });
    await app.database.query('drop function refuse cascade');
  });

  it('runs beside a scheduled run, which is not held up and never loads the same days', async () => {
    await scenario.fault('slow', { delayMs: 700 });
    const { id } = await start({ from: daysAgo(40), to: daysAgo(1), mode: 'replace', accounts: [FIRST] });
    await eventually(runs, ([run]) => run?.kind === 'backfill' && run.window !== null);
    const since = new Date();
    expectStatus(await call().post(`${connection}/run`), 202);
    const regular = await eventually(runs, (all) => all.some(({ kind, endedAt, queuedAt }) => kind === 'manual' && endedAt !== null && new Date(queuedAt) >= since)); // prettier-ignore
    const manual = await runDetail(regular.find(({ kind }) => kind === 'manual')?.id ?? '');
    expect(manual.state).toBe('succeeded');
    const other = await ended(id);
    expect(other.state).toBe('completed');
    const loaded = (await Promise.all((await runs()).filter(({ kind }) => kind === 'backfill').map((run) => runDetail(run.id)))).flatMap(({ slices }) => slices); // prettier-ignore
    for (const slice of manual.slices)
      expect(loaded.filter(({ accountId, from, to }) => accountId === slice.accountId && from <= slice.to && slice.from <= to)).toEqual([]); // prettier-ignore
  });
});

describe('a reload', () => {
  const reload = (body: object) => call().post<RunSummary>(`${connection}/reload`, body);

  it('reads exactly the selected days of the selected accounts, and replaces their rows', async () => {
    const day = `account_id = '${FIRST}' and date = '${daysAgo(2)}'`;
    const count = () => warehouse.query(`select count(*)::int as rows from google_ads_campaign_daily where ${day}`);
    const before = await count();
    await warehouse.query(`delete from google_ads_campaign_daily where ${day}`);
    const { id } = expectStatus(await reload({ from: daysAgo(2), to: daysAgo(2), accounts: [FIRST] }), 202).body;
    const run = await eventually(() => runDetail(id), ({ endedAt }) => endedAt !== null); // prettier-ignore
    expect(run).toMatchObject({
      kind: 'repair',
      state: 'succeeded',
      window: { from: daysAgo(2), to: daysAgo(2) },
      slicesTotal: 1,
    });
    expect(await count()).toEqual(before);
  });

  it('is rejected for unknown streams and accounts, reversed days, and while another one is active', async () => {
    const days = { from: daysAgo(3), to: daysAgo(2) };
    expect(await reload({ ...days, streams: ['nothing'] })).toMatchObject({ status: 422 });
    expect(await reload({ ...days, accounts: ['1'] })).toMatchObject({ status: 422 });
    expect(await reload({ from: daysAgo(2), to: daysAgo(3) })).toMatchObject({ status: 400 });
    await scenario.fault('slow', { delayMs: 2_000 });
    expectStatus(await reload(days), 202);
    await untilTriggered(sandbox, 'slow');
    expect(await reload(days)).toMatchObject({ status: 409, body: { code: 'reload.active' } });
    const viewer = await aMember(app, scenario.organization, 'viewer');
    expect((await viewer.call.post(`${connection}/reload`, days)).status).toBe(403);
  });
});
