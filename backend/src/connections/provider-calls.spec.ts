import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import {
  aConnectedApp,
  aDestination,
  anOrganization,
  aSource,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
  utcDaysAgo,
} from '../../test/factories.js';
import type { Answer, Caller } from '../../test/http.js';
import type { LoggedRequest } from '../../test/platforms.js';
import { aMember, aSuperAdmin } from '../../test/teams.js';
import type { AccountList, AppEntry } from '../apps/apps.dto.js';
import type { SourceWindows } from '../sources/sources.dto.js';
import type { Estimate } from './estimate.dto.js';

const BUDGET = 8;

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
/** With a worker and a budget that is used up by 6 calls. */
let tight: TestApp;
let organization: Organization;
let appId: string;
let sourceId: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp(sandboxSettings(sandbox.url));
  tight = await startTestApp({ ROLE: 'all', PROVIDER_CALLS_PER_DAY: String(BUDGET), ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await Promise.all([app?.stop(), tight?.stop()]);
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(() => sandbox.clearFaults());

/** Requests to the platform's API. Requests to its sign-in service use no quota. */
async function apiCalls(): Promise<number> {
  const answer = await fetch(`${sandbox.url}/admin/requests?provider=google-ads&limit=2000`);
  const { requests } = (await answer.json()) as { requests: LoggedRequest[] };
  return requests.filter(({ path }) => path.includes('/customers')).length;
}
async function callsOf(work: () => Promise<unknown>): Promise<number> {
  const before = await apiCalls();
  await work();
  return (await apiCalls()) - before;
}
const accountsPath = () => `${organization.path}/apps/${appId}/accounts`;
const relist = (call: Caller = organization.call) => call.get<AccountList>(`${accountsPath()}?refresh=true`);
const windowsPath = () => `${organization.path}/sources/${sourceId}/windows`;
const askWindows = (call: Caller = organization.call) => call.get<SourceWindows>(`${windowsPath()}?refresh=true`);
const listedLongAgo = () =>
  app.database.query(`update apps set accounts_listed_at = now() - interval '6 minutes' where id = $1`, [appId]);

describe('a call that uses the platform’s quota', () => {
  beforeEach(async () => {
    organization = await anOrganization(app);
    appId = await aConnectedApp(organization);
    sourceId = await aSource(organization, { appId });
    await listedLongAgo();
  });

  it.each<[string, (call: Caller) => Promise<Answer<unknown>>]>([
    ['the list of accounts', relist],
    ['the windows of a source', askWindows],
  ])('requires a writing role for %s; every member can read the stored data', async (_what, ask) => {
    const viewer = await aMember(app, organization, 'viewer');
    const editor = await aMember(app, organization, 'editor');
    const staff = app.http.as(await aSuperAdmin(app));
    const spent = await callsOf(async () => {
      for (const call of [viewer.call, staff])
        expect(await ask(call)).toMatchObject({ status: 403, body: { code: 'access.role_too_low' } });
      expectStatus(await viewer.call.get(accountsPath()), 200);
      expectStatus(await viewer.call.get(windowsPath()), 200);
    });
    expect(spent).toBe(0);
    expect(await callsOf(async () => expectStatus(await ask(editor.call), 200))).toBeGreaterThan(0);
  });

  it('lists accounts at most every five minutes and returns the time of the list', async () => {
    const first = expectStatus(await relist(), 200).body;
    expect(Date.now() - Date.parse(first.listedAt ?? '')).toBeLessThan(60_000);
    const spent = await callsOf(async () => expect((await relist()).body).toEqual(first));
    expect(spent).toBe(0);
    await listedLongAgo();
    expect(await callsOf(relist)).toBeGreaterThan(0);
  });

  it('lists accounts once for concurrent requests', async () => {
    const once = await callsOf(relist);
    await listedLongAgo();
    await sandbox.addFault({ fault: 'slow', delayMs: 300 });
    expect(await callsOf(() => Promise.all(Array.from({ length: 8 }, () => relist())))).toBe(once);
  });

  it('requests windows once a day, and only for accounts without a stored window', async () => {
    const read = async () => (await organization.call.get<SourceWindows>(windowsPath())).body;
    expect(await read()).toMatchObject({ items: [{ accountId: '9001000011', lookbackDays: null, learnedAt: null }] });
    expect(await callsOf(() => Promise.all([askWindows(), askWindows(), askWindows()]))).toBe(1);
    expect(await read()).toMatchObject({ items: [{ lookbackDays: 30, learnedAt: expect.any(String) }], failure: null });
    const { version } = (await organization.call.get<{ version: number }>(`${organization.path}/sources/${sourceId}`)).body;
    const accountIds = ['9001000011', '9001000012'];
    expectStatus(await organization.call.patch(`${organization.path}/sources/${sourceId}`, { version, accountIds }), 200);
    expect(await callsOf(askWindows)).toBe(1);
    expect(await callsOf(askWindows)).toBe(0);
    await app.database.query(`update account_lookbacks set learned_at = now() - interval '25 hours' where source_id = $1`, [
      sourceId,
    ]);
    expect(await callsOf(askWindows)).toBe(2);
  });

  it('reuses the read of an estimate for ten minutes: another schedule or history needs no request', async () => {
    const body = {
      sourceId,
      destinationId: await aDestination(organization, warehouse),
      streams: ['campaign_daily'],
      schedule: { kind: 'daily', atTime: '06:00', timeZone: 'Europe/Berlin' },
      historyFrom: daysAgo(61),
    };
    const estimate = async (change: object = {}) =>
      expectStatus(
        await organization.call.post<Estimate>(`${organization.path}/connections/estimate`, { ...body, ...change }),
        200,
      ).body;
    await sandbox.addFault({ fault: 'slow', delayMs: 100 });
    const alone = await callsOf(() => estimate());
    expect(alone).toBeGreaterThan(0);
    const spent = await callsOf(async () => {
      const again = await estimate({ schedule: { kind: 'manual', timeZone: 'UTC' }, historyFrom: daysAgo(10) });
      expect(again).toMatchObject({ eachMonth: { runs: 0 }, firstLoad: { days: 11 } });
      expect(Date.parse(again.readAt)).toBeLessThan(Date.now());
    });
    expect(spent).toBe(0);
    const other = { streams: ['ad_group_daily'] };
    expect(await callsOf(() => Promise.all([estimate(other), estimate(other), estimate(other)]))).toBeLessThanOrEqual(alone);
    await app.database.query(`update source_readings set expires_at = now() - interval '1 second'`);
    expect(await callsOf(() => estimate())).toBeGreaterThan(0);
  });
});

describe('the daily budget of an organization', () => {
  beforeEach(async () => {
    organization = await anOrganization(tight);
    appId = await aConnectedApp(organization);
  });
  const probe = (id = appId) => organization.call.post<AppEntry>(`${organization.path}/apps/${id}/probe`);
  const budget = async () =>
    (await organization.call.get<AppEntry>(`${organization.path}/apps/${appId}`)).body.requestBudget ?? null;
  const secondsToMidnight = () => (Date.parse(`${utcDaysAgo(-1)}T00:00:00Z`) - Date.now()) / 1_000;

  it('counts requests, is shown with the app, and rejects calls with its reset time', async () => {
    expect(await budget()).toEqual({ used: 0, limit: BUDGET, resetAt: `${utcDaysAgo(-1)}T00:00:00.000Z` });
    const spent = await callsOf(async () => expectStatus(await probe(), 200));
    expect(await budget()).toMatchObject({ used: spent });
    const rest = await callsOf(async () => {
      for (let answer = await probe(); answer.status === 200;) answer = await probe();
    });
    expect(spent + rest).toBe(BUDGET);
    const refused = await probe();
    expect(refused).toMatchObject({ status: 429, body: { code: 'provider.budget_used', action: expect.any(String) } });
    expect(Math.abs(Number(refused.headers.get('retry-after')) - secondsToMidnight())).toBeLessThan(60);
    expect(await budget()).toMatchObject({ used: BUDGET });
    const history = await organization.call.get<{ items: { event: string }[] }>(`${organization.path}/apps/${appId}/history`);
    expect(history.body.items.filter(({ event }) => event === 'probe_failed')).toEqual([]);
  });

  it('holds for concurrent calls', async () => {
    const apps = [appId, ...(await Promise.all(Array.from({ length: 5 }, () => aConnectedApp(organization))))];
    const spent = await callsOf(async () => {
      const answers = await Promise.all(apps.map((id) => probe(id)));
      expect(answers.some(({ status }) => status === 429)).toBe(true);
    });
    expect(spent).toBe(BUDGET);
  });

  it('is separate for each organization and resets the next day', async () => {
    await useUp();
    const neighbour = await anOrganization(tight);
    const theirs = await aConnectedApp(neighbour);
    expectStatus(await neighbour.call.post(`${neighbour.path}/apps/${theirs}/probe`), 200);
    await tight.database.query('update provider_requests set day = day - 1 where organization_id = $1', [organization.id]);
    expectStatus(await probe(), 200);
  });

  it('does not limit runs, sign-ins or reads of stored data', async () => {
    const source = await aSource(organization, { appId });
    const destinationId = await aDestination(organization, warehouse);
    await useUp();
    const body = { name: 'Ads', sourceId: source, destinationId, streams: ['campaign_daily'], historyFrom: daysAgo(3) };
    const schedule = { kind: 'manual', timeZone: 'UTC' };
    const made = await organization.call.post<{ id: string }>(`${organization.path}/connections`, { ...body, schedule });
    const connectionId = expectStatus(made, 201).body.id;
    await eventually(
      async () =>
        (
          await organization.call.get<{ items: { state: string }[] }>(
            `${organization.path}/runs?connectionId=${connectionId}&limit=1`,
          )
        ).body.items[0]?.state,
      (state) => state === 'succeeded',
    );
    const path = `${organization.path}/sources/${source}/windows`;
    expect((await organization.call.get<SourceWindows>(path)).body.items).toMatchObject([{ lookbackDays: 30 }]);
    const { name: _name, ...estimated } = body;
    const estimate = { ...estimated, schedule };
    expect(await organization.call.post(`${organization.path}/connections/estimate`, estimate)).toMatchObject({
      status: 429,
      body: { code: 'provider.budget_used' },
    });
    expectStatus(await organization.call.get(accountsPath()), 200);
    await aConnectedApp(organization);
  });

  const useUp = async () => {
    for (let answer = await probe(); answer.status === 200;) answer = await probe();
  };
});
