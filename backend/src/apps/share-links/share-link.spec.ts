import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../../test/app.js';
import { type Sandbox, startSandbox } from '../../../test/connectors/sandbox-process.js';
import { aConnectedApp, anOrganization, expectStatus, type Organization } from '../../../test/factories.js';
import { aMember } from '../../../test/teams.js';
import { shareLink, show, useLink } from '../../../test/sign-in.js';
import type { AppEntry } from '../apps.dto.js';

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
const share = (): Promise<string> => shareLink(organization.call, appPath());
const getApp = async (): Promise<AppEntry> => (await organization.call.get<AppEntry>(appPath())).body;
async function die(): Promise<void> {
  await sandbox.addFault({ fault: 'revoke' });
  expect((await organization.call.post<AppEntry>(`${appPath()}/probe`)).body.state).toBe('needs_reauth');
  await sandbox.clearFaults();
}

describe('the page of a shared link', () => {
  it('shows the requester, the app and the organization, and loads no file and runs no script', async () => {
    const { status, html, headers } = await show(app, await share());
    expect(status).toBe(200);
    for (const text of ['Northwind', organization.owner.email, 'demo@example.com', 'Sign in with Google Ads'])
      expect(html).toContain(text);
    expect(html).not.toMatch(/<script|<img|<link|javascript:|https?:\/\//);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; font-src data:; base-uri 'none'/,
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('escapes names', async () => {
    const displayName = `<script>alert("1")</script>&'`;
    const { version } = await getApp();
    expectStatus(await organization.call.patch(appPath(), { displayName, version }), 200);
    const { html } = await show(app, await share());
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;');
    expect(html).not.toContain('<script');
  });

  it.each(['of-nobody', 'a'.repeat(500), '%00', '..%2f..'])('returns 404 for the token %s', async (token) => {
    const page = await show(app, `/reconnect/${token}`);
    expect([400, 404]).toContain(page.status);
    if (page.status === 404) expect(page.html).toContain('This link does not work');
  });
});

describe('a shared link', () => {
  it('reconnects the app once without an account and shows what resumes', async () => {
    await die();
    const path = await share();
    const page = await useLink(app, path, 'demo@example.com');
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining('is connected again') });
    expect(await getApp()).toMatchObject({
      state: 'connected',
      needsReauthSince: null,
      shareLink: null,
      authorised: { way: 'link', email: null },
    });
    const again = await show(app, path);
    expect(again).toMatchObject({ status: 410, html: expect.stringContaining('already used') });
    expect((await useLink(app, path, 'demo@example.com')).status).toBe(410);
  });

  it.each<[string, string, Parameters<typeof useLink>[3], string]>([
    ['consent is denied', 'demo@example.com', { decision: 'deny' }, 'You did not grant access'],
    ['a permission is not ticked', 'demo@example.com', { scopes: ['openid', 'email'] }, 'was not ticked'],
    ['another user signs in', 'limited@example.com', {}, 'you signed in as limited@example.com'],
  ])('stays open with an error if %s', async (_what, user, answer, sentence) => {
    await die();
    const path = await share();
    const page = await useLink(app, path, user, answer);
    expect(page.status).toBe(422);
    expect(page.html).toContain(sentence);
    expect((await getApp()).state).toBe('needs_reauth');
    expect(await useLink(app, path, 'demo@example.com')).toMatchObject({ status: 200 });
  });

  it('cannot accept another user', async () => {
    const path = await share();
    await useLink(app, path, 'limited@example.com');
    expect(await app.database.query('select 1 from oauth_states where held_grant is not null')).toEqual([]);
  });

  it('is rejected after 24 hours, after it was revoked, and after a newer one was created', async () => {
    const expired = await share();
    await app.database.query(`update app_share_links set expires_at = now() - interval '1 second' where app_id = $1`, [appId]);
    expect(await show(app, expired)).toMatchObject({ status: 410, html: expect.stringContaining('older than 24 hours') });
    const takenBack = await share();
    expectStatus(await organization.call.delete(`${appPath()}/share-link`), 204);
    expect(await show(app, takenBack)).toMatchObject({ status: 410, html: expect.stringContaining('revoked') });
    const older = await share();
    const newer = await share();
    expect((await show(app, older)).status).toBe(410);
    expect((await show(app, newer)).status).toBe(200);
    expect((await getApp()).shareLink).toEqual({ createdAt: expect.any(String), expiresAt: expect.any(String) });
  });

  it('is invalid once its app is deleted', async () => {
    const path = await share();
    expectStatus(await organization.call.post(`${appPath()}/disconnect`), 200);
    expect((await show(app, path)).status).toBe(410);
  });

  it('is rejected on the page of a member', async () => {
    const path = await share();
    const start = await show(app, `${path}/start`);
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state');
    const answer = await organization.call.post(`${organization.path}/apps/oauth/complete`, { state, code: 'x' });
    expect(answer.body).toMatchObject({ code: 'oauth.state_invalid' });
  });

  it('is created only by admins and owners, and its token is not stored', async () => {
    const editor = await aMember(app, organization, 'editor');
    expect((await editor.call.post(`${appPath()}/share-link`)).status).toBe(403);
    const token = (await share()).split('/').at(-1) ?? '';
    const [row] = await app.database.query<{ row: string }>('select l::text as row from app_share_links l where app_id = $1', [
      appId,
    ]);
    expect(row?.row).not.toContain(token);
  });
});
