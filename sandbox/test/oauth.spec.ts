import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adsScope, errorOf, redirectUri, startGoogle } from './google.ts';

let google: Awaited<ReturnType<typeof startGoogle>>;
beforeAll(async () => void (google = await startGoogle()));
afterAll(() => google.close());

describe('the consent page', () => {
  it.each([
    ['response_type', 'token'],
    ['code_challenge_method', 'plain'],
    ['code_challenge', 'short'],
    ['client_id', ''],
    ['state', ''],
    ['redirect_uri', 'javascript:alert(1)'],
    ['redirect_uri', 'http://localhost:3000/#fragment'],
  ])('shows an error without a redirect when %s is "%s"', async (name, value) => {
    const answer = await google.consent({ [name]: value }, [
      ['user', 'demo@example.com'],
      ['decision', 'allow'],
      ['scope', adsScope],
    ]);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  it('escapes the app’s parameters', async () => {
    const query = new URLSearchParams({
      client_id: '<script>alert(1)</script>',
      redirect_uri: redirectUri,
      response_type: 'code',
      state: 's',
      scope: adsScope,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const html = await (await fetch(`${google.url}/google-ads/oauth/auth?${query}`)).text();
    expect(html).not.toContain('<script');
    expect(html).toContain('value="demo@example.com" checked');
    expect(html).toContain('Sandbox: this is not Google');
  });

  it('redirects with access_denied and the state when the user declines', async () => {
    const answer = await google.consent({}, [
      ['user', 'demo@example.com'],
      ['scope', adsScope],
      ['decision', 'deny'],
    ]);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(answer.status).toBe(302);
    expect(Object.fromEntries(location.searchParams)).toEqual({ state: 'a state', error: 'access_denied' });
  });

  it('treats a form submitted without a button as accepted, as after Enter', async () => {
    const answer = await google.consent({}, [
      ['user', 'demo@example.com'],
      ['scope', adsScope],
    ]);
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy();
  });

  it('redirects with access_denied when the only scope is deselected', async () => {
    const answer = await google.consent({ scope: adsScope }, [
      ['user', 'demo@example.com'],
      ['decision', 'allow'],
    ]);
    expect(answer.headers.get('location')).toContain('error=access_denied');
  });
});

describe('the token endpoint', () => {
  it('rejects a wrong verifier', async () => {
    const answer = await google.exchange(await google.code(), { code_verifier: 'another' });
    expect(answer).toEqual({ status: 400, body: { error: 'invalid_grant', error_description: 'Invalid code verifier.' } });
  });

  it('rejects a used code', async () => {
    const code = await google.code();
    expect((await google.exchange(code)).status).toBe(200);
    expect((await google.exchange(code)).body.error).toBe('invalid_grant');
  });

  it('rejects a code with another redirect URI', async () => {
    const answer = await google.exchange(await google.code(), { redirect_uri: 'http://localhost:3000/other' });
    expect(answer.body.error).toBe('redirect_uri_mismatch');
  });

  it('rejects a wrong client secret', async () => {
    const answer = await google.exchange(await google.code(), { client_secret: 'wrong' });
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('rejects a modified refresh token', async () => {
    const { refresh_token } = await google.signIn();
    expect((await google.refresh(`${refresh_token.slice(0, -4)}AAAA`)).body.error).toBe('invalid_grant');
  });

  it('refreshes without rotating the refresh token', async () => {
    const first = await google.signIn();
    const { status, body } = await google.refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(body.refresh_token).toBeUndefined();
    expect(body).toMatchObject({ expires_in: 3599, token_type: 'Bearer', scope: first.scope });
    expect((await google.accessible(body.access_token)).status).toBe(200);
  });

  it('returns a refresh token the second time only when consent is requested again', async () => {
    const offline = { client_id: 'returning', prompt: '' };
    const exchange = async (overrides: Record<string, string>) =>
      (
        await google.exchange(await google.code('demo@example.com', [adsScope], { ...offline, ...overrides }), {
          client_id: 'returning',
        })
      ).body;
    expect((await exchange({})).refresh_token).toBeDefined();
    expect((await exchange({})).refresh_token).toBeUndefined();
    expect((await exchange({ prompt: 'consent' })).refresh_token).toBeDefined();
  });

  it('returns the granted scopes, and the API rejects the rest', async () => {
    const tokens = await google.signIn('demo@example.com', []);
    expect(tokens.scope).toBe('openid email');
    const answer = await google.accessible(tokens.access_token);
    expect(answer.status).toBe(403);
    expect(answer.body.error?.details?.[0]?.reason).toBe('ACCESS_TOKEN_SCOPE_INSUFFICIENT');
  });

  it('returns the signed-in user', async () => {
    const { access_token } = await google.signIn('limited@example.com');
    const answer = await fetch(`${google.url}/google-ads/oauth/userinfo`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(await answer.json()).toMatchObject({ email: 'limited@example.com', email_verified: true });
  });
});

describe('revoking', () => {
  it('ends refresh and access tokens of that user and client, until a new consent', async () => {
    const tokens = await google.signIn();
    const revoked = await fetch(`${google.url}/google-ads/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: tokens.access_token }),
    });
    expect(revoked.status).toBe(200);
    expect(await google.refresh(tokens.refresh_token)).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    });
    expect(errorOf(await google.accessible(tokens.access_token))).toBe('authenticationError OAUTH_TOKEN_REVOKED');
    expect((await google.accessible((await google.signIn()).access_token)).status).toBe(200);
  });

  it('survives a restart, and so does every token', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const before = await startGoogle({ dataDir });
    const kept = await before.signIn('demo@example.com');
    const ended = await before.signIn('limited@example.com');
    await fetch(`${before.url}/google-ads/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: ended.refresh_token }),
    });
    await before.close();
    const after = await startGoogle({ dataDir });
    expect((await after.refresh(kept.refresh_token)).status).toBe(200);
    expect((await after.accessible(kept.access_token)).status).toBe(200);
    expect((await after.refresh(ended.refresh_token)).body.error).toBe('invalid_grant');
    await after.close();
    rmSync(dataDir, { recursive: true });
  });
});
