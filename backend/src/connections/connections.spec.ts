import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import {
  aConnection,
  aDestination,
  anOrganization,
  aSource,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
} from '../../test/factories.js';
import { tokenFor } from '../../test/http.js';
import type { RunPage } from '../sync/api/runs.dto.js';
import type { ConnectionEntry, ConnectionPage } from './connections.dto.js';
import type { Estimate } from './estimate.dto.js';
import type { CoverageAnswer, DailyAnswer } from './coverage/coverage.dto.js';
import { ScheduleDue } from './schedule/schedule-due.js';

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
  warehouse = await startWarehouse();
  organization = await anOrganization(app);
});
afterEach(() => warehouse.stop());

const get = async (path: string): Promise<ConnectionEntry> => (await organization.call.get<ConnectionEntry>(path)).body;
const list = async (query = ''): Promise<ConnectionPage> =>
  (await organization.call.get<ConnectionPage>(`${organization.path}/connections${query}`)).body;
const settled = (path: string): Promise<ConnectionEntry> =>
  eventually(
    () => get(path),
    ({ activeRun, lastRun }) => !activeRun && lastRun !== null,
  );

describe('a connection', () => {
  it('returns the loaded rows by day and reports that all days are complete', async () => {
    const { path } = await aConnection(organization, warehouse, { historyDays: 30 });
    const entry = await settled(path);
    expect(entry).toMatchObject({
      health: 'healthy',
      healthReason: 'Every row verified',
      completeThrough: daysAgo(1),
      failure: null,
    });
    expect(entry.rowsByDay).toHaveLength(30);
    expect(entry.rowsByDay.every(({ rows }) => (rows ?? 0) > 0)).toBe(true);
    const { body: coverage } = await organization.call.get<CoverageAnswer>(
      `${path}/coverage?from=${daysAgo(20)}&to=${daysAgo(0)}`,
    );
    expect(coverage.summary).toEqual({ expected: 21, loaded: 21, loading: 0, toRepair: 0 });
    expect(coverage.accounts[0]?.days.map(({ state }) => state)).toEqual([
      ...Array<string>(13).fill('final'),
      ...Array<string>(8).fill('provisional'),
    ]);
    const { body: daily } = await organization.call.get<DailyAnswer>(`${path}/daily?from=${daysAgo(9)}&to=${daysAgo(0)}`);
    const expected = await sandbox.totals('9001000011', daysAgo(9), daysAgo(0));
    expect(daily).toMatchObject({ currency: 'EUR', isMixedCurrency: false });
    expect(String(daily.days.reduce((sum, day) => sum + BigInt(day.costMicros ?? 0), 0n))).toBe(
      expected['campaign_daily']?.costMicros,
    );
  });

  it('returns an estimate of its cost before it is created, and writes nothing', async () => {
    const body = {
      sourceId: await aSource(organization),
      destinationId: await aDestination(organization, warehouse),
      streams: ['campaign_daily'],
      schedule: { kind: 'daily', atTime: '06:00', timeZone: 'Europe/Berlin' },
      historyFrom: daysAgo(61),
    };
    const { body: estimate } = expectStatus(
      await organization.call.post<Estimate>(`${organization.path}/connections/estimate`, body),
      200,
    );
    expect(estimate).toMatchObject({
      lookbackDays: 30,
      firstLoad: { days: 62, slices: 2 },
      sample: { stream: 'campaign_daily' },
    });
    const { campaign_daily: actual } = await sandbox.totals('9001000011', daysAgo(61), daysAgo(0));
    expect(estimate.firstLoad.rows / (actual?.rows ?? 1)).toBeGreaterThan(0.7);
    expect(estimate.firstLoad.rows / (actual?.rows ?? 1)).toBeLessThan(1.3);
    expect(estimate.sample.rows.length).toBeGreaterThan(0);
    expect(estimate.checks.every(({ state }) => state === 'passed')).toBe(true);
    expect(await warehouse.query(`select 1 from pg_tables where schemaname = 'public'`)).toEqual([]);
  });

  it('stops when paused, deletes nothing, and loads missed days automatically when resumed', async () => {
    const { path } = await aConnection(organization, warehouse, { historyDays: 20 });
    await settled(path);
    expect((await organization.call.post<ConnectionEntry>(`${path}/pause`)).body).toMatchObject({
      desired: 'paused',
      health: 'paused',
      nextRunAt: null,
    });
    expect((await organization.call.post(`${path}/run`)).body).toMatchObject({
      status: 409,
      code: 'connection.paused',
      action: expect.any(String),
    });
    expect((await warehouse.query('select 1 from google_ads_campaign_daily limit 1')).length).toBe(1);
    expectStatus(await organization.call.post(`${path}/resume`), 200);
    const { lastRun } = await eventually(
      () => get(path),
      (entry) => !entry.activeRun && entry.lastRun?.kind === 'catch_up',
    );
    expect(lastRun?.state).toBe('succeeded');
  });

  it('loads an earlier history with the next run', async () => {
    const { path } = await aConnection(organization, warehouse, { historyDays: 10 });
    const { version } = await settled(path);
    expectStatus(await organization.call.patch(path, { historyFrom: daysAgo(50), version }), 200);
    expect((await organization.call.get(`${path}/completeness`)).body).toMatchObject({ isComplete: false, missing: 80 });
    expect((await get(path)).completeThrough).toBeNull();
    await organization.call.post(`${path}/run`);
    await eventually(
      async () => (await organization.call.get(`${path}/completeness`)).body,
      (body) => body['isComplete'] === true,
    );
  });

  it('starts once by its schedule if two workers check at the same time', async () => {
    const { id, path } = await aConnection(organization, warehouse, { historyDays: 5 });
    const { version } = await settled(path);
    expectStatus(
      await organization.call.patch(path, { schedule: { kind: 'interval', everyMinutes: 60, timeZone: 'UTC' }, version }),
      200,
    );
    await app.database.query(`update connections set next_run_at = now() - interval '1 minute' where id = $1`, [id]);
    await Promise.all([app.get(ScheduleDue).startDue(), app.get(ScheduleDue).startDue()]);
    await settled(path);
    const { body } = await organization.call.get<RunPage>(`${organization.path}/runs?connectionId=${id}`);
    expect(body.items.map(({ kind }) => kind)).toEqual(['scheduled', 'manual']);
    expect(Date.parse((await get(path)).nextRunAt ?? '')).toBeGreaterThan(Date.now() + 50 * 60_000);
  });

  it('can be restored within 30 days after its deletion and loads missed days', async () => {
    const { id, path } = await aConnection(organization, warehouse, { historyDays: 5 });
    await settled(path);
    expectStatus(await organization.call.delete(path), 204);
    expect(expectStatus(await organization.call.post<ConnectionEntry>(`${path}/restore`), 200).body).toMatchObject({
      desired: 'active',
    });
    await eventually(
      () => get(path),
      ({ activeRun, lastRun }) => !activeRun && lastRun?.kind === 'catch_up',
    );
    expectStatus(await organization.call.delete(path), 204);
    await app.database.query(`update connections set deleted_at = now() - interval '31 days' where id = $1`, [id]);
    expect((await organization.call.post(`${path}/restore`)).status).toBe(404);
  });

  it('cannot be restored after its source was also deleted', async () => {
    const { path } = await aConnection(organization, warehouse, { historyDays: 3 });
    const { source } = await settled(path);
    expectStatus(await organization.call.delete(path), 204);
    expectStatus(await organization.call.delete(`${organization.path}/sources/${source.id}`), 204);
    expect((await organization.call.post(`${path}/restore`)).body).toMatchObject({
      status: 409,
      code: 'connection.parts_gone',
      action: expect.any(String),
    });
  });

  it('can be deleted without changing its loaded rows', async () => {
    const { path } = await aConnection(organization, warehouse, { historyDays: 5 });
    await settled(path);
    expectStatus(await organization.call.delete(path), 204);
    expect((await organization.call.get(path)).status).toBe(404);
    expect((await list()).items).toEqual([]);
    expect((await warehouse.query('select 1 from google_ads_campaign_daily limit 1')).length).toBe(1);
  });

  it.each([
    ['a stream the source does not have', { streams: ['nonsense'] }, 422, 'connection.unknown_stream'],
    ['a source that does not exist', { sourceId: '019a0000-0000-7000-8000-000000000000' }, 404, 'not_found'],
    ['a day that does not exist', { historyFrom: '2026-02-30' }, 400, 'request.invalid'],
    ['a time zone that does not exist', { schedule: { kind: 'manual', timeZone: 'Mars/Olympus' } }, 400, 'request.invalid'],
    ['an interval of a minute', { schedule: { kind: 'interval', everyMinutes: 1, timeZone: 'UTC' } }, 400, 'request.invalid'],
  ])('is rejected with %s', async (_what, change, status, code) => {
    const good = {
      name: 'Search',
      sourceId: await aSource(organization),
      destinationId: await aDestination(organization, warehouse),
      streams: ['campaign_daily'],
      schedule: { kind: 'manual', timeZone: 'UTC' },
      historyFrom: daysAgo(3),
    };
    const answer = await organization.call.post(`${organization.path}/connections`, { ...good, ...change });
    expect(answer).toMatchObject({ status, body: { code } });
    expect((await list()).counts).toEqual({ all: 0 });
  });
});

describe('the list of connections', () => {
  it('returns counts by health, filters, searches and pages, worst first', async () => {
    const sourceId = await aSource(organization);
    const made = [];
    for (let index = 0; index < 3; index += 1)
      made.push(await aConnection(organization, warehouse, { sourceId, historyDays: 3 }));
    for (const { path } of made) await settled(path);
    await organization.call.post(`${made[1]?.path}/pause`);
    expect((await list()).counts).toEqual({ all: 3, healthy: 2, paused: 1 });
    expect((await list('?health=paused')).items.map(({ id }) => id)).toEqual([made[1]?.id]);
    expect((await list('?search=warehouse')).items).toHaveLength(3);
    expect((await list('?search=nothing-like-it')).items).toEqual([]);
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3);
    expect(second.nextCursor).toBeNull();
  });
});

describe('the live stream', () => {
  it('sends the progress of a run to members and nothing to other users', async () => {
    const { path } = await aConnection(organization, warehouse, { historyDays: 3 });
    await settled(path);
    const outsider = await anOrganization(app);
    const refused = await fetch(`${app.url}${organization.path}/events`, {
      headers: { authorization: `Bearer ${tokenFor(outsider.owner)}` },
    });
    expect(refused.status).toBe(404);
    await refused.text();
    const ending = new AbortController();
    const stream = await fetch(`${app.url}${organization.path}/events`, {
      headers: { authorization: `Bearer ${tokenFor(organization.owner)}` },
      signal: ending.signal,
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    await organization.call.post(`${path}/run`);
    let heard = '';
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      heard += chunk;
      if (heard.includes('"state":"succeeded"')) break;
    }
    ending.abort();
    expect(heard).toContain('event: run');
    expect(heard).toContain('event: connection');
  });
});
