import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CryptoKey, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { testSettings } from '../../test/app.js';
import { eventually } from '../../test/factories.js';
import { type GoogleCertificates, startGoogleCertificates } from '../../test/google-certificates.js';
import { readEnv } from '../core/config/env.js';
import { Firebase } from './firebase.js';
import { TokenVerifier } from './token-verifier.js';
import { connectorSettings } from '../connectors/registry.js';

const FIREBASE_PROJECT_ID = 'signed-project';
const ISSUER = `https://securetoken.google.com/${FIREBASE_PROJECT_ID}`;

let google: GoogleCertificates;
let otherKey: CryptoKey;
let firebase: Firebase;
let verifier: TokenVerifier;

beforeAll(async () => {
  google = await startGoogleCertificates();
  otherKey = (await generateKeyPair('RS256')).privateKey;
  const settings = testSettings('postgresql://nobody@127.0.0.1:1/none', {
    NODE_ENV: 'production',
    FIREBASE_PROJECT_ID,
    FIREBASE_AUTH_EMULATOR_HOST: '',
  });
  const env = readEnv(settings, connectorSettings);
  // With this variable the SDK would accept unsigned tokens.
  process.env['FIREBASE_AUTH_EMULATOR_HOST'] = '127.0.0.1:1';
  firebase = new Firebase(env, google.agent);
  verifier = new TokenVerifier(env, firebase);
});
afterAll(async () => {
  delete process.env['FIREBASE_AUTH_EMULATOR_HOST'];
  await firebase.onApplicationShutdown();
  await google.stop();
});

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

const claimsWith = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  iss: ISSUER,
  aud: FIREBASE_PROJECT_ID,
  sub: 'user-1',
  email: 'Owner@Example.com',
  email_verified: true,
  name: 'Owner',
  auth_time: nowSeconds() - 60,
  iat: nowSeconds() - 30,
  exp: nowSeconds() + 3_600,
  ...change,
});

const sign = (change?: Record<string, unknown>, header: object = {}, key: CryptoKey = google.signing) =>
  new SignJWT(claimsWith(change)).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key);

describe('a token signed by the identity provider', () => {
  it('identifies the caller, with one fetch of the certificates for several tokens', async () => {
    const signedInAtSeconds = nowSeconds() - 60;
    const first = await verifier.verify(await sign({ auth_time: signedInAtSeconds }));
    expect(first).toMatchObject({
      uid: 'user-1',
      email: 'owner@example.com',
      isEmailVerified: true,
      isSuperAdmin: false,
      signedInAt: new Date(signedInAtSeconds * 1_000),
    });
    const tokens = await Promise.all(Array.from({ length: 10 }, (_, index) => sign({ index })));
    await Promise.all(tokens.map((token) => verifier.verify(token)));
    expect(google.fetches()).toBe(1);
  });

  it.each<[string, () => Promise<string>, string]>([
    ['signed with another private key', () => sign({}, {}, otherKey), 'auth.invalid'],
    ['signed with an unknown key id', () => sign({}, { kid: 'two' }), 'auth.invalid'],
    ['signed without a key id', () => sign({}, { kid: undefined }), 'auth.invalid'],
    ['issued for another project', () => sign({ aud: 'another' }), 'auth.invalid'],
    ['issued for several projects', () => sign({ aud: [FIREBASE_PROJECT_ID, 'another'] }), 'auth.invalid'],
    ['issued by another issuer', () => sign({ iss: 'https://securetoken.google.com/another' }), 'auth.invalid'],
    ['that has expired', () => sign({ exp: nowSeconds() - 3_600 }), 'auth.expired'],
    ['without an e-mail address', () => sign({ email: undefined }), 'auth.invalid'],
    ['without a signature', async () => new UnsecuredJWT(claimsWith()).encode(), 'auth.invalid'],
    ['that is not a JWT', async () => 'not.a.token', 'auth.invalid'],
  ])('rejects a token %s', async (_how, token, code) => {
    await expect(verifier.verify(await token())).rejects.toMatchObject({ code });
  });

  it.each<[string, Record<string, unknown>]>([
    ['exp', { exp: undefined }],
    ['iat', { iat: undefined }],
    ['sub', { sub: undefined }],
    ['auth_time', { auth_time: undefined }],
    ['sub that is not empty', { sub: '' }],
    ['sub of at most 128 characters', { sub: 'x'.repeat(129) }],
    ['iat in the past', { iat: nowSeconds() + 600 }],
    ['auth_time in the past', { auth_time: nowSeconds() + 600 }],
  ])('is rejected without an %s', async (_claim, change) => {
    await expect(verifier.verify(await sign(change))).rejects.toMatchObject({ code: 'auth.invalid' });
  });

  it('is rejected after it expires, even if it was verified before', async () => {
    const token = await sign({ exp: nowSeconds() + 2 });
    expect(await verifier.verify(token)).toMatchObject({ uid: 'user-1' });
    const verdict = () => verifier.verify(token).then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    ); // prettier-ignore
    expect(await eventually(verdict, (seen) => seen !== 'accepted')).toBe('auth.expired');
  });
});
