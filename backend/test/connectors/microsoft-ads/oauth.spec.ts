import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { microsoftOauth } from '../../../src/connectors/microsoft-ads/oauth.js';
import type { MicrosoftAdsSettings } from '../../../src/connectors/microsoft-ads/settings.js';
import { missingScopes, type OAuthFlow } from '../../../src/connectors/kit/oauth/oauth.js';
import { consentAtMicrosoft, startMicrosoftSandbox, type MicrosoftSandbox } from './microsoft-sandbox.js';

let sandbox: MicrosoftSandbox;
const { signal } = new AbortController();

beforeAll(async () => {
  sandbox = await startMicrosoftSandbox();
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

const oauthFlow = (overrides?: Partial<MicrosoftAdsSettings>): OAuthFlow => microsoftOauth(sandbox.settings(overrides));

it('points to the operator when the client secret is wrong', async () => {
  const callback = await consentAtMicrosoft(sandbox.settings());
  await expect(oauthFlow({ clientSecret: 'wrong' }).exchangeCode(callback, signal)).rejects.toMatchObject({
    name: 'FixSettings',
    code: 'microsoft_ads.invalid_client',
    action: expect.stringContaining('operator'),
  });
});

it('rejects a code with another verifier or used twice', async () => {
  const [callback, other] = [await consentAtMicrosoft(sandbox.settings()), await consentAtMicrosoft(sandbox.settings())];
  const mixed = { ...callback, codeVerifier: other.codeVerifier };
  await expect(oauthFlow().exchangeCode(mixed, signal)).rejects.toMatchObject({ name: 'ReconnectNeeded' });
  await oauthFlow().exchangeCode(other, signal);
  await expect(oauthFlow().exchangeCode(other, signal)).rejects.toMatchObject({ code: 'microsoft_ads.invalid_grant' });
});

it('fails to connect without a refresh token', async () => {
  const callback = await consentAtMicrosoft(sandbox.settings(), 'demo@example.com', 'offline_access');
  const failure = {
    name: 'ReconnectNeeded',
    code: 'microsoft_ads.no_refresh_token',
    action: 'Connect again and accept all permissions',
  };
  await expect(oauthFlow().exchangeCode(callback, signal)).rejects.toMatchObject(failure);
  await sandbox.addFault({ fault: 'no_refresh_token' });
  await expect(sandbox.signIn()).rejects.toMatchObject(failure);
});

it('says that a Microsoft user has no Microsoft Advertising account', async () => {
  await expect(sandbox.signIn('private@example.com')).rejects.toMatchObject({
    name: 'ReconnectNeeded',
    code: 'microsoft_ads.user_not_found',
    message: 'This Microsoft user has no Microsoft Advertising account.',
    action: 'Reconnect with a Microsoft user of Microsoft Advertising',
  });
});

it('names both possible causes when Microsoft gives no reason', async () => {
  await sandbox.addFault({ fault: 'credentials_unexplained' });
  await expect(sandbox.signIn()).rejects.toMatchObject({
    code: 'microsoft_ads.credentials_refused',
    message: expect.stringMatching(/no Microsoft Advertising account.*developer token/),
    action: expect.stringMatching(/user of Microsoft Advertising.*MICROSOFT_DEVELOPER_TOKEN/),
  });
});

it.each(['server_error', 'unavailable', 'drop_connection'])('retries later after %s of the token endpoint', async (fault) => {
  const grant = await sandbox.signIn();
  await sandbox.addFault({ fault, endpoint: 'token' });
  await expect(oauthFlow().refresh(grant, signal)).rejects.toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
});

it('does not send secrets over http to a server that is configured with https', async () => {
  const { tokenUrl } = sandbox.settings();
  const secure = oauthFlow({ tokenUrl: tokenUrl.replace('http:', 'https:') });
  await expect(secure.refresh({ accessToken: 'any', refreshToken: 'any' }, signal)).rejects.toMatchObject({ name: 'RetryLater' });
});

it('returns tokens with expiry, scopes and the Microsoft Advertising user', async () => {
  const grant = await sandbox.signIn();
  const lifetimeSeconds = (grant.expiresAt.getTime() - Date.now()) / 1_000;
  expect(lifetimeSeconds).toBeGreaterThan(3_500);
  expect(grant).toMatchObject({
    refreshToken: expect.any(String),
    externalUser: { id: '170900001', email: 'demo@example.com' },
  });
  expect(missingScopes(oauthFlow().scopes, grant.grantedScopes)).toEqual([]);
});

it('returns a new refresh token each time and invalidates the previous one', async () => {
  const first = await sandbox.signIn();
  const second = await oauthFlow().refresh(first, signal);
  expect(second.refreshToken).not.toBe(first.refreshToken);
  await expect(oauthFlow().refresh(first, signal)).rejects.toMatchObject({
    name: 'ReconnectNeeded',
    code: 'microsoft_ads.invalid_grant',
    action: 'Reconnect with Microsoft',
  });
  const third = await oauthFlow().refresh(second, signal);
  expect(third.accessToken).not.toBe(second.accessToken);
});

it('marks a rejected token as unsure and does not wait', async () => {
  const grant = await sandbox.signIn();
  await sandbox.addFault({ fault: 'spurious_invalid_grant', times: 1 });
  const before = (await sandbox.calls('token')).length;
  await expect(oauthFlow().refresh(grant, signal)).rejects.toMatchObject({ name: 'ReconnectNeeded', isUnsure: true });
  expect((await sandbox.calls('token')).length - before).toBe(1);
  await expect(oauthFlow().refresh(grant, signal)).resolves.toMatchObject({ refreshToken: expect.any(String) });
});

it('requires a reconnect for a second factor and is sure', async () => {
  const grant = await sandbox.signIn();
  await sandbox.addFault({ fault: 'interaction_required' });
  const before = (await sandbox.calls('token')).length;
  await expect(oauthFlow().refresh(grant, signal)).rejects.toMatchObject({
    name: 'ReconnectNeeded',
    code: 'microsoft_ads.interaction_required',
    message: expect.stringContaining('second factor'),
    isUnsure: false,
  });
  expect((await sandbox.calls('token')).length - before).toBe(1);
});

it('has no revocation endpoint and does not fail', async () => {
  const grant = await sandbox.signIn();
  await expect(oauthFlow().revoke(grant, signal)).resolves.toBeUndefined();
  await expect(oauthFlow().refresh(grant, signal)).resolves.toBeDefined();
});
