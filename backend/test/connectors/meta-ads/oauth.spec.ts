import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { metaAdsConnector } from '../../../src/connectors/meta-ads/index.js';
import { missingScopes } from '../../../src/connectors/kit/oauth/oauth.js';
import { signal, startMetaSandbox, type MetaSandbox } from './meta-sandbox.js';

let sandbox: MetaSandbox;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  sandbox = await startMetaSandbox();
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.moveClock(0);
});
afterAll(() => sandbox.stop());

const daysUntil = (moment: Date | null): number => Math.round(((moment?.getTime() ?? 0) - Date.now()) / DAY_MS);

it('points to the operator when the app secret is wrong, although its code is transient elsewhere', async () => {
  const callback = await sandbox.consent('demo@example.com');
  const oauthFlow = metaAdsConnector({ ...sandbox.settings, appSecret: 'wrong' }).oauth;
  await expect(oauthFlow.exchangeCode(callback, signal)).rejects.toMatchObject({
    name: 'FixSettings',
    code: 'meta_ads.app_refused',
    action: expect.stringContaining('operator'),
  });
});

it('points to the operator when the redirect URI differs', async () => {
  const callback = await sandbox.consent('demo@example.com');
  await expect(
    sandbox.oauthFlow.exchangeCode({ ...callback, redirectUri: 'http://127.0.0.1/other' }, signal),
  ).rejects.toMatchObject({
    name: 'FixSettings',
  });
});

it('rejects a used or invalid code', async () => {
  const callback = await sandbox.consent('demo@example.com');
  await sandbox.oauthFlow.exchangeCode(callback, signal);
  for (const code of [callback.code, 'nonsense'])
    await expect(sandbox.oauthFlow.exchangeCode({ ...callback, code }, signal)).rejects.toMatchObject({
      name: 'ReconnectNeeded',
      code: 'meta_ads.code_refused',
    });
});

it.each(['server_error', 'drop_connection'])('retries later after %s of the token endpoint', async (fault) => {
  const grant = await sandbox.signIn();
  await sandbox.addFault(fault, { endpoint: 'token' });
  await expect(sandbox.oauthFlow.refresh(grant, signal)).rejects.toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
});

it('returns a token valid for 60 days, the next sign-in time and the user', async () => {
  const grant = await sandbox.signIn();
  expect(daysUntil(grant.expiresAt)).toBe(60);
  expect(daysUntil(grant.signInAgainAt)).toBe(60);
  expect(grant).toMatchObject({
    refreshToken: null,
    externalUser: { id: expect.stringMatching(/^\d+$/), email: 'demo@example.com' },
    grantedScopes: expect.arrayContaining(['ads_read', 'email']),
  });
  expect(missingScopes(sandbox.oauthFlow.scopes, grant.grantedScopes)).toEqual([]);
});

it('detects a permission that was not granted and requests it again the next time', async () => {
  const { grantedScopes } = await sandbox.signIn('limited@example.com', ['email']);
  expect(missingScopes(sandbox.oauthFlow.scopes, grantedScopes)).toEqual(['ads_read']);
  const again = await sandbox.signIn('limited@example.com');
  expect(missingScopes(sandbox.oauthFlow.scopes, again.grantedScopes)).toEqual([]);
});

it('shows the user by name if there is no email address', async () => {
  expect((await sandbox.signIn('nobody@example.com', ['ads_read'])).externalUser?.email).toBe('Nobody');
});

it('extends a valid token and rejects an expired one', async () => {
  const grant = await sandbox.signIn();
  await sandbox.moveClock(35);
  const extended = await sandbox.oauthFlow.refresh(grant, signal);
  expect(extended.accessToken).not.toBe(grant.accessToken);
  expect(daysUntil(extended.expiresAt)).toBe(95);
  // Data access still ends 90 days after the sign-in.
  expect(daysUntil(extended.signInAgainAt)).toBe(90);
  expect(missingScopes(sandbox.oauthFlow.scopes, extended.grantedScopes)).toEqual([]);
  await sandbox.moveClock(61);
  await expect(sandbox.oauthFlow.refresh(grant, signal)).rejects.toMatchObject({
    name: 'ReconnectNeeded',
    code: 'meta_ads.token_expired',
  });
});

it('refreshes a token halfway through its lifetime', () => {
  expect(sandbox.oauthFlow.refreshMarginMs).toBe(30 * DAY_MS);
});

it('revokes the access at Meta', async () => {
  const grant = await sandbox.signIn('limited@example.com');
  await sandbox.oauthFlow.revoke(grant, signal);
  await expect(sandbox.oauthFlow.refresh(grant, signal)).rejects.toMatchObject({ code: 'meta_ads.app_removed' });
});
