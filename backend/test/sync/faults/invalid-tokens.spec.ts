import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { untilEventsDelivered } from '../../alerts.js';
import { createTestApp, sandboxSettings, startTestApp, type TestApp, testSettings } from '../../app.js';
import { moveClock } from '../../clock.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import {
  aConnectedApp,
  aConnection,
  aDraftApp,
  anOrganization,
  aSource,
  authorize,
  type Connection,
  expectStatus,
  type Organization,
} from '../../factories.js';
import { clearFault, triggerCountOf, tokenCalls, untilTriggered } from '../../faults.js';
import { tokenFor } from '../../http.js';
import { consentAt } from '../../sign-in.js';
import { expireStoredToken } from '../../tokens.js';
import type { AppEventPage, OauthCompletion } from '../../../src/apps/app-use.dto.js';
import { addDays, dayInTimeZone } from '../../../src/connectors/kit/days.js';
import type { RunDetail } from '../../../src/sync/api/runs.dto.js';
import * as runs from '../../runs.js';

interface Platform {
  provider: 'google_ads' | 'meta_ads' | 'microsoft_ads';
  /** The sandbox's name of the platform. */
  sandbox: string;
  accountIds: string[];
  /** Scopes granted without a required one; null if the platform grants all or nothing. */
  tooFewScopes: string[] | null;
  /** Whether an expired token is renewed without a user. */
  isMendable: boolean;
  closes: (accountId: string) => Record<string, unknown>;
}

const LOOKBACK_DAYS = 2;
/** Longer than any pause that a test skips. */
const PAUSE_SECONDS = 61;
const SECONDS_OF_A_DAY = 86_400;
const PLATFORMS: Platform[] = [
  {
    provider: 'google_ads',
    sandbox: 'google-ads',
    accountIds: ['9001000011', '9001000012'],
    tooFewScopes: ['openid', 'email'],
    isMendable: true,
    closes: (customerId) => ({ fault: 'not_enabled', customerId }),
  },
  {
    provider: 'meta_ads',
    sandbox: 'meta-ads',
    accountIds: ['310000000000012', '310000000000011'],
    tooFewScopes: ['public_profile', 'email'],
    isMendable: false,
    closes: (accountId) => ({ fault: 'closed', accountId }),
  },
  {
    provider: 'microsoft_ads',
    sandbox: 'microsoft-ads',
    accountIds: ['180500012', '180500011'],
    tooFewScopes: null,
    isMendable: true,
    closes: (accountId) => ({ fault: 'account_inactive', accountId }),
  },
];
const named = PLATFORMS.map((platform): [string, Platform] => [platform.provider, platform]);

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  moveClock(0);
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  moveClock(0);
  await sandbox.clearFaults();
  organization = await anOrganization(app);
});

const fault = (platform: Platform, given: Record<string, unknown>) => sandbox.addFault({ ...given, provider: platform.sandbox });
const get = async <Body>(path: string): Promise<Body> => (await organization.call.get<Body>(`${organization.path}/${path}`)).body;

interface World {
  appId: string;
  sourceId: string;
  connection: Connection;
}
async function aWorld({ provider, accountIds }: Platform, historyDays = 4): Promise<World> {
  const appId = await aConnectedApp(organization, 'demo@example.com', provider);
  const sourceId = await aSource(organization, { appId, accountIds });
  const options = { sourceId, historyDays, streams: ['campaign_daily'], lookbackDays: LOOKBACK_DAYS };
  return { appId, sourceId, connection: await aConnection(organization, warehouse, options) };
}
const endedRun = ({ connection }: World) => runs.endedRun(app, organization, connection.id);
/** Waits until the run has ended, or pauses after more than `attempts` attempts. */
const pausedOrEndedRun = ({ connection }: World, attempts: number) =>
  runs.runWhen(app, organization, connection.id, (run) => run.isEnded || (run.state === 'waiting' && run.attempts > attempts));
/**
 * Ends each pause immediately. A run can be shown as waiting before its job is queued again, so the job is made due repeatedly,
 * until the next attempt starts.
 */
async function endedRunAfterPauses(scenario: World): Promise<RunDetail> {
  let run = await pausedOrEndedRun(scenario, 0);
  while (run.endedAt === null) {
    const { id, attempts } = run;
    moveClock((attempts.length * PAUSE_SECONDS) / SECONDS_OF_A_DAY);
    const due = setInterval(() => void makeDue(id, attempts.length), 200);
    run = await pausedOrEndedRun(scenario, attempts.length).finally(() => clearInterval(due));
  }
  moveClock(0);
  return run;
}
const makeDue = (runId: string, attempts: number) =>
  app.database.query(
    `update graphile_worker._private_jobs set run_at = now()
      where key = 'run:' || $1 and run_at > now()
        and exists (select from runs where id = $1::uuid and jsonb_array_length(attempts) = $2)`,
    [runId, attempts],
  );
async function runAgain(scenario: World): Promise<RunDetail> {
  expectStatus(await organization.call.post(`${scenario.connection.path}/run`), 202);
  return endedRun(scenario);
}

describe.each(named)('%s', (_name, platform) => {
  it('continues with a new token when the old one expires during a run, or requires a sign-in', async () => {
    const scenario = await aWorld(platform);
    expect((await endedRun(scenario)).state).toBe('succeeded');
    const calls = await tokenCalls(sandbox, platform.sandbox);
    await fault(platform, { fault: 'expire_token', afterRequests: 1 });
    const run = await runAgain(scenario);
    expect(await triggerCountOf(sandbox, 'expire_token')).toBeGreaterThan(0);
    if (!platform.isMendable) {
      expect(run.failure).toMatchObject({ class: 'auth', action: expect.stringContaining('Reconnect') });
      return;
    }
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    expect((await tokenCalls(sandbox, platform.sandbox)) - calls).toBe(1);
  });

  it('reports a revoked sign-in everywhere, and one reconnect resumes everything', async () => {
    const scenario = await aWorld(platform);
    expect((await endedRun(scenario)).state).toBe('succeeded');
    await fault(platform, { fault: 'revoke' });
    expectStatus(await organization.call.post(`${scenario.connection.path}/run`), 202);
    const failed = await endedRunAfterPauses(scenario);
    expect(failed.failure).toMatchObject({ class: 'auth', action: expect.stringContaining('Reconnect') });
    expect(await get(`apps/${scenario.appId}`)).toMatchObject({ state: 'needs_reauth', needsReauthSince: expect.any(String) });
    expect(await get(`sources/${scenario.sourceId}`)).toMatchObject({ state: 'needs_reauth' });
    expect(await get(`connections/${scenario.connection.id}`)).toMatchObject({ health: 'needs_reauth' });
    const answer = expectStatus(await authorize(organization, scenario.appId), 200).body as unknown as OauthCompletion;
    await untilEventsDelivered(app);
    expect(answer).toMatchObject({ isReconnect: true, app: { state: 'connected' }, catchUp: { connections: 1 } });
    expect(await endedRun(scenario)).toMatchObject({ kind: 'catch_up', trigger: 'reconnect', state: 'succeeded' });
  });

  it('is not connected if a permission was not ticked or access was denied', async () => {
    const appId = await aDraftApp(organization, platform.provider);
    if (!platform.tooFewScopes) {
      const { body } = await organization.call.post<{ authorizeUrl: string }>(`${organization.path}/apps/${appId}/oauth/start`);
      const landing = await consentAt(body.authorizeUrl, 'demo@example.com', { decision: 'deny' });
      const { state, error } = Object.fromEntries(new URLSearchParams(landing.split('?')[1]));
      const answer = await organization.call.post(`${organization.path}/apps/oauth/complete`, { state, error });
      expect(answer).toMatchObject({ status: 422, body: { code: 'oauth.denied', action: expect.any(String) } });
      return;
    }
    const answer = await authorize(organization, appId, 'demo@example.com', platform.tooFewScopes);
    expect(answer).toMatchObject({ status: 422, body: { code: 'oauth.missing_scope', action: expect.any(String) } });
    expect(await get(`apps/${appId}`)).toMatchObject({ state: 'authorizing', missingScopes: [expect.any(String)] });
  });

  it('loads the other account if one is closed, and reports the missing one', async () => {
    const scenario = await aWorld(platform);
    expect((await endedRun(scenario)).state).toBe('succeeded');
    await fault(platform, platform.closes(platform.accountIds[1] ?? ''));
    const run = await runAgain(scenario);
    expect(run).toMatchObject({ state: 'partial', failure: { class: 'permission', action: expect.any(String) } });
    const arrived = run.verification.filter(({ isEqual }) => isEqual).map(({ accountId }) => accountId);
    expect(arrived).toEqual([platform.accountIds[0]]);
  });
});

describe('a rotating token', () => {
  it('that two workers need concurrently is requested once, and both continue', async () => {
    const appId = await aConnectedApp(organization, 'demo@example.com', 'microsoft_ads');
    const other = await createTestApp(testSettings(app.database.url, sandboxSettings(sandbox.url)));
    await other.listen(0, '127.0.0.1');
    try {
      await expireStoredToken(app, organization.id, appId);
      const before = await tokenCalls(sandbox, 'microsoft-ads');
      const path = `${organization.path}/apps/${appId}/probe`;
      const headers = { authorization: `Bearer ${tokenFor(organization.owner)}` };
      const urls = [app.url, await other.getUrl(), app.url, await other.getUrl()];
      const answers = await Promise.all(urls.map((url) => fetch(url + path, { method: 'POST', headers })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await tokenCalls(sandbox, 'microsoft-ads')) - before).toBe(1);
      expect(await get(`apps/${appId}`)).toMatchObject({ state: 'connected' });
    } finally {
      await other.close();
    }
  });
});

describe('a rejection by Microsoft that may be wrong', () => {
  const [, microsoft] = named[2] as [string, Platform];

  it('is retried a minute later, and does not mark the app the first two times', async () => {
    const scenario = await aWorld(microsoft);
    expect((await endedRun(scenario)).state).toBe('succeeded');
    await fault(microsoft, { fault: 'spurious_invalid_grant', times: 2 });
    await fault(microsoft, { fault: 'expire_token' });
    const calls = await tokenCalls(sandbox, microsoft.sandbox);
    expectStatus(await organization.call.post(`${scenario.connection.path}/run`), 202);
    const waiting = await pausedOrEndedRun(scenario, 0);
    expect(waiting).toMatchObject({ state: 'waiting', failure: { code: 'app.perhaps_dead', class: 'transient' } });
    // A request within the minute does not reach Microsoft.
    expect(await organization.call.post(`${organization.path}/apps/${scenario.appId}/probe`)).toMatchObject({ status: 503 });
    expect((await tokenCalls(sandbox, microsoft.sandbox)) - calls).toBe(1);
    expect(await endedRunAfterPauses(scenario)).toMatchObject({ state: 'succeeded', failure: null });
    expect((await tokenCalls(sandbox, microsoft.sandbox)) - calls).toBe(3);
    expect(await get(`apps/${scenario.appId}`)).toMatchObject({ state: 'connected', failure: null });
  });

  it('marks the app the third time, two minutes after the first', async () => {
    const scenario = await aWorld(microsoft);
    expect((await endedRun(scenario)).state).toBe('succeeded');
    await fault(microsoft, { fault: 'revoke' });
    const calls = await tokenCalls(sandbox, microsoft.sandbox);
    expectStatus(await organization.call.post(`${scenario.connection.path}/run`), 202);
    const run = await endedRunAfterPauses(scenario);
    expect(run).toMatchObject({ state: 'failed', failure: { code: 'microsoft_ads.invalid_grant' } });
    expect(run.attempts).toHaveLength(3);
    expect((await tokenCalls(sandbox, microsoft.sandbox)) - calls).toBe(3);
  });
});

describe('a sign-in while a run uses the previous token', () => {
  it('stays connected when that token is rejected, and the run continues with the new one', async () => {
    const [, meta] = named[1] as [string, Platform];
    const scenario = await aWorld({ ...meta, accountIds: meta.accountIds.slice(0, 1) });
    expect((await endedRun(scenario)).state).toBe('succeeded');
    await fault(meta, { fault: 'hold', times: 1 });
    expectStatus(await organization.call.post(`${scenario.connection.path}/run`), 202);
    await untilTriggered(sandbox, 'hold');
    await fault(meta, { fault: 'revoke' });
    expectStatus(await authorize(organization, scenario.appId), 200);
    await untilEventsDelivered(app);
    await clearFault(sandbox, 'hold');
    const run = await endedRun(scenario);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    expect(run.attempts.length).toBeGreaterThan(1);
    expect(await triggerCountOf(sandbox, 'revoke')).toBeGreaterThan(0);
    expect(await get(`apps/${scenario.appId}`)).toMatchObject({ state: 'connected', failure: null });
    const { items } = await get<AppEventPage>(`apps/${scenario.appId}/history?limit=100`);
    expect(items.map(({ event }) => event)).not.toContain('needs_reauth');
  });
});

describe('access with extended tokens', () => {
  it('is extended before half of its lifetime has passed, without a sign-in', async () => {
    const appId = await aConnectedApp(organization, 'demo@example.com', 'meta_ads');
    const before = await get<{ signInAgainAt: string }>(`apps/${appId}`);
    const inTwentyDays = new Date(Date.now() + 20 * 86_400_000).toISOString();
    await expireStoredToken(app, organization.id, appId, inTwentyDays);
    await app.database.query('update apps set last_refresh_at = null, sign_in_again_at = $2 where id = $1', [
      appId,
      inTwentyDays,
    ]);
    expectStatus(await organization.call.post(`${organization.path}/apps/${appId}/probe`), 200);
    const after = await get<{ signInAgainAt: string; state: string }>(`apps/${appId}`);
    expect(after.state).toBe('connected');
    expect(Date.parse(after.signInAgainAt)).toBeGreaterThanOrEqual(Date.parse(before.signInAgainAt) - 60_000);
  });
});

describe('three days without a token', () => {
  // Days that other tests have loaded would count as loaded before.
  beforeAll(async () => {
    await warehouse.stop();
    warehouse = await startWarehouse();
  });

  it('are all loaded once after one reconnect', async () => {
    const [, google] = named[0] ?? [];
    if (!google) throw new Error('no platform');
    const daysOf = (accountId: string) =>
      warehouse.query<{ day: string; rows: number; costMicros: string }>(
        `select date::text as day, count(*)::int as rows, sum(cost_micros)::text as "costMicros"
           from google_ads_campaign_daily where account_id = $1 group by 1 order by 1`,
        [accountId],
      );
    await moveBoth(-3);
    const scenario = await aWorld(google, 5);
    expect((await endedRun(scenario)).state).toBe('succeeded');
    await fault(google, { fault: 'revoke' });
    expect((await runAgain(scenario)).failure).toMatchObject({ class: 'auth' });
    const before = await Promise.all(google.accountIds.map(daysOf));
    const zones = ['Europe/Berlin', 'America/New_York'];
    await sandbox.clearFaults();
    for (const days of [-2, -1, 0]) {
      await moveBoth(days);
      // Runs that start in the meantime find the app expired.
      expect((await runAgain(scenario)).state).not.toBe('succeeded');
    }
    expect(await Promise.all(google.accountIds.map(daysOf))).toEqual(before);
    const answer = expectStatus(await authorize(organization, scenario.appId), 200).body as unknown as OauthCompletion;
    await untilEventsDelivered(app);
    expect(answer.catchUp).toEqual({ connections: 1, days: expect.any(Number) });
    expect(answer.catchUp.days).toBeGreaterThanOrEqual(3);
    expect(await endedRun(scenario)).toMatchObject({ kind: 'catch_up', trigger: 'reconnect', state: 'succeeded' });
    for (const [index, accountId] of google.accountIds.entries()) {
      const days = await daysOf(accountId);
      // Days that were final before the expiry are not read again. Other days are read with the missed days.
      const unsettledFrom = addDays(before[index]?.at(-1)?.day ?? '', -LOOKBACK_DAYS);
      const isSettled = ({ day }: { day: string }) => day < unsettledFrom;
      expect(days.filter(isSettled)).toEqual(before[index]?.filter(isSettled));
      const missed = days.filter((day) => !isSettled(day));
      expect(missed.map(({ day }) => day)).toEqual(
        [5, 4, 3, 2, 1, 0].map((days) => addDays(dayInTimeZone(new Date(), zones[index] ?? ''), -days)),
      );
      for (const { day, rows, costMicros } of missed) {
        const atSource = (await sandbox.totals(accountId, day, day))['campaign_daily'];
        expect({ day, rows, costMicros }).toEqual({ day, rows: atSource?.rows, costMicros: atSource?.costMicros });
      }
    }
    const { body } = await organization.call.get(`${scenario.connection.path}/completeness`);
    expect(body).toMatchObject({ isComplete: true, missing: 0 });
  });

  async function moveBoth(offsetDays: number): Promise<void> {
    moveClock(offsetDays);
    await fetch(`${sandbox.url}/admin/clock`, {
      method: 'POST',
      body: JSON.stringify({ offsetDays }),
      headers: { 'content-type': 'application/json' },
    });
  }
});
