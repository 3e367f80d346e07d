import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { testSettings } from '../../test/app.js';
import { readEnv } from '../platform/env.js';
import { TokenVerifier } from './token-verifier.js';

const FIREBASE_PROJECT_ID = 'signed-project';

let keys: Server;
let signing: CryptoKey;
let stranger: CryptoKey;
let verifier: TokenVerifier;
let fetches = 0;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  signing = pair.privateKey;
  stranger = (await generateKeyPair('RS256')).privateKey;
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] });
  keys = createServer((_request, response) => {
    fetches += 1;
    response.setHeader('Content-Type', 'application/json').end(jwks);
  });
  await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
  const { port } = keys.address() as AddressInfo;
  const settings = testSettings('postgresql://nobody@127.0.0.1:1/none', {
    NODE_ENV: 'production',
    FIREBASE_PROJECT_ID,
    FIREBASE_JWKS_URL: `http://127.0.0.1:${port}/jwks`,
    FIREBASE_AUTH_EMULATOR_HOST: '',
  });
  verifier = new TokenVerifier(readEnv(settings));
});
afterAll(() => void keys.close());

const claims = { email: 'Owner@Example.com', email_verified: true, name: 'Owner' };
const issuer = `https://securetoken.google.com/${FIREBASE_PROJECT_ID}`;

const sign = (change: { issuer?: string; audience?: string; expiresIn?: string; key?: CryptoKey; claims?: object } = {}) =>
  new SignJWT({ ...(change.claims ?? claims) })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setSubject('user-1')
    .setIssuer(change.issuer ?? issuer)
    .setAudience(change.audience ?? FIREBASE_PROJECT_ID)
    .setIssuedAt()
    .setExpirationTime(change.expiresIn ?? '1h')
    .sign(change.key ?? signing);

describe('a token signed by the identity provider', () => {
  it('says who calls, with one fetch of the keys however many tokens', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, (_, index) => sign({ claims: { ...claims, index } })));
    const identities = await Promise.all(tokens.map((token) => verifier.verify(token)));
    expect(identities[0]).toMatchObject({
      uid: 'user-1',
      email: 'owner@example.com',
      isEmailVerified: true,
      isSuperAdmin: false,
    });
    expect(fetches).toBe(1);
  });

  it.each<[string, () => Promise<string>, string]>([
    ['by somebody else', () => sign({ key: stranger }), 'auth.invalid'],
    ['for another project', () => sign({ audience: 'another' }), 'auth.invalid'],
    ['by another issuer', () => sign({ issuer: 'https://securetoken.google.com/another' }), 'auth.invalid'],
    ['long ago', () => sign({ expiresIn: '-1h' }), 'auth.expired'],
    ['without an e-mail', () => sign({ claims: {} }), 'auth.invalid'],
    [
      'by nobody',
      async () =>
        new UnsecuredJWT(claims)
          .setSubject('user-1')
          .setIssuer(issuer)
          .setAudience(FIREBASE_PROJECT_ID)
          .setExpirationTime('1h')
          .encode(),
      'auth.invalid',
    ],
    ['by nothing at all', async () => 'not.a.token', 'auth.invalid'],
  ])('is refused when signed %s', async (_how, token, code) => {
    await expect(verifier.verify(await token())).rejects.toMatchObject({ code });
  });

  it('is refused once it has expired, though it was verified before', async () => {
    const token = await sign({ expiresIn: '1s' });
    expect(await verifier.verify(token)).toMatchObject({ uid: 'user-1' });
    // Beyond the second it lives and the five that clocks may differ by.
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'auth.expired' });
  });
});
