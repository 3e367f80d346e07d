import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';

/** An identity provider: public keys over HTTP, and tokens of a user. */
export interface Identity {
  keysUrl: string;
  /** Signed with those keys, for `baseline-server.ts`. */
  signedToken: string;
  /** Unsigned, as the emulator issues it: the SDK reads certificates only from Google's address. */
  token: string;
  uid: string;
  email: string;
  server: Server;
}

export async function startIdentity(projectId: string): Promise<Identity> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: 2_048 });
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' }] });
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=3600' }).end(keys);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const [uid, email] = ['bench-owner', 'owner@example.com'];
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const claims = {
    sub: uid,
    user_id: uid,
    email,
    email_verified: true,
    name: 'Owner',
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    auth_time: nowSeconds,
    iat: nowSeconds,
    exp: nowSeconds + 3_600,
  };
  const signedToken = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'bench', typ: 'JWT' }).sign(privateKey);
  const token = new UnsecuredJWT(claims).encode();
  const keysUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { keysUrl, signedToken, token, uid, email, server };
}
