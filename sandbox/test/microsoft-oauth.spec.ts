import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adsScope, errorOf, redirectUri, startMicrosoft } from './microsoft.ts';

let microsoft: Awaited<ReturnType<typeof startMicrosoft>>;
beforeAll(async () => void (microsoft = await startMicrosoft()));
afterEach(() => microsoft.admin('faults', undefined, 'DELETE'));
afterAll(() => microsoft.close());

describe('the consent page', () => {
  it.each([
    ['response_type', 'token'],
    ['code_challenge_method', 'plain'],
    ['code_challenge', 'short'],
    ['client_id', ''],
    ['scope', 'https://ads.example.com/everything'],
    ['redirect_uri', 'javascript:alert(1)'],
  ])('shows an error without a redirect when %s is "%s"', async (name, value) => {
    const answer = await microsoft.consent({ [name]: value }, [['user', 'demo@example.com']]);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  it('escapes the app’s parameters and does not allow deselecting a permission', async () => {
    const query = new URLSearchParams({
      client_id: '<script>alert(1)</script>',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: `${adsScope} offline_access`,
    });
    const html = await (await fetch(`${microsoft.url}/microsoft-ads/oauth2/v2.0/authorize?${query}`)).text();
    expect(html).not.toContain('<script');
    expect(html).not.toContain('type="checkbox"');
    expect(html).toContain('value="demo@example.com" checked');
    expect(html).toContain('Sandbox: this is not Microsoft');
  });

  it('redirects with access_denied and the state when the user cancels', async () => {
    const answer = await microsoft.consent({}, [
      ['user', 'demo@example.com'],
      ['decision', 'deny'],
    ]);
    const { searchParams } = new URL(answer.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({ state: 'a state', error: 'access_denied', error_subcode: 'cancel' });
  });
});

describe('the token endpoint', () => {
  it.each([
    ['a wrong verifier', { code_verifier: 'another' }, 400, 'invalid_grant', 501_481],
    ['no verifier at all', { code_verifier: '' }, 400, 'invalid_grant', 501_481],
    ['another address', { redirect_uri: 'http://localhost:3000/other' }, 400, 'invalid_client', 50_011],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client', 7_000_215],
    ['no secret', { client_secret: '' }, 401, 'invalid_client', 7_000_218],
    ['no scope', { scope: '' }, 400, 'invalid_request', 900_144],
    ['a scope that was not granted', { scope: 'https://ads.microsoft.com/other' }, 400, 'invalid_grant', 70_000],
    ['an unknown code', { code: 'unknown' }, 400, 'invalid_grant', 70_000],
  ])('rejects %s', async (_, overrides, status, error, code) => {
    const answer = await microsoft.exchange(await microsoft.code(), overrides);
    expect(answer).toMatchObject({ status, body: { error, error_codes: [code] } });
    expect(answer.body.error_description).toContain(`AADSTS${code}: `);
  });

  it('rejects a used code', async () => {
    const code = await microsoft.code();
    expect((await microsoft.exchange(code)).status).toBe(200);
    expect((await microsoft.exchange(code)).body.error_codes).toEqual([54_005]);
  });

  it('returns the scope of the token without offline_access', async () => {
    const { body } = await microsoft.exchange(await microsoft.code());
    expect(body).toMatchObject({ token_type: 'Bearer', scope: adsScope, expires_in: 3_600 });
    expect(body.refresh_token).toBeDefined();
  });

  it('returns no refresh token without offline_access', async () => {
    const { status, body } = await microsoft.exchange(await microsoft.code('demo@example.com', { scope: adsScope }));
    expect(status).toBe(200);
    expect(body.refresh_token).toBeUndefined();
  });

  it('returns none with a fault', async () => {
    await microsoft.fault('no_refresh_token', { times: 1 });
    expect((await microsoft.exchange(await microsoft.code())).body.refresh_token).toBeUndefined();
    expect((await microsoft.exchange(await microsoft.code())).body.refresh_token).toBeDefined();
  });
});

describe('refreshing', () => {
  it('returns a new refresh token each time and invalidates the old one', async () => {
    const first = (await microsoft.signIn()).refresh;
    const second = await microsoft.refresh(first);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first);
    expect(await microsoft.refresh(first)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_codes: [70_000] },
    });
    const third = await microsoft.refresh(String(second.body.refresh_token));
    expect((await microsoft.user(String(third.body.access_token))).status).toBe(200);
  });

  it('requires the scope again', async () => {
    const { refresh } = await microsoft.signIn();
    expect((await microsoft.refresh(refresh, { scope: '' })).body.error).toBe('invalid_request');
  });

  it('rejects a token of another client and a modified one', async () => {
    const { refresh } = await microsoft.signIn();
    expect((await microsoft.refresh(refresh, { client_id: 'another' })).body.error_codes).toEqual([70_000]);
    expect((await microsoft.refresh(`${refresh.slice(0, -4)}AAAA`)).body.error_codes).toEqual([70_000]);
    expect((await microsoft.refresh(refresh)).status).toBe(200);
  });

  it('can be rejected for a valid token, which works later', async () => {
    const { refresh } = await microsoft.signIn();
    await microsoft.fault('spurious_invalid_grant', { times: 2 });
    const codes = [];
    for (let attempt = 0; attempt < 3; attempt++) codes.push((await microsoft.refresh(refresh)).body.error_codes?.[0] ?? 'ok');
    expect(codes).toEqual([70_000, 70_000, 'ok']);
  });

  it('requires a second factor until the user signs in again', async () => {
    const { refresh } = await microsoft.signIn();
    await microsoft.fault('interaction_required', { user: 'demo@example.com' });
    expect((await microsoft.refresh(refresh)).body).toMatchObject({ error: 'interaction_required', error_codes: [50_076] });
    expect((await microsoft.refresh((await microsoft.signIn()).refresh)).status).toBe(200);
  });

  it('fails without a machine-readable answer while the endpoint is down', async () => {
    const { refresh } = await microsoft.signIn();
    await microsoft.fault('unavailable', { endpoint: 'token', times: 1 });
    const answer = await microsoft.refresh(refresh);
    expect(answer.status).toBe(503);
    expect(String(answer.body.text)).toContain('<html>');
    expect((await microsoft.refresh(refresh)).status).toBe(200);
  });

  it('stores used tokens across a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const before = await startMicrosoft({ dataDir });
    const spent = (await before.signIn()).refresh;
    const kept = String((await before.refresh(spent)).body.refresh_token);
    await before.close();
    const after = await startMicrosoft({ dataDir });
    expect((await after.refresh(spent)).body.error).toBe('invalid_grant');
    expect((await after.refresh(kept)).status).toBe(200);
    await after.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe('access tokens', () => {
  it('expire immediately, and a refresh helps', async () => {
    const tokens = await microsoft.signIn();
    await microsoft.fault('expire_token');
    const refused = await microsoft.user(tokens.access);
    expect([refused.status, errorOf(refused)]).toEqual([401, '109 AuthenticationTokenExpired']);
    const { body } = await microsoft.refresh(tokens.refresh);
    expect((await microsoft.user(String(body.access_token))).status).toBe(200);
  });

  it('are revoked for one user, and a new consent helps', async () => {
    const [demo, limited] = [await microsoft.signIn(), await microsoft.signIn('limited@example.com')];
    await microsoft.fault('revoke', { user: 'limited@example.com' });
    expect((await microsoft.refresh(limited.refresh)).body.error).toBe('invalid_grant');
    expect(errorOf(await microsoft.user(limited.access))).toBe('105 InvalidCredentials');
    expect((await microsoft.user(demo.access)).status).toBe(200);
    expect((await microsoft.user((await microsoft.signIn('limited@example.com')).access)).status).toBe(200);
  });

  it('of a user without Microsoft Advertising are 105 UserNotFound, or 105 without a detail', async () => {
    const { access } = await microsoft.signIn('private@example.com');
    const detailOf = async (token: string) => (await microsoft.user(token)).body.Errors;
    expect(await detailOf(access)).toMatchObject([{ Code: 105, Detail: 'UserNotFound' }]);
    await microsoft.fault('credentials_unexplained');
    expect(await detailOf((await microsoft.signIn()).access)).toMatchObject([{ Code: 105, Detail: null }]);
  });
});
