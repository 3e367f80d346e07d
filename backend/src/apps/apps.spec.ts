import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../test/app.js';
import { adsScope, type Sandbox, startSandbox } from '../../test/connectors/sandbox-process.js';
import {
  aConnectedApp,
  aDraftApp,
  anOrganization,
  aSource,
  authorize,
  eventually,
  expectStatus,
  type Organization,
} from '../../test/factories.js';
import type { AppEntry, AppPage } from './apps.dto.js';
import { AuthorizedApps } from './credentials/authorized-apps.service.js';

let sandbox: Sandbox;
let app: TestApp;
let organization: Organization;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp(sandboxSettings(sandbox.url));
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  organization = await anOrganization(app);
});

const getApp = async (appId: string): Promise<AppEntry> =>
  (await organization.call.get<AppEntry>(`${organization.path}/apps/${appId}`)).body;

async function startedState(appId: string, call = organization.call): Promise<{ state: string; authorizeUrl: URL }> {
  const { body } = expectStatus(await call.post<{ authorizeUrl: string }>(`${organization.path}/apps/${appId}/oauth/start`), 200);
  const authorizeUrl = new URL(body.authorizeUrl);
  return { state: authorizeUrl.searchParams.get('state') ?? '', authorizeUrl };
}
const complete = (body: object, call = organization.call) => call.post(`${organization.path}/apps/oauth/complete`, body);

describe('connecting Google Ads', () => {
  it('stores the app with its accounts and never returns its tokens', async () => {
    const appId = await aConnectedApp(organization);
    const answer = await organization.call.get<AppEntry>(`${organization.path}/apps/${appId}`);
    expect(answer.body).toMatchObject({ state: 'connected', externalUser: 'demo@example.com', missingScopes: [] });
    expect(answer.body.accounts.map(({ currency, timeZone }) => `${currency} ${timeZone}`)).toEqual(
      expect.arrayContaining(['EUR Europe/Berlin', 'USD America/New_York', 'JPY Asia/Tokyo', 'GBP Europe/London']),
    );
    const [row] = await app.database.query<{ credentials: string }>('select credentials from apps where id = $1', [appId]);
    expect(row?.credentials).toMatch(/^v1\./);
    expect(JSON.stringify(answer.body)).not.toContain(row?.credentials);
  });

  it('stores a former name of an account’s time zone as the present one, which every PostgreSQL knows', async () => {
    const appId = await aConnectedApp(organization);
    const {
      accounts: [account],
      accountsListedAt,
    } = await getApp(appId);
    const listed = { ...account!, timeZone: 'US/Pacific' };
    const stored = { organizationId: organization.id, id: appId, accountsListedAt: new Date(accountsListedAt!) };
    await app.get(AuthorizedApps).saveAccounts(stored, [listed]);
    expect((await getApp(appId)).accounts).toMatchObject([{ externalId: account!.externalId, timeZone: 'America/Los_Angeles' }]);
  });

  it('uses PKCE, requests a refresh token, and redirects to an address without an organization', async () => {
    const { authorizeUrl } = await startedState(await aDraftApp(organization));
    expect(Object.fromEntries(authorizeUrl.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
      redirect_uri: 'http://localhost:3000/api/v1/oauth/callback/google_ads',
    });
    expect(authorizeUrl.searchParams.get('scope')).toContain(adsScope);
  });

  it.each([
    ['denied', { error: 'access_denied' }, 'oauth.denied'],
    ['answered with an invalid code', { code: 'invented' }, 'app.not_connected'],
  ])('that is %s keeps the app a draft', async (_how, given, code) => {
    const appId = await aDraftApp(organization);
    const { state } = await startedState(appId);
    const answer = await complete({ state, ...given });
    expect(answer).toMatchObject({ status: 422, body: { code, action: expect.any(String) } });
    expect(await getApp(appId)).toMatchObject({ accounts: [], grantedScopes: [], externalUser: null });
  });

  it('reports the permission that was not ticked', async () => {
    const appId = await aDraftApp(organization);
    const answer = await authorize(organization, appId, 'demo@example.com', ['openid', 'email']);
    expect(answer).toMatchObject({ status: 422, body: { code: 'oauth.missing_scope', action: expect.any(String) } });
    expect(await getApp(appId)).toMatchObject({ state: 'authorizing', missingScopes: [adsScope] });
  });

  it('reports that a Google user has no ad account', async () => {
    const appId = await aDraftApp(organization);
    const answer = await authorize(organization, appId, 'nobody@example.com');
    expect(answer).toMatchObject({ status: 422, body: { code: 'oauth.no_accounts', action: expect.any(String) } });
    expect((await getApp(appId)).state).toBe('authorizing');
  });

  it('rejects another Google user when an app is reconnected', async () => {
    const appId = await aConnectedApp(organization);
    const answer = await authorize(organization, appId, 'limited@example.com');
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'oauth.other_user', detail: expect.stringContaining('limited@example.com') },
    });
    expect(await getApp(appId)).toMatchObject({ state: 'connected', externalUser: 'demo@example.com' });
  });
});

describe('the state of a flow', () => {
  it('can be used once', async () => {
    const appId = await aDraftApp(organization);
    const { state } = await startedState(appId);
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete({ state, error: 'access_denied' })));
    expect(answers.map(({ body }) => body['code']).sort()).toEqual([
      'oauth.denied',
      ...Array<string>(4).fill('oauth.state_expired'),
    ]);
  });

  it('is rejected if it is forged, sent by another user, or sent to another organization', async () => {
    const appId = await aDraftApp(organization);
    const { state } = await startedState(appId);
    const outsider = await anOrganization(app);
    expect((await complete({ state: `${state.slice(0, -3)}abc`, code: 'x' })).body).toMatchObject({
      code: 'oauth.state_invalid',
    });
    const elsewhere = await outsider.call.post(`${outsider.path}/apps/oauth/complete`, { state, code: 'x' });
    expect(elsewhere.body).toMatchObject({ code: 'oauth.state_invalid' });
    expect((await complete({ state, error: 'access_denied' })).body).toMatchObject({ code: 'oauth.denied' });
  });

  it('is rejected after ten minutes', async () => {
    const appId = await aDraftApp(organization);
    const { state } = await startedState(appId);
    await app.database.query(`update oauth_states set expires_at = now() - interval '1 second' where app_id = $1`, [appId]);
    expect((await complete({ state, code: 'x' })).body).toMatchObject({
      code: 'oauth.state_expired',
      action: expect.any(String),
    });
  });

  it('redirects only to a path of this site', async () => {
    const appId = await aDraftApp(organization);
    for (const returnTo of ['https://evil.example.com', '//evil.example.com', '/\\evil.example.com', 'javascript:alert(1)']) {
      expect((await organization.call.post(`${organization.path}/apps/${appId}/oauth/start`, { returnTo })).status).toBe(400);
    }
  });

  it('redirects from the fixed callback to its organization, or to the error page if it is forged', async () => {
    const { state } = await startedState(await aDraftApp(organization));
    const visitor = app.http.withHeaders({});
    const back = await visitor.get(`/api/v1/oauth/callback/google_ads?state=${state}&code=abc&scope=x`);
    expect(back.status).toBe(302);
    expect(back.headers.get('location')).toMatch(new RegExp(`^/${organization.id}/GoogleAds\\?.*code=abc`));
    const forged = await visitor.get(`/api/v1/oauth/callback/google_ads?state=x.y.z&code=abc`);
    expect(forged.headers.get('location')).toMatch(/^\/googleReauth\?state=/);
  });
});

describe('an app', () => {
  it('can be deleted only after its sources', async () => {
    const appId = await aConnectedApp(organization);
    const sourceId = await aSource(organization, { appId });
    const path = `${organization.path}/apps/${appId}`;
    expect((await organization.call.delete(path)).body).toMatchObject({
      status: 409,
      code: 'app.in_use',
      detail: expect.stringContaining('1 source'),
    });
    expectStatus(await organization.call.delete(`${organization.path}/sources/${sourceId}`), 204);
    expectStatus(await organization.call.delete(path), 204);
    expect((await organization.call.get(path)).status).toBe(404);
    const [row] = await app.database.query<{ credentials: string | null }>('select credentials from apps where id = $1', [appId]);
    expect(row?.credentials).toBeNull();
  });

  describe('that is deleted while a source is created', () => {
    /** The other change, in a transaction that has not ended. */
    let change: pg.Client;
    beforeEach(async () => {
      change = new pg.Client(app.database.url);
      await change.connect();
      await change.query('begin');
    });
    afterEach(() => change.end());
    const isWaiting = () =>
      app.database.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

    it('stays if the source was first', async () => {
      const appId = await aConnectedApp(organization);
      await change.query(
        `insert into sources (organization_id, id, app_id, name, created_by, updated_at) values ($1, $2, $3, 'Search', 'test', now())`,
        [organization.id, randomUUID(), appId],
      );
      const deletion = organization.call.delete(`${organization.path}/apps/${appId}`);
      await Promise.race([deletion, eventually(isWaiting, ({ length }) => length > 0)]);
      await change.query('commit');
      expect(await deletion).toMatchObject({ status: 409, body: { code: 'app.in_use' } });
      expect(await getApp(appId)).toMatchObject({ state: 'connected', usedBy: { sources: 1 } });
    });

    it('rejects the source if the deletion was first', async () => {
      const appId = await aConnectedApp(organization);
      await change.query('select from apps where id = $1 for update', [appId]);
      await change.query(`update apps set deleted_at = now(), state = 'disabled' where id = $1`, [appId]);
      const body = { appId, name: 'Search', accountIds: ['9001000011'] };
      const creation = organization.call.post(`${organization.path}/sources`, body);
      await eventually(isWaiting, ({ length }) => length > 0);
      await change.query('commit');
      expect((await creation).status).toBe(404);
      expectStatus(await organization.call.get(`${organization.path}/configuration`), 200);
    });
  });

  it('is marked by a probe if its sign-in has expired', async () => {
    const appId = await aConnectedApp(organization);
    await sandbox.addFault({ fault: 'revoke' });
    const { body } = expectStatus(await organization.call.post<AppEntry>(`${organization.path}/apps/${appId}/probe`), 200);
    expect(body).toMatchObject({
      state: 'needs_reauth',
      failure: { class: 'auth', action: expect.stringContaining('Reconnect') },
    });
  });

  it('stays connected when Google does not approve the organization of this installation', async () => {
    const appId = await aConnectedApp(organization);
    await sandbox.addFault({ fault: 'refuse_project', category: 'authenticationError', code: 'ORGANIZATION_NOT_APPROVED' });
    const refused = await organization.call.post(`${organization.path}/apps/${appId}/probe`);
    expect(refused).toMatchObject({ status: 422, body: { action: 'Contact the operator of this installation' } });
    expect(await getApp(appId)).toMatchObject({ state: 'connected', failure: null });
  });

  it('keeps its accounts when Google denies this installation the service', async () => {
    const appId = await aConnectedApp(organization);
    const { accounts } = await getApp(appId);
    expect(accounts.length).toBeGreaterThan(0);
    await sandbox.addFault({ fault: 'refuse_project', code: 'SERVICE_ACCESS_DENIED', resource: 'customer_client' });
    const refused = await organization.call.post(`${organization.path}/apps/${appId}/probe`);
    expect(refused).toMatchObject({ status: 422, body: { action: 'Contact the operator of this installation' } });
    expect((await getApp(appId)).accounts).toEqual(accounts);
  });

  it('rejects a change based on an older version', async () => {
    const appId = await aDraftApp(organization);
    const path = `${organization.path}/apps/${appId}`;
    expectStatus(await organization.call.patch(path, { displayName: 'First', version: 1 }), 200);
    expect((await organization.call.patch(path, { displayName: 'Second', version: 1 })).body).toMatchObject({
      status: 409,
      code: 'conflict.version',
    });
    expect((await getApp(appId)).displayName).toBe('First');
  });

  it('is listed once over all pages', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => aDraftApp(organization)));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: { body: AppPage } = await organization.call.get<AppPage>(
        `${organization.path}/apps?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      );
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual([...made].sort());
  });
});
