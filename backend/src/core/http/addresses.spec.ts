import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEarlyInAMinute } from '../../../test/clock.js';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { aUser, expectStatus } from '../../../test/factories.js';
import { tokenFor } from '../../../test/http.js';

const LIMIT = 5;
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMITS: 'on', RATE_LIMIT_PER_ADDRESS: String(LIMIT), TRUSTED_PROXIES: '1' });
});
afterAll(() => app?.stop());

async function callFrom(
  address: string,
  path: string,
  body?: string,
): Promise<{ status: number; headers: Headers; text: string }> {
  const answer = await fetch(app.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-forwarded-for': address, 'content-type': 'application/json' },
    body,
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe('requests from one address', () => {
  it('are counted before the body is read, including unknown routes and invalid bodies', async () => {
    await startEarlyInAMinute(10_000);
    const from = (path: string, body?: string) => callFrom('198.51.100.1', path, body);
    expect((await from('/api/v1/none')).status).toBe(404);
    expect((await from('/api/v1/none', '{')).status).toBe(400);
    expect((await from('/api/getOrSaveUser', '{"a":')).status).toBe(400);
    expect((await from('/api/getOrSaveUser', '{}')).status).toBe(401);
    expect((await from('/api/v1/me')).status).toBe(401);
    const rejected = await from('/api/getOrSaveUser', '{"a":');
    expect(rejected.status).toBe(429);
    expect(JSON.parse(rejected.text)).toMatchObject({ code: 'rate_limit.exceeded', status: 429 });
    expect(rejected.headers.get('content-type')).toContain('application/problem+json');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rejected.headers.get('ratelimit-policy')).toBe(`"address";q=${LIMIT};w=60`);
    expect(rejected.headers.get('ratelimit')).toMatch(/^"address";r=0;t=\d+$/);
    expect((await from('/api/v1/none')).status).toBe(429);
  });

  it('are counted for the public documents of the API', async () => {
    // The first request creates the document, which can take seconds.
    await callFrom('198.51.100.4', '/api/openapi.json');
    await startEarlyInAMinute(10_000);
    const statuses: number[] = [];
    for (const path of [
      '/api/openapi.json',
      '/api/docs/',
      '/api/docs/errors',
      '/api/openapi.json',
      '/api/docs/',
      '/api/openapi.json',
    ])
      statuses.push((await callFrom('198.51.100.3', path)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('are not counted for health checks', async () => {
    for (let call = 0; call < LIMIT * 3; call += 1) {
      expect((await callFrom('198.51.100.2', '/healthz')).status).toBe(200);
      expect((await callFrom('198.51.100.2', '/readyz')).status).toBe(200);
    }
  });

  it('share one count for all notations of an IPv4 address', async () => {
    await startEarlyInAMinute(10_000);
    const spellings = ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109', '::FFFF:CB00:7109', '0:0:0:0:0:ffff:cb00:7109'];
    for (const address of spellings) expect((await callFrom(address, '/api/v1/none')).status).toBe(404);
    expect((await callFrom('203.0.113.9', '/api/v1/none')).status).toBe(429);
    expect((await callFrom('203.0.113.10', '/api/v1/none')).status).toBe(404);
  });
});

it('an IPv4-mapped address is audited as IPv4', async () => {
  await startEarlyInAMinute(10_000);
  const user = await aUser(app);
  const answer = await fetch(`${app.url}/api/createOrganization`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokenFor(user)}`,
      'x-forwarded-for': '::ffff:102:304',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ companyName: 'Addressed' }),
  });
  expectStatus({ status: answer.status, body: {}, headers: answer.headers }, 200);
  expect(await app.database.query('select distinct ip from audit_events where actor_id = $1', [user.uid])).toEqual([
    { ip: '1.2.3.4' },
  ]);
});
