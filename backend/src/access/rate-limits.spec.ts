import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkOf } from '../core/http/address.js';
import { RateLimits } from '../core/http/rate-limits.js';
import { startEarlyInAMinute } from '../../test/clock.js';
import { createTestApp, startTestApp, type TestApp, testSettings } from '../../test/app.js';
import { anOrganization, aUser, eventually, expectStatus } from '../../test/factories.js';
import { tokenFor } from '../../test/http.js';

const limits = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_PER_USER: '8',
  RATE_LIMIT_PER_ORGANIZATION: '12',
  RATE_LIMIT_PER_ADDRESS: '100000',
};
let app: TestApp;

beforeAll(async () => {
  app = await startTestApp(limits);
});
afterAll(() => app?.stop());

describe('the rate limit key of an address', () => {
  it('is the /64 network for IPv6', () => {
    expect(networkOf('2001:db8:1:2:aaaa:bbbb:cccc:dddd')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8:1:2::1')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0');
    expect(networkOf('::1')).toBe('0:0:0:0');
  });

  it('is the address for IPv4, also in IPv4-mapped form', () => {
    expect(networkOf('203.0.113.7')).toBe('203.0.113.7');
    expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(networkOf('::FFFF:cb00:7107')).toBe('203.0.113.7');
  });
});

describe('rate limits', () => {
  it('reject requests above the limit per user with a Retry-After header, without an effect on other users', async () => {
    await startEarlyInAMinute(10_000);
    const [limited, other] = [await aUser(app), await aUser(app)];
    const answers = await Promise.all(Array.from({ length: 12 }, () => app.http.as(limited).get('/api/v1/me')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7); // one request was the sign-in
    const rejected = answers.find(({ status }) => status === 429)!;
    expect(rejected.body['code']).toBe('rate_limit.exceeded');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(rejected.headers.get('ratelimit')).toMatch(/^"user";r=0;t=\d+$/);
    expect(rejected.headers.get('ratelimit-policy')).toBe('"user";q=8;w=60');
    expectStatus(await app.http.as(other).get('/api/v1/me'), 200);
  });

  it('reject requests above the limit per organization, over all users', async () => {
    await startEarlyInAMinute(10_000);
    const { id, path } = await anOrganization(app);
    const people = await Promise.all([1, 2, 3].map(() => aUser(app)));
    for (const { uid } of people)
      await app.database.query(`insert into members (organization_id, user_id, role) values ($1, $2, 'viewer')`, [id, uid]);
    const answers = await Promise.all(people.flatMap((person) => [1, 2, 3, 4, 5].map(() => app.http.as(person).get(path))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(12);
    expect(answers.find(({ status }) => status === 429)!.headers.get('ratelimit-policy')).toBe('"organization";q=12;w=60');
  });

  it('count requests over all processes', async () => {
    const second = await createTestApp(testSettings(app.database.url, limits));
    try {
      await second.listen(0, '127.0.0.1');
      const url = await second.getUrl();
      await startEarlyInAMinute(10_000);
      const person = await aUser(app);
      for (let call = 0; call < 6; call += 1) expectStatus(await app.http.as(person).get('/api/v1/me'), 200);
      await app.get(RateLimits).share();
      const shared = () =>
        app.database.query<{ calls: number }>('select calls from rate_counts where subject like $1', [`%${person.uid}`]);
      await eventually(shared, ([row]) => row?.calls === 7); // one request was the sign-in
      const there = () => fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${tokenFor(person)}` } });
      expect((await there()).status).toBe(200); // the eighth; this process does not know the first seven
      await second.get(RateLimits).share();
      await eventually(shared, ([row]) => row?.calls === 8); // its own sync may have been in progress
      expect((await there()).status).toBe(429);
    } finally {
      await second.close();
    }
  });
});
