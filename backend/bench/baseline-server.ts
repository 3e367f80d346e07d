/**
 * The baseline of the API benchmark: node:http, the same token check, one prepared query for a member's list, and JSON. No
 * framework, no validation, no log. Uses DATABASE_URL, KEYS_URL and FIREBASE_PROJECT_ID; prints {"url"}.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';

const projectId = process.env['FIREBASE_PROJECT_ID'] ?? '';
const keys = createRemoteJWKSet(new URL(process.env['KEYS_URL'] ?? ''));
const expected = { issuer: `https://securetoken.google.com/${projectId}`, audience: projectId, algorithms: ['RS256'] };
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const text = `
  select a.id, a.provider, a.display_name as "displayName", a.auth_mode as "authMode", a.state, a.credential_hint as "credentialHint",
         a.granted_scopes as "grantedScopes", a.missing_scopes as "missingScopes", a.external_user as "externalUser", a.accounts,
         a.failure, a.created_at as "createdAt", a.updated_at as "updatedAt", a.version
    from members m
    join apps a on a.organization_id = m.organization_id and a.deleted_at is null
   where m.organization_id = $1 and m.user_id = $2 order by a.id limit 50`;

const server = createServer((request, response) => {
  void list(request).then(
    (body) =>
      response
        .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) })
        .end(body),
    () => response.writeHead(401).end(),
  );
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })),
);
process.once('SIGTERM', () => process.exit(0));

async function list(request: IncomingMessage): Promise<string> {
  const { payload } = await jwtVerify(request.headers.authorization?.slice('Bearer '.length) ?? '', keys, expected);
  const organizationId = request.url?.split('/')[4];
  const { rows } = await pool.query({ name: 'list', text, values: [organizationId, payload.sub] });
  return JSON.stringify({ items: rows, nextCursor: null });
}
