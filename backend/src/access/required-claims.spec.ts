import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnsecuredJWT } from 'jose';
import { startTestApp, type TestApp } from '../../test/app.js';
import { aUser, expectStatus } from '../../test/factories.js';
import type { TestUser } from '../../test/http.js';
import { FIREBASE_PROJECT_ID } from '../../test/settings.js';

/** The emulator's tokens are unsigned, so these tests cover only the claims. token-verifier.spec.ts covers signed tokens. */
let app: TestApp;
let me: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  me = await aUser(app);
});
afterAll(() => app?.stop());

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

const claimsOf = (user: TestUser): Record<string, unknown> => ({
  iss: `https://securetoken.google.com/${FIREBASE_PROJECT_ID}`,
  aud: FIREBASE_PROJECT_ID,
  sub: user.uid,
  email: user.email,
  email_verified: true,
  auth_time: nowSeconds(),
  iat: nowSeconds(),
  exp: nowSeconds() + 3_600,
});

const whoAmI = (claims: Record<string, unknown>) =>
  app.http.withHeaders({ authorization: `Bearer ${new UnsecuredJWT(claims).encode()}` }).get('/api/v1/me');

describe('an emulator token', () => {
  it('is accepted with all its claims', async () => {
    expectStatus(await whoAmI(claimsOf(me)), 200);
  });

  it.each<[string, Record<string, unknown>]>([
    ['exp', { exp: undefined }],
    ['iat', { iat: undefined }],
    ['sub', { sub: undefined }],
    ['auth_time', { auth_time: undefined }],
    ['iss', { iss: undefined }],
    ['aud', { aud: undefined }],
  ])('is rejected without %s', async (_name, change) => {
    const { body } = expectStatus(await whoAmI({ ...claimsOf(me), ...change }), 401);
    expect(body['code']).toBe('auth.invalid');
  });

  it.each<[string, () => Record<string, unknown>]>([
    ['an empty sub', () => ({ sub: '' })],
    ['a sub of 129 characters', () => ({ sub: 'x'.repeat(129) })],
    ['a sub that is a number', () => ({ sub: 7 })],
    ['an iat in the future', () => ({ iat: nowSeconds() + 600 })],
    ['an iat that is a string', () => ({ iat: String(nowSeconds()) })],
    ['an auth_time in the future', () => ({ auth_time: nowSeconds() + 600 })],
    ['an auth_time of zero', () => ({ auth_time: 0 })],
    ['an exp that is a string', () => ({ exp: String(nowSeconds() + 3_600) })],
    ['an audience that is a list', () => ({ aud: [FIREBASE_PROJECT_ID, 'another'] })],
  ])('is rejected with %s', async (_how, change) => {
    expectStatus(await whoAmI({ ...claimsOf(me), ...change() }), 401);
  });

  it('is rejected as expired after exp', async () => {
    const { body } = expectStatus(await whoAmI({ ...claimsOf(me), exp: nowSeconds() - 60 }), 401);
    expect(body['code']).toBe('auth.expired');
  });
});
