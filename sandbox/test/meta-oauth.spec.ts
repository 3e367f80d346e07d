import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adsScopes, errorOf, proof, redirectUri, startMeta } from './meta.ts';

let meta: Awaited<ReturnType<typeof startMeta>>;
beforeAll(async () => void (meta = await startMeta()));
afterEach(async () => {
  await meta.admin('faults', undefined, 'DELETE');
  await meta.admin('clock', { offsetDays: 0 });
});
afterAll(() => meta.close());

const allow: [string, string][] = [
  ['user', 'demo@example.com'],
  ['decision', 'allow'],
];

describe('the login dialog', () => {
  it.each([
    ['response_type', 'token'],
    ['client_id', ''],
    ['redirect_uri', 'javascript:alert(1)'],
    ['redirect_uri', 'http://localhost:3000/#fragment'],
  ])('shows an error without a redirect when %s is "%s"', async (name, value) => {
    const answer = await meta.dialog({ [name]: value }, allow);
    expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({ status: 400, location: null });
  });

  it('escapes the app’s parameters', async () => {
    const query = new URLSearchParams({ client_id: '<script>alert(1)</script>', redirect_uri: redirectUri, scope: 'ads_read' });
    const html = await (await fetch(`${meta.url}/meta-ads/v26.0/dialog/oauth?${query}`)).text();
    expect(html).not.toContain('<script');
    expect(html).toContain('Sandbox: this is not Facebook');
  });

  it('redirects with the reason, the state and the fragment when the user cancels', async () => {
    const answer = await meta.dialog({}, [
      ['user', 'demo@example.com'],
      ['decision', 'deny'],
    ]);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.hash).toBe('#_=_');
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      error: 'access_denied',
      error_reason: 'user_denied',
      state: 'a state',
    });
  });
});

describe('a declined permission', () => {
  const permissionsOf = async (token: string): Promise<Record<string, string>> =>
    Object.fromEntries(
      ((await meta.get('me/permissions', token)).body.data as unknown as { permission: string; status: string }[]).map((one) => [
        one.permission,
        one.status,
      ]),
    );

  it('is listed as declined, and every read of ads is rejected', async () => {
    const token = await meta.signIn('demo@example.com', ['business_management'], { client_id: 'app' });
    expect(await permissionsOf(token)).toEqual({
      public_profile: 'granted',
      business_management: 'granted',
      ads_read: 'declined',
    });
    expect(errorOf(await meta.get('me/adaccounts', token))).toBe('200');
  });

  it('stays declined until the app requests it with rerequest', async () => {
    await meta.signIn('limited@example.com', []);
    expect(await permissionsOf(await meta.signIn('limited@example.com', adsScopes))).toMatchObject({ ads_read: 'declined' });
    const token = await meta.signIn('limited@example.com', adsScopes, { auth_type: 'rerequest' });
    expect(await permissionsOf(token)).toMatchObject({ ads_read: 'granted', business_management: 'granted' });
  });
});

describe('a code', () => {
  it('is valid once, for its redirect URI and app', async () => {
    const code = await meta.code();
    expect(errorOf(await meta.exchange(code, { redirect_uri: 'http://localhost:3000/other' }))).toBe('100/36008');
    expect(errorOf(await meta.exchange(code, { client_id: 'another' }))).toBe('100');
    expect((await meta.exchange(code)).status).toBe(200);
    expect(errorOf(await meta.exchange(code))).toBe('100/36009');
  });

  it('is rejected for a wrong secret with a code that elsewhere is transient', async () => {
    const answer = await meta.exchange(await meta.code(), { client_secret: 'wrong' });
    expect({ status: answer.status, error: errorOf(answer) }).toEqual({ status: 400, error: '1' });
  });

  it('is exchanged for a token of one to two hours, and that for one of 60 days', async () => {
    const short = (await meta.exchange(await meta.code())).body;
    expect(Number(short.expires_in)).toBeLessThan(7_300);
    const long = (await meta.extend(String(short.access_token))).body;
    expect(long).toMatchObject({ token_type: 'bearer', expires_in: 5_183_944 });
  });
});

describe('a token', () => {
  it('returns its expiry and that of the data access', async () => {
    const { body } = await meta.debug(await meta.signIn('demo@example.com', adsScopes, { auth_type: 'rerequest' }));
    const now = Date.now() / 1_000;
    const data = body.data as unknown as Record<string, number>;
    expect(data).toMatchObject({ app_id: 'app', is_valid: true, scopes: ['public_profile', ...adsScopes] });
    expect(Math.round((data.expires_at! - now) / 86_400)).toBe(60);
    expect(Math.round((data.data_access_expires_at! - now) / 86_400)).toBe(90);
  });

  it('can be extended until it expires', async () => {
    const token = await meta.signIn();
    await meta.admin('clock', { offsetDays: 40 });
    const extended = String((await meta.extend(token)).body.access_token);
    await meta.admin('clock', { offsetDays: 61 });
    expect(errorOf(await meta.extend(token))).toBe('190/463');
    expect((await meta.get('me', extended)).status).toBe(200);
  });

  it('loses data access 90 days after the login, however often it was extended', async () => {
    let token = await meta.signIn();
    const ends = (await meta.debug(token)).body.data?.data_access_expires_at;
    await meta.admin('clock', { offsetDays: 50 });
    token = String((await meta.extend(token)).body.access_token);
    expect((await meta.debug(token)).body.data?.data_access_expires_at).toBe(ends);
    await meta.admin('clock', { offsetDays: 91 });
    expect(errorOf(await meta.get('me', token))).toBe('190/463');
    expect((await meta.debug(token)).body.data).toMatchObject({ is_valid: false, error: { code: 190, subcode: 463 } });
  });

  it('can be sent with an app secret proof, which must be correct', async () => {
    const token = await meta.signIn();
    expect((await meta.get('me', token, { appsecret_proof: proof(token) })).status).toBe(200);
    const answer = await meta.get('me', token, { appsecret_proof: proof(token, 'another') });
    expect({ status: answer.status, error: errorOf(answer) }).toEqual({ status: 400, error: '100' });
  });

  it('is rejected when it was modified or is missing', async () => {
    const token = await meta.signIn();
    expect(errorOf(await meta.get('me', `${token.slice(0, -4)}AAAA`))).toBe('190');
    expect(errorOf(await meta.get('me', null))).toBe('2500');
  });

  it('returns the user with an app-scoped id', async () => {
    const own = (await meta.get('me', await meta.signIn(), { fields: 'id,name' })).body;
    expect(own).toEqual({ id: expect.stringMatching(/^\d{17}$/), name: 'Demo' });
    const code = await meta.code('demo@example.com', adsScopes, { client_id: 'second' });
    const other = String((await meta.exchange(code, { client_id: 'second' })).body.access_token);
    expect((await meta.get('me', other)).body.id).not.toBe(own.id);
  });

  it('is invalid after the permissions were deleted, until a new login', async () => {
    const token = await meta.signIn('limited@example.com');
    expect((await meta.get('me/permissions', token, {}, 'DELETE')).body).toEqual({ success: true });
    expect(errorOf(await meta.get('me', token))).toBe('190/458');
    expect(errorOf(await meta.extend(token))).toBe('190/458');
    expect((await meta.get('me', await meta.signIn('limited@example.com'))).status).toBe(200);
  });

  it('expires immediately with a fault, and only a new login helps', async () => {
    const token = await meta.signIn();
    await meta.fault('expire_token');
    expect(errorOf(await meta.get('me', token))).toBe('190/463');
    expect(errorOf(await meta.extend(token))).toBe('190/463');
    expect((await meta.get('me', await meta.signIn())).status).toBe(200);
  });

  it('is revoked with a fault, for one user and with the given reason', async () => {
    const [own, other] = [await meta.signIn('demo@example.com'), await meta.signIn('limited@example.com')];
    await meta.fault('revoke', { user: 'demo@example.com', subcode: 460 });
    expect(errorOf(await meta.get('me', own))).toBe('190/460');
    expect((await meta.get('me', other)).status).toBe(200);
  });

  it('and revocations survive a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const before = await startMeta({ dataDir });
    const [kept, ended] = [await before.signIn('demo@example.com'), await before.signIn('limited@example.com')];
    await before.get('me/permissions', ended, {}, 'DELETE');
    await before.close();
    const after = await startMeta({ dataDir });
    expect((await after.get('me', kept, { appsecret_proof: proof(kept) })).status).toBe(200);
    expect(errorOf(await after.get('me', ended))).toBe('190/458');
    await after.close();
    rmSync(dataDir, { recursive: true });
  });
});
