import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { missingScopes } from '../../../src/connectors/kit/oauth/oauth.js';
import { adsScope, consent, oauthFlowOf, startSandbox, type Sandbox } from '../sandbox-process.js';

let sandbox: Sandbox;
const { signal } = new AbortController();

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

it.each([
  ['wrong', 'invalid_client'],
  ['deleted', 'deleted_client'],
  ['disabled', 'disabled_client'],
])('points to the operator when the client or its secret is %s', async (clientSecret, code) => {
  const callback = await consent(sandbox.oauth, 'demo@example.com');
  await expect(oauthFlowOf({ ...sandbox.oauth, clientSecret }).exchangeCode(callback, signal)).rejects.toMatchObject({
    name: 'FixSettings',
    code: `google_oauth.${code}`,
    action: expect.stringContaining('operator'),
  });
});

it('rejects a code with another verifier', async () => {
  const callback = await consent(sandbox.oauth, 'demo@example.com');
  const codeVerifier = (await consent(sandbox.oauth, 'demo@example.com')).codeVerifier;
  await expect(oauthFlowOf(sandbox.oauth).exchangeCode({ ...callback, codeVerifier }, signal)).rejects.toMatchObject({
    name: 'ReconnectNeeded',
  });
});

it('rejects a code that was already used', async () => {
  const callback = await consent(sandbox.oauth, 'demo@example.com');
  await oauthFlowOf(sandbox.oauth).exchangeCode(callback, signal);
  await expect(oauthFlowOf(sandbox.oauth).exchangeCode(callback, signal)).rejects.toMatchObject({
    code: 'google_oauth.invalid_grant',
  });
});

it.each(['server_error', 'unavailable', 'drop_connection'])('retries later after %s of the token endpoint', async (fault) => {
  const { accessToken, refreshToken } = await sandbox.signIn('demo@example.com');
  await sandbox.addFault({ fault, endpoint: 'token' });
  await expect(oauthFlowOf(sandbox.oauth).refresh({ accessToken, refreshToken }, signal)).rejects.toMatchObject({
    name: 'RetryLater',
    failureClass: 'transient',
  });
});

it('does not send secrets over http to a server that is configured with https', async () => {
  const oauth = { ...sandbox.oauth, tokenUrl: sandbox.oauth.tokenUrl.replace('http:', 'https:') };
  await expect(oauthFlowOf(oauth).refresh({ accessToken: 'any', refreshToken: 'any' }, signal)).rejects.toMatchObject({
    name: 'RetryLater',
  });
});

it('detects a scope that was not granted', async () => {
  const { grantedScopes } = await sandbox.signIn('demo@example.com', []);
  expect(missingScopes(oauthFlowOf(sandbox.oauth).scopes, grantedScopes)).toEqual([adsScope]);
});

it('returns tokens with their expiry and the user', async () => {
  const grant = await sandbox.signIn('demo@example.com');
  const lifetimeSeconds = (grant.expiresAt.getTime() - Date.now()) / 1_000;
  expect(lifetimeSeconds).toBeGreaterThan(3_500);
  expect(grant).toMatchObject({
    refreshToken: expect.any(String),
    externalUser: { id: expect.any(String), email: 'demo@example.com' },
  });
  expect(missingScopes(oauthFlowOf(sandbox.oauth).scopes, grant.grantedScopes)).toEqual([]);
});

it('keeps the refresh token, which a refresh does not return', async () => {
  const { accessToken, refreshToken } = await sandbox.signIn('demo@example.com');
  const refreshed = await oauthFlowOf(sandbox.oauth).refresh({ accessToken, refreshToken }, signal);
  expect(refreshed).toMatchObject({ accessToken: expect.any(String), refreshToken: null });
});
