import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { moveClock } from '../../../test/clock.js';
import { anOrganization, type Connection, expectStatus, type Organization } from '../../../test/factories.js';
import { aStoredConnection, BERLIN, readDays } from '../../../test/freshness.js';
import { aMember } from '../../../test/teams.js';
import { WatchFreshness } from '../watch/watch-freshness.js';
import type { FreshnessEntry } from '../freshness.dto.js';
import type { BadgeAnswer, NewBadge } from './badges.dto.js';

let app: TestApp;
let organization: Organization;
let connection: Connection;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());
beforeEach(async () => {
  organization = await anOrganization(app);
  connection = await aStoredConnection(app, organization, [BERLIN], { historyFrom: '2026-11-09' });
});
afterEach(() => moveClock(0));

function at(moment: string): void {
  moveClock(0);
  moveClock((Date.parse(moment) - Date.now()) / 86_400_000);
}
const badgePath = () => `${connection.path}/freshness/badge`;
const revokePath = ({ id }: { id: string }) => `${organization.path}/freshness/badges/${id}`;
const create = async (label?: string, path = badgePath()): Promise<NewBadge> =>
  expectStatus(await organization.call.post<NewBadge>(path, label === undefined ? {} : { label }), 201).body;
/** Like a page of another site: without a sign-in. */
const show = (url: string) => fetch(app.url + new URL(url).pathname);
const textOf = async (url: string): Promise<string> => {
  const answer = await show(url);
  expect(answer.status).toBe(200);
  return /<title>(.*)<\/title>/.exec(await answer.text())?.[1] ?? '';
};

it('needs an admin to create or revoke it, and a member to see that there is one', async () => {
  const { call: editor } = await aMember(app, organization, 'editor');
  expectStatus(await editor.post(badgePath(), {}), 403);
  const { badge } = await create();
  expectStatus(await editor.delete(revokePath(badge)), 403);
  expect(expectStatus(await editor.get<BadgeAnswer>(badgePath()), 200).body).toEqual({ badge });
});

it('is found by its token alone, of which only a hash is stored', async () => {
  const { url, badge } = await create('Ads');
  const [, token = ''] = /\/api\/v1\/badges\/([\w-]{43})\.svg$/.exec(url) ?? [];
  expect(token).not.toBe('');
  expect(badge).toMatchObject({ label: 'Ads', createdBy: expect.any(String) });
  const stored = await app.database.query('select to_jsonb(b)::text as row from freshness_badges b');
  expect(JSON.stringify(stored)).not.toContain(token);
  expect(JSON.stringify((await organization.call.get(badgePath())).body)).not.toContain(token);
  const answer = await show(url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=60',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  for (const wrong of ['x', 'A'.repeat(43), '%00', `${token}x`])
    expect((await show(`http://x/api/v1/badges/${wrong}.svg`)).status).toBeGreaterThanOrEqual(400);
});

it('escapes its name', async () => {
  const { url } = await create(`</title><script>alert("1")</script>&'\u0007`);
  const picture = await (await show(url)).text();
  expect(picture).not.toContain('<script');
  expect(picture).not.toContain('\u0007');
  expect(picture).toContain('&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;');
  for (const label of ['', ' ', 'x'.repeat(61)]) expectStatus(await organization.call.post(badgePath(), { label }), 400);
});

it('stops working when it is replaced or revoked, and with its connection and organization', async () => {
  const first = await create();
  const second = await create();
  expect([(await show(first.url)).status, (await show(second.url)).status]).toEqual([404, 200]);
  for (let time = 0; time < 2; time += 1) expectStatus(await organization.call.delete(revokePath(second.badge)), 204);
  expect((await show(second.url)).status).toBe(404);
  const third = await create();
  expectStatus(await organization.call.delete(connection.path), 204);
  expect((await show(third.url)).status).toBe(404);
  const ofOrganization = await create('All', `${organization.path}/freshness/badge`);
  expect((await show(ofOrganization.url)).status).toBe(200);
  expectStatus(await organization.call.delete(`${organization.path}?confirmName=Northwind`), 204);
  expect((await show(ofOrganization.url)).status).toBe(404);
});

it('is one for each connection, also when several are created at the same time', async () => {
  const created = await Promise.all(Array.from({ length: 6 }, () => create()));
  const states = await Promise.all(created.map(async ({ url }) => (await show(url)).status));
  expect(states.filter((status) => status === 200)).toHaveLength(1);
});

it('shows up to which day the connection is complete, or since when it is late', async () => {
  const { url } = await create('Ads');
  at('2026-11-11T12:00:00Z');
  expect(await textOf(url)).toBe('Ads: not complete yet');
  const days = ['2026-11-09', '2026-11-10'];
  await readDays(app, connection, { accountId: 'berlin', days, readAt: '2026-11-11T09:00:00Z' });
  expect(await textOf(url)).toBe('Ads: complete through 2026-11-10');
  at('2026-11-13T12:00:00Z');
  const freshnessTarget = { atTime: '09:00', timeZone: 'Europe/Berlin' };
  expectStatus(await organization.call.patch(connection.path, { freshnessTarget, version: 1 }), 200);
  expect(await textOf(url)).toBe('Ads: late since 2026-11-11');
});

it('does not call days late whose deadline passed while a user had paused the connection', async () => {
  at('2026-11-10T12:00:00Z');
  const { url } = await create('Ads');
  await readDays(app, connection, { accountId: 'berlin', days: ['2026-11-09'], readAt: '2026-11-10T05:00:00Z' });
  const freshnessTarget = { atTime: '09:00', timeZone: 'Europe/Berlin' };
  expectStatus(await organization.call.patch(connection.path, { freshnessTarget, version: 1 }), 200);
  const watch = app.get(WatchFreshness);
  await watch.restart(organization.id, connection.id, new Date('2026-11-10T12:00:00Z'));
  const pause = (desired: string, reason: string | null) =>
    app.database.query(`update connections set desired = $2::desired, paused_reason = $3 where id = $1`, [
      connection.id,
      desired,
      reason,
    ]);
  const stateOf = async (day: string): Promise<unknown> => {
    const { body } = await organization.call.get<FreshnessEntry>(`${connection.path}/freshness`);
    return body.days.find((entry) => entry.day === day)?.state;
  };
  await pause('paused', 'user');
  at('2026-11-11T12:00:00Z');
  expect(await textOf(url)).toBe('Ads: complete through 2026-11-09');
  expect(await stateOf('2026-11-10')).toBe('incomplete');
  await watch.check(organization.id, connection.id, new Date());
  await pause('active', null);
  expect(await textOf(url)).toBe('Ads: complete through 2026-11-09');
  at('2026-11-12T12:00:00Z');
  expect(await textOf(url)).toBe('Ads: late since 2026-11-11');
  await watch.check(organization.id, connection.id, new Date());
  await pause('paused', 'user');
  expect(await textOf(url)).toBe('Ads: late since 2026-11-11');
});

it('of the organization counts late connections', async () => {
  const path = `${organization.path}/freshness/badge`;
  const { url } = await create('Northwind', path);
  expect(await textOf(url)).toBe('Northwind: no freshness targets');
  const freshnessTarget = { atTime: '09:00', timeZone: 'Europe/Berlin' };
  expectStatus(await organization.call.patch(connection.path, { freshnessTarget, version: 1 }), 200);
  const watch = app.get(WatchFreshness);
  await watch.restart(organization.id, connection.id, new Date('2026-11-10T12:00:00Z'));
  expect(await textOf(url)).toBe('Northwind: 1 of 1 on time');
  await watch.check(organization.id, connection.id, new Date('2026-11-11T12:00:00Z'));
  expect(await textOf(url)).toBe('Northwind: 1 of 1 late');
});
