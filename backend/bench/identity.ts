import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An identity provider: its public keys over HTTP, and a token of a person as Firebase would sign it. */
export interface Identity {
  keysUrl: string;
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
  const token = await new SignJWT({ email, email_verified: true, name: 'Owner', user_id: uid })
    .setProtectedHeader({ alg: 'RS256', kid: 'bench', typ: 'JWT' })
    .setSubject(uid)
    .setIssuer(`https://securetoken.google.com/${projectId}`)
    .setAudience(projectId)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  return { keysUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, token, uid, email, server };
}
