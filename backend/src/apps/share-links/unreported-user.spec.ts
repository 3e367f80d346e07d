import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import {
  aConnectedApp,
  aDraftApp,
  anOrganization,
  aSource,
  eventually,
  expectStatus,
  type Organization,
} from '../../../test/factories.js';
import { consentAt, shareLink, show, type ShownPage, useLink } from '../../../test/sign-in.js';
import type { OauthCompletion, OtherUser } from '../app-use.dto.js';
import type { AppEntry } from '../apps.dto.js';

/** Without these scopes Google sends no identity token. */
const IDENTITY = ['openid', 'email'];
const OWNER = 'demo@example.com';
const OTHER_USER = 'limited@example.com';

let sandbox: Sandbox;
let app: TestApp;
let organization: Organization;
let appId: string;

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
  appId = await aConnectedApp(organization);
});

const appPath = () => `${organization.path}/apps/${appId}`;
const getApp = async (): Promise<AppEntry> => (await organization.call.get<AppEntry>(appPath())).body;
const share = (): Promise<string> => shareLink(organization.call, appPath());
const takeBack = async () => expectStatus(await organization.call.delete(`${appPath()}/share-link`), 204);
const stored = async () => {
  const [row] = await app.database.query<{ externalUserId: string | null; credentials: string | null }>(
    'select external_user_id as "externalUserId", credentials from apps where id = $1',
    [appId],
  );
  return row;
};
/** Like apps that were connected before the product requested the user's id from Google. */
const forgetUser = () =>
  app.database.query('update apps set external_user_id = null, external_user = null where id = $1', [appId]);

/** A member's sign-in up to the API response. */
async function signIn(user: string, without: string[]) {
  const { body } = await organization.call.post<{ authorizeUrl: string }>(`${appPath()}/oauth/start`);
  const back = new URL(await consentAt(body.authorizeUrl, user, { without }), app.url);
  const [state, code] = [back.searchParams.get('state'), back.searchParams.get('code')];
  const answer = await organization.call.post<OauthCompletion & { otherUser: OtherUser }>(
    `${organization.path}/apps/oauth/complete`,
    { state, code },
  );
  return { state, answer };
}

describe('a sign-in by a share link without a reported user', () => {
  it('cannot switch the app to another account: it is rejected, nothing changes, and the link stays open', async () => {
    const before = await stored();
    const path = await share();
    const page = await useLink(app, path, OTHER_USER, { without: IDENTITY });
    expect(page.status).toBe(422);
    expect(page.html).toContain('did not report who signed in');
    expect(page.html).toContain(`Sign in again as ${OWNER} and leave the permission to see your e-mail address allowed`);
    expect(await stored()).toEqual(before);
    expect(await useLink(app, path, OWNER)).toMatchObject({ status: 200 });
  });

  it('is rejected for the correct account too, because it cannot be verified', async () => {
    const page = await useLink(app, await share(), OWNER, { without: IDENTITY });
    expect(page).toMatchObject({ status: 422, html: expect.stringContaining('did not report who signed in') });
  });

  it('is accepted with only the account’s id: the e-mail address may be missing, and the stored one is kept', async () => {
    expect(await useLink(app, await share(), OWNER, { without: ['email'] })).toMatchObject({ status: 200 });
    expect(await getApp()).toMatchObject({ externalUser: OWNER });
  });

  it('makes no request to the platform’s API and does not change the app', async () => {
    const count = async () => (await sandbox.requests()).filter(({ path }) => path?.includes('customers')).length;
    const before = await count();
    await useLink(app, await share(), OTHER_USER, { without: IDENTITY });
    await useLink(app, await share(), OTHER_USER);
    await useLink(app, await share(), OTHER_USER, { scopes: IDENTITY });
    expect(await count()).toBe(before);
    expect(await getApp()).toMatchObject({ state: 'connected', missingScopes: [] });
  });
});

describe('a platform that always reports the user', () => {
  it.each([
    ['meta_ads', ['ads_read']],
    ['microsoft_ads', ['https://ads.microsoft.com/msads.manage', 'offline_access']],
  ])('%s rejects another account, even with the fewest permissions', async (provider, scopes) => {
    appId = await aConnectedApp(organization, OWNER, provider);
    const before = await stored();
    const page = await useLink(app, await share(), OTHER_USER, { scopes });
    expect(page).toMatchObject({ status: 422, html: expect.stringContaining(`is connected as ${OWNER}`) });
    expect(await stored()).toEqual(before);
  });
});

describe('a member’s sign-in without a reported user', () => {
  it('counts as another user: it is stored until a member accepts it, and the old refresh token is deleted', async () => {
    const before = await stored();
    const { state, answer } = await signIn(OTHER_USER, IDENTITY);
    expect(answer).toMatchObject({ status: 422, body: { code: 'oauth.other_user' } });
    expect(answer.body.otherUser).toMatchObject({ expected: OWNER, found: 'an unnamed user' });
    expect(await stored()).toEqual(before);
    const accepted = await organization.call.post<OauthCompletion>(`${organization.path}/apps/oauth/accept-other-user`, {
      state,
    });
    expect(expectStatus(accepted, 200).body).toMatchObject({ app: { state: 'connected', externalUser: null } });
  });

  it('can connect an app that was never connected', async () => {
    appId = await aDraftApp(organization);
    expect((await signIn(OWNER, IDENTITY)).answer).toMatchObject({ status: 200, body: { app: { state: 'connected' } } });
  });
});

describe('an app whose user is unknown', () => {
  it('can be reconnected by a share link only by a user with access to every account in use', async () => {
    await aSource(organization, { appId, accountIds: ['9001000020'] });
    await forgetUser();
    const before = await stored();
    const path = await share();
    const refused = await useLink(app, path, OTHER_USER);
    expect(refused).toMatchObject({ status: 422, html: expect.stringContaining('does not have access to every account in use') });
    expect(await stored()).toEqual(before);
    expect(await useLink(app, path, OWNER)).toMatchObject({ status: 200 });
    expect(await getApp()).toMatchObject({ externalUser: OWNER });
  });

  it('cannot be reconnected by a share link while no account is in use, because the user cannot be verified', async () => {
    await forgetUser();
    expect(await useLink(app, await share(), OWNER)).toMatchObject({ status: 422 });
  });

  it('requires confirmation by a member if an account in use would be lost', async () => {
    await aSource(organization, { appId, accountIds: ['9001000020'] });
    await forgetUser();
    expect((await signIn(OTHER_USER, [])).answer).toMatchObject({ status: 422, body: { code: 'oauth.other_user' } });
    expect((await signIn(OWNER, [])).answer).toMatchObject({ status: 200 });
  });
});

describe('a share link that changes while its holder signs in at the platform', () => {
  /** Signs in at the platform and returns to the final page, which is not opened yet. */
  async function onTheWay(path: string): Promise<() => Promise<ShownPage>> {
    const start = await show(app, `${path}/start`);
    const back = await show(app, await consentAt(start.headers.get('location') ?? '', OWNER));
    return () => show(app, back.headers.get('location') ?? '/no-landing');
  }

  it('is rejected if it was revoked, has expired, or a newer one was created', async () => {
    const before = await stored();
    const takenBack = await onTheWay(await share());
    await takeBack();
    expect(await takenBack()).toMatchObject({ status: 410 });
    const expired = await onTheWay(await share());
    await app.database.query(`update app_share_links set expires_at = now() - interval '1 second' where app_id = $1`, [appId]);
    expect(await expired()).toMatchObject({ status: 410 });
    const older = await onTheWay(await share());
    await share();
    expect(await older()).toMatchObject({ status: 410 });
    expect(await stored()).toEqual(before);
  });

  it('is rejected if it is revoked during the request to the platform, and cannot be used afterwards', async () => {
    const before = await stored();
    await sandbox.addFault({ fault: 'slow', delayMs: 1_000 });
    const path = await share();
    const finish = await onTheWay(path);
    const exchanges = async () => (await sandbox.requests()).filter((request) => request.path?.includes('/oauth/token')).length;
    const exchangesBefore = await exchanges();
    const page = finish();
    await eventually(exchanges, (count) => count > exchangesBefore);
    await takeBack();
    expect(await page).toMatchObject({ status: 410, html: expect.stringContaining('revoked') });
    await sandbox.clearFaults();
    expect(await stored()).toEqual(before);
    expect((await show(app, path)).status).toBe(410);
  });

  it('reconnects once for concurrent sign-ins', async () => {
    const path = await share();
    const finishes = await Promise.all([onTheWay(path), onTheWay(path), onTheWay(path)]);
    const pages = await Promise.all(finishes.map((finish) => finish()));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  });

  it('rejects a code of another flow and the state of another link', async () => {
    const path = await share();
    const mine = await show(app, `${path}/start`);
    const state = new URL(mine.headers.get('location') ?? '').searchParams.get('state');
    const { body } = await organization.call.post<{ authorizeUrl: string }>(`${appPath()}/oauth/start`);
    const other = new URL(await consentAt(body.authorizeUrl, OWNER), app.url);
    const injected = await show(app, `/reconnect/result?state=${state}&code=${other.searchParams.get('code')}`);
    expect(injected.status).toBe(422);
    const memberState = new URL(body.authorizeUrl).searchParams.get('state');
    expect((await show(app, `/reconnect/result?state=${memberState}&code=x`)).status).toBe(404);
  });

  it('does not restore a deleted app', async () => {
    const finish = await onTheWay(await share());
    expectStatus(await organization.call.delete(appPath()), 204);
    expect(await finish()).toMatchObject({ status: 404 });
    expect(await stored()).toMatchObject({ credentials: null });
  });
});
