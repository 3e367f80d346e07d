import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertMailsOf, alertsOf, untilEventsDelivered } from '../../test/alerts.js';
import { createTestApp, sandboxSettings, startTestApp, type TestApp, testSettings } from '../../test/app.js';
import { type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../test/connectors/warehouse.js';
import {
  aConnectedApp,
  aConnection,
  anOrganization,
  aSource,
  authorize,
  consent,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
} from '../../test/factories.js';
import { triggerCountOf, untilTriggered } from '../../test/faults.js';
import { tokenFor } from '../../test/http.js';
import { aMember } from '../../test/teams.js';
import { expireStoredToken } from '../../test/tokens.js';
import type { AppEventPage, AppImpact, OauthCompletion, OtherUser } from './app-use.dto.js';
import type { AppEntry } from './apps.dto.js';
import type { ConnectionPage } from '../connections/connections.dto.js';
import type { DestinationPage } from '../destinations/destinations.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
let appId: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  warehouse = await startWarehouse();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
  await warehouse?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  organization = await anOrganization(app);
  appId = await aConnectedApp(organization);
});

const appPath = () => `${organization.path}/apps/${appId}`;
const getApp = async (): Promise<AppEntry> => (await organization.call.get<AppEntry>(appPath())).body;
const probe = async (): Promise<AppEntry> => (await organization.call.post<AppEntry>(`${appPath()}/probe`)).body;
const history = async (): Promise<string[]> =>
  (await organization.call.get<AppEventPage>(`${appPath()}/history?limit=100`)).body.items.map(({ event }) => event);
const newestRun = async (connectionPath: string) =>
  (
    await organization.call.get<{ items: { state: string; kind: string; failure: object | null }[] }>(
      `${organization.path}/runs?connectionId=${connectionPath.split('/').at(-1)}&limit=1`,
    )
  ).body.items[0];

describe('a disconnected app', () => {
  it('lists what stops before it is disconnected, keeps its connections, and one reconnect resumes them', async () => {
    const sourceId = await aSource(organization, { appId });
    const connection = await aConnection(organization, warehouse, { sourceId, historyDays: 3 });
    await eventually(() => newestRun(connection.path), (run) => run?.state === 'succeeded'); // prettier-ignore
    const { body: impact } = await organization.call.get<AppImpact>(`${appPath()}/impact`);
    expect(impact).toMatchObject({
      sources: [{ id: sourceId, name: 'Search' }],
      destinations: [],
      connections: [{ id: connection.id, desired: 'active', completeThrough: expect.any(String) }],
    });
    const { body } = expectStatus(await organization.call.post<AppEntry>(`${appPath()}/disconnect`), 200);
    expect(body).toMatchObject({
      state: 'revoked',
      needsReauthSince: expect.any(String),
      failure: { code: 'app.disconnected', action: 'Reconnect with Google Ads' },
    });
    const [row] = await app.database.query<{ credentials: string | null }>('select credentials from apps where id = $1', [appId]);
    expect(row?.credentials).toBeNull();
    expect((await sandbox.requests()).some(({ path }) => path?.includes('/oauth/revoke'))).toBe(true);
    expect((await organization.call.get(`${organization.path}/sources/${sourceId}`)).body).toMatchObject({
      state: 'needs_reauth',
    });
    expect((await organization.call.get(connection.path)).body).toMatchObject({ health: 'needs_reauth' });
    const answer = expectStatus(await authorize(organization, appId), 200).body as unknown as OauthCompletion;
    expect(answer).toMatchObject({ isReconnect: true, catchUp: { connections: 1, days: expect.any(Number) } });
    const healed = await eventually(
      () => newestRun(connection.path),
      (run) => run?.kind === 'catch_up' && run.state === 'succeeded',
    );
    expect(healed?.failure).toBeNull();
    expect(await history()).toEqual(expect.arrayContaining(['connected', 'disconnected', 'reconnected']));
  });

  it('does not disconnect another app of the same user', async () => {
    const other = await aConnectedApp(organization);
    expectStatus(await organization.call.post(`${appPath()}/disconnect`), 200);
    expect((await organization.call.post<AppEntry>(`${organization.path}/apps/${other}/probe`)).body.state).toBe('connected');
  });

  it('can be disconnected only by admins and owners', async () => {
    const editor = await aMember(app, organization, 'editor');
    expect((await editor.call.post(`${appPath()}/disconnect`)).status).toBe(403);
    expect((await getApp()).state).toBe('connected');
  });
});

describe('another user who reconnects an app', () => {
  const refused = async () => {
    const { body } = await organization.call.post<{ authorizeUrl: string }>(`${appPath()}/oauth/start`);
    const state = new URL(body.authorizeUrl).searchParams.get('state') ?? '';
    const form = new URLSearchParams({ user: 'limited@example.com', decision: 'allow' });
    for (const scope of (new URL(body.authorizeUrl).searchParams.get('scope') ?? '').split(' ')) form.append('scope', scope);
    const landing = await fetch(body.authorizeUrl, { method: 'POST', body: form, redirect: 'manual' });
    const code = new URL(landing.headers.get('location') ?? '').searchParams.get('code');
    const answer = await organization.call.post(`${organization.path}/apps/oauth/complete`, { state, code });
    return { state, answer };
  };
  const accept = (state: string, call = organization.call) =>
    call.post<OauthCompletion>(`${organization.path}/apps/oauth/accept-other-user`, { state });

  it('is shown which accounts would change, and can be accepted once', async () => {
    const { state, answer } = await refused();
    expect(answer).toMatchObject({ status: 422, body: { code: 'oauth.other_user' } });
    const { expected, found, missingAccounts, addedAccounts } = answer.body['otherUser'] as OtherUser;
    expect({ expected, found }).toEqual({ expected: 'demo@example.com', found: 'limited@example.com' });
    expect(addedAccounts.map(({ externalId }) => externalId)).toEqual(['9001000014']);
    expect(missingAccounts.length).toBeGreaterThan(0);
    expect(await getApp()).toMatchObject({ state: 'connected', externalUser: 'demo@example.com' });
    const { body } = expectStatus(await accept(state), 200);
    expect(body).toMatchObject({ app: { externalUser: 'limited@example.com', state: 'connected' }, isReconnect: true });
    expect(await accept(state)).toMatchObject({ status: 422, body: { code: 'oauth.state_expired' } });
  });

  it('cannot be accepted after ten minutes or by another member', async () => {
    const { state } = await refused();
    const colleague = await aMember(app, organization, 'admin');
    expect(await accept(state, colleague.call)).toMatchObject({ status: 422, body: { code: 'oauth.state_invalid' } });
    await app.database.query(`update oauth_states set held_until = now() - interval '1 second' where app_id = $1`, [appId]);
    expect(await accept(state)).toMatchObject({ status: 422, body: { code: 'oauth.state_expired' } });
  });
});

describe('a check that started before another user was accepted', () => {
  it('does not replace the accounts of the new sign-in', async () => {
    appId = await aConnectedApp(organization, 'demo@example.com', 'meta_ads');
    const landing = await consent(organization, appId, 'limited@example.com');
    const refused = await organization.call.post(`${organization.path}/apps/oauth/complete`, landing);
    expect(refused).toMatchObject({ status: 422, body: { code: 'oauth.other_user' } });
    await sandbox.addFault({ provider: 'meta-ads', fault: 'hold', times: 1 });
    const check = organization.call.post<AppEntry>(`${appPath()}/probe`);
    await untilTriggered(sandbox, 'hold');
    const { state } = landing;
    expectStatus(await organization.call.post(`${organization.path}/apps/oauth/accept-other-user`, { state }), 200);
    const { accounts } = await getApp();
    await sandbox.clearFaults();
    expectStatus(await check, 200);
    expect(await getApp()).toMatchObject({ externalUser: 'limited@example.com', accounts });
  });
});

describe('the daily probe of an app', () => {
  const sweep = () => app.database.query(`select graphile_worker.add_job('probe-apps', '{}')`);
  const makeDue = () => app.database.query(`update apps set next_probe_at = now() - interval '1 minute' where id = $1`, [appId]);

  const hoursToProbe = async (): Promise<number | null | undefined> => {
    const [row] = await app.database.query<{ hours: number | null }>(
      'select extract(epoch from next_probe_at - now())::float8 / 3600 as hours from apps where id = $1',
      [appId],
    );
    return row?.hours;
  };

  it('detects an expired sign-in before a run fails, with its start time', async () => {
    await makeDue();
    await sandbox.addFault({ fault: 'revoke' });
    await sweep();
    const dead = await eventually(getApp, ({ state }) => state === 'needs_reauth');
    expect(dead).toMatchObject({ needsReauthSince: expect.any(String), failure: { class: 'auth', action: expect.any(String) } });
    expect(await history()).toContain('needs_reauth');
  });

  it('runs again after a day and not earlier', async () => {
    await makeDue();
    await sweep();
    await eventually(history, (events) => events.includes('probe_ok'));
    const hours = await hoursToProbe();
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });

  it('warns 14 days before a user must sign in again, until the date is extended', async () => {
    const signInAgainIn = (interval: string) =>
      app.database.query(`update apps set sign_in_again_at = now() + $2::interval where id = $1`, [appId, interval]);
    await signInAgainIn('13 days');
    expect(await probe()).toMatchObject({ state: 'expiring', signInAgainAt: expect.any(String) });
    await signInAgainIn('15 days');
    expect((await probe()).state).toBe('connected');
  });

  it('keeps the app connected while the platform’s sign-in is down, and requires reauthentication after four days', async () => {
    const overrides = { ...sandboxSettings(sandbox.url), GOOGLE_OAUTH_TOKEN_URL: 'http://127.0.0.1:1/token' };
    const cutOff = await createTestApp(testSettings(app.database.url, overrides));
    await cutOff.listen(0, '127.0.0.1');
    const probeCutOff = async () =>
      (
        await fetch(`${await cutOff.getUrl()}${appPath()}/probe`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tokenFor(organization.owner)}` },
        })
      ).status;
    try {
      await expireStoredToken(app, organization.id, appId);
      expect(await probeCutOff()).toBe(503);
      expect(await probeCutOff()).toBe(503);
      expect(await getApp()).toMatchObject({ state: 'connected', failure: null });
      expect((await history()).filter((event) => event === 'refresh_failed')).toHaveLength(1);
      const failingFor = (interval: string) =>
        app.database.query(`update apps set refresh_failing_since = now() - $2::interval where id = $1`, [appId, interval]);
      await failingFor('3 days 23 hours');
      expect(await probeCutOff()).toBe(503);
      await failingFor('4 days 1 minute');
      expect(await probeCutOff()).toBe(200);
      expect(await getApp()).toMatchObject({ state: 'needs_reauth', failure: { code: 'google_ads.refresh_given_up' } });
    } finally {
      await cutOff.close();
    }
  });

  it('connects an app again whose renewal was given up, until the platform rejects the renewal', async () => {
    await expireStoredToken(app, organization.id, appId);
    await app.database.query(
      `update apps set refresh_failing_since = now() - interval '5 days', state = 'connected' where id = $1`,
      [appId],
    );
    await sandbox.addFault({ fault: 'server_error', endpoint: 'token' });
    expect(await probe()).toMatchObject({ state: 'needs_reauth', failure: { code: 'google_ads.refresh_given_up' } });
    expect(await hoursToProbe()).toBeCloseTo(24, 0);
    expect((await alertsOf(organization)).counts.open).toBe(1);

    await sandbox.clearFaults();
    await makeDue();
    await sweep();
    expect(await eventually(getApp, ({ state }) => state === 'connected')).toMatchObject({
      failure: null,
      needsReauthSince: null,
    });
    expect(await eventually(hoursToProbe, (hours) => Number(hours) > 23)).toBeCloseTo(24, 0);
    expect((await alertsOf(organization)).items).toMatchObject([{ kind: 'app.needs_reauth', state: 'recovered' }]);
    await untilEventsDelivered(app);
    expect((await alertMailsOf(app, organization.id)).map(({ name }) => name)).toEqual(['alert-opened', 'alert-recovered']);

    await expireStoredToken(app, organization.id, appId);
    await app.database.query(`update apps set refresh_failing_since = now() - interval '5 days' where id = $1`, [appId]);
    await sandbox.addFault({ fault: 'server_error', endpoint: 'token' });
    expect((await probe()).state).toBe('needs_reauth');
    await sandbox.clearFaults();
    await sandbox.addFault({ fault: 'revoke' });
    const { failure, state } = await probe();
    expect({ state, failure }).toMatchObject({
      state: 'needs_reauth',
      failure: { code: expect.not.stringContaining('given_up') },
    });
    expect(await hoursToProbe()).toBeNull();
  });

  it('keeps using a token that is valid for weeks while its renewals are refused because of the operator’s settings', async () => {
    const metaId = await aConnectedApp(organization, 'demo@example.com', 'meta_ads');
    const inTwentyDays = new Date(Date.now() + 20 * 86_400_000).toISOString();
    await expireStoredToken(app, organization.id, metaId, inTwentyDays);
    await app.database.query(
      `update apps set refresh_failing_since = now() - interval '5 days', last_refresh_at = now() - interval '40 days' where id = $1`,
      [metaId],
    );
    await sandbox.addFault({ provider: 'meta-ads', fault: 'client_refused', endpoint: 'token' });
    const sourceId = await aSource(organization, { appId: metaId, accountIds: ['310000000000011'] });
    const connection = await aConnection(organization, warehouse, { sourceId, historyDays: 2, streams: ['campaign_daily'] });
    const run = await eventually(() => newestRun(connection.path), (one) => one !== undefined && one.state !== 'queued' && one.state !== 'running'); // prettier-ignore
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    expect(await triggerCountOf(sandbox, 'client_refused')).toBeGreaterThan(0);
    const { body } = await organization.call.get<AppEntry>(`${organization.path}/apps/${metaId}`);
    expect(body).toMatchObject({ state: 'connected', failure: null });
  });

  it('restarts the four days after a successful refresh', async () => {
    await app.database.query(`update apps set refresh_failing_since = now() - interval '3 days' where id = $1`, [appId]);
    await expireStoredToken(app, organization.id, appId);
    expect((await probe()).state).toBe('connected');
    expect(await app.database.query('select refresh_failing_since as since from apps where id = $1', [appId])).toEqual([
      { since: null },
    ]);
  });
});

describe('the impact of an app', () => {
  it('lists only connections that read or write with the app, and the loaded days of its destination', async () => {
    const connection = await aConnection(organization, warehouse, {
      sourceId: await aSource(organization, { appId }),
      historyDays: 3,
    });
    await eventually(() => newestRun(connection.path), (run) => run?.state === 'succeeded'); // prettier-ignore
    const connectionsOf = async (id: string) =>
      (await organization.call.get<ConnectionPage>(`${organization.path}/connections?appId=${id}`)).body.items.map(
        (one) => one.id,
      );
    const { body } = await organization.call.get<DestinationPage>(`${organization.path}/destinations`);
    expect(body.items[0]).toMatchObject({ earliestDataAt: daysAgo(3), latestDataAt: daysAgo(0) });
    expect(await connectionsOf(appId)).toEqual([connection.id]);
    expect(await connectionsOf(body.items[0]!.appId)).toEqual([connection.id]);
    expect(await connectionsOf(await aConnectedApp(organization))).toEqual([]);
  });
});

describe('the authorization of an app', () => {
  const ofDraft = async () =>
    (await organization.call.post<AppEntry>(`${organization.path}/apps`, { provider: 'google_ads' })).body.authorised;

  it('is null before a sign-in, and then the last sign-in of a member, independent of its age', async () => {
    expect(await ofDraft()).toBeNull();
    expect((await getApp()).authorised).toMatchObject({ way: 'member', email: organization.owner.email });
    const admin = await aMember(app, organization, 'admin');
    expectStatus(await authorize({ ...organization, call: admin.call }, appId), 200);
    await app.database.query(`update app_events set at = now() - interval '91 days' where app_id = $1`, [appId]);
    await app.database.query(`select graphile_worker.add_job('forget-authorizations', '{}')`);
    await eventually(history, (events) => events.length === 1);
    expect((await getApp()).authorised).toMatchObject({ way: 'member', email: admin.user.email });
  });
});
