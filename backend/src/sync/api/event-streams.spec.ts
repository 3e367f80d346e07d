import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { anOrganization, eventually, expectStatus, type Organization } from '../../../test/factories.js';
import { type TestUser, tokenFor } from '../../../test/http.js';
import { openStream, type Stream } from '../../../test/streams.js';
import { aMember, aSuperAdmin, type Member } from '../../../test/teams.js';
import { Database } from '../../core/database/database.js';
import { Notifications } from '../../core/database/notifications.js';
import { RevokeAccess } from '../../users/revoke-access.service.js';

const SECOND_MS = 1_000;
const KEEP_ALIVE_SECONDS = '5';

let first: TestApp;
let second: TestApp;
let organization: Organization;
let opened: Stream[] = [];

beforeAll(async () => {
  first = await startTestApp({ LIVE_KEEP_ALIVE_SECONDS: KEEP_ALIVE_SECONDS });
  second = await startTestApp({ DATABASE_URL: first.database.url, LIVE_KEEP_ALIVE_SECONDS: KEEP_ALIVE_SECONDS });
});
afterAll(async () => {
  await second?.stop();
  await first?.stop();
});
beforeEach(async () => {
  organization = await anOrganization(first);
});
afterEach(() => {
  for (const stream of opened) stream.close();
  opened = [];
});

async function open(token: string, app = first, path = organization.path): Promise<Stream> {
  const stream = await openStream(app, path, token);
  opened.push(stream);
  return stream;
}
const openConnections = (): Promise<number> => {
  const server = first.nest.getHttpServer();
  return promisify(server.getConnections.bind(server))();
};
/** The guard's query waits for the lock, so no request passes the guard. */
async function whileSignInsWait(work: () => Promise<void>): Promise<void> {
  const lock = new pg.Client({ connectionString: first.database.ownerUrl });
  await lock.connect();
  try {
    await lock.query('begin; lock table users in access exclusive mode');
    await work();
  } finally {
    await lock.end();
  }
}
/** One stream on each of the two processes. */
const openBoth = (token: string): Promise<Stream[]> => Promise.all([open(token, first), open(token, second)]);
const tokenOf = ({ user }: Member): string => tokenFor(user);

async function aKey(by: Organization['call'], role: string): Promise<{ id: string; key: string }> {
  const { body } = expectStatus(
    await by.post<{ key: string; apiKey: { id: string } }>(`${organization.path}/api-keys`, { name: 'Job', role }),
    201,
  );
  return { id: body.apiKey.id, key: body.key };
}

/** Measures from before the call, because the streams may end before the response. */
async function endWithinASecondOf(streams: Stream[], change: () => Promise<unknown>): Promise<void> {
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const since = performance.now();
  await change();
  const tooLate = new Promise<number>((resolve) => setTimeout(resolve, 4 * SECOND_MS, Infinity));
  const ms = await Promise.all(streams.map((stream) => Promise.race([stream.endedAfter(since), tooLate])));
  process.stdout.write(`Streams ended after ${ms.map((value) => `${Math.round(value)} ms`).join(', ')}\n`);
  expect(Math.max(...ms)).toBeLessThan(SECOND_MS);
}

/** Still open and still receiving events. */
async function expectReceiving(stream: Stream): Promise<void> {
  const marker = `marker-${Math.random()}`;
  await first.get(Notifications).publish({
    organizationId: organization.id,
    connectionId: null,
    type: 'connection',
    data: { marker },
  });
  await eventually(
    async () => stream.text(),
    (text) => text.includes(marker),
  );
  expect(stream.isOpen()).toBe(true);
}

const remove = ({ user }: Member) => organization.call.delete(`${organization.path}/members/${user.uid}`);
const changeRole = ({ user }: Member, role: string) =>
  organization.call.patch(`${organization.path}/members/${user.uid}`, { role });
const disable = ({ uid }: TestUser) =>
  first.get(Database).write(async (transaction, query) => {
    await query('update users set disabled_at = now() where uid = $1', [uid]);
    await first.get(RevokeAccess).revokeEverywhere({ transaction, query }, uid, null);
  });

describe('the streams of both processes end within a second', () => {
  it('when the member is removed, while streams of other members stay open', async () => {
    const [leaver, colleague] = [await aMember(first, organization, 'editor'), await aMember(first, organization, 'viewer')];
    const others = [...(await openBoth(tokenOf(colleague))), ...(await openBoth(tokenFor(organization.owner)))];
    await endWithinASecondOf(await openBoth(tokenOf(leaver)), async () => expectStatus(await remove(leaver), 204));
    for (const stream of others) await expectReceiving(stream);
  });

  it('when the member leaves', async () => {
    const leaver = await aMember(first, organization, 'editor');
    const streams = await openBoth(tokenOf(leaver));
    await endWithinASecondOf(streams, () => leaver.call.post(`${organization.path}/members/leave`));
  });

  it('in all organizations when the user is disabled', async () => {
    const person = await aMember(first, organization, 'editor');
    const own = await anOrganization(first, person.user);
    const streams = [...(await openBoth(tokenOf(person))), await open(tokenOf(person), second, own.path)];
    await endWithinASecondOf(streams, () => disable(person.user));
  });

  it('when the API key is revoked', async () => {
    const { id, key } = await aKey(organization.call, 'viewer');
    const streams = await openBoth(key);
    await endWithinASecondOf(streams, () => organization.call.delete(`${organization.path}/api-keys/${id}`));
  });

  it('when the creator of the API key is removed', async () => {
    const admin = await aMember(first, organization, 'admin');
    const { key } = await aKey(admin.call, 'viewer');
    await endWithinASecondOf(await openBoth(key), () => remove(admin));
  });

  it('when the organization is deleted', async () => {
    const viewer = await aMember(first, organization, 'viewer');
    const streams = [...(await openBoth(tokenOf(viewer))), ...(await openBoth(tokenFor(organization.owner)))];
    await endWithinASecondOf(streams, () => organization.call.delete(`${organization.path}?confirmName=Northwind`));
  });
});

describe('a demoted member', () => {
  it('keeps the streams of the lower role and loses the streams of API keys with a higher role', async () => {
    const admin = await aMember(first, organization, 'admin');
    const { key } = await aKey(admin.call, 'editor');
    const { key: kept } = await aKey(admin.call, 'viewer');
    const own = await openBoth(tokenOf(admin));
    const low = await open(kept, second);
    await endWithinASecondOf(await openBoth(key), async () => expectStatus(await changeRole(admin, 'viewer'), 200));
    for (const stream of [...own, low]) await expectReceiving(stream);
  });
});

describe('a stream ends at the next keep-alive', () => {
  const KEEP_ALIVES_MS = 12 * SECOND_MS;

  it('when its token has expired', async () => {
    const token = tokenFor(organization.owner, { expiresAt: new Date(Date.now() + SECOND_MS) });
    const since = performance.now();
    // Two keep-alives of 5 s, because clocks may differ by 5 s.
    expect(await (await open(token)).endedAfter(since)).toBeLessThan(KEEP_ALIVES_MS);
  });

  it('when access ended and this process received no notification', async () => {
    const [member, disabled] = [await aMember(first, organization, 'editor'), await aMember(first, organization, 'editor')];
    const { id, key } = await aKey(organization.call, 'viewer');
    const streams = await Promise.all([tokenOf(member), tokenOf(disabled), key].map((token) => open(token)));
    const since = performance.now();
    await first.database.query('delete from members where user_id = $1', [member.user.uid]);
    await first.database.query('update users set disabled_at = now() where uid = $1', [disabled.user.uid]);
    await first.database.query('update api_keys set expires_at = now() where id = $1', [id]);
    for (const stream of streams) expect(await stream.endedAfter(since)).toBeLessThan(KEEP_ALIVES_MS);
  });

  it('but stays open otherwise, also for platform staff, whose access is recorded once', async () => {
    const staff = await aSuperAdmin(first);
    const streams = [await open(tokenFor(staff)), await open(tokenFor(organization.owner))];
    await eventually(
      async () => streams.map((stream) => stream.text()),
      (texts) => texts.every((text) => text.includes('keep-alive')),
    );
    for (const stream of streams) await expectReceiving(stream);
    const visits = await first.database.query(`select from audit_events where action = 'super_admin.read' and actor_id = $1`, [
      staff.uid,
    ]);
    expect(visits).toHaveLength(1);
  });
});

describe('one user', () => {
  it('has at most ten streams, including API keys; the eleventh is rejected until one is closed', async () => {
    const member = await aMember(first, organization, 'admin');
    const { key } = await aKey(member.call, 'viewer');
    const streams = await Promise.all(Array.from({ length: 10 }, (_, index) => open(index < 8 ? tokenOf(member) : key)));
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    for (const token of [tokenOf(member), key]) {
      const answer = await fetch(`${first.url}${organization.path}/events`, { headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(429);
      expect(answer.headers.get('retry-after')).toBe('60');
      expect(await answer.json()).toMatchObject({ code: 'events.too_many', detail: expect.stringContaining('10') });
    }
    expect((await open(tokenFor(organization.owner))).status).toBe(200);
    streams[0]?.close();
    await eventually(
      async () => (await open(tokenOf(member))).status,
      (status) => status === 200,
    );
  });

  it('can open ten streams after ten clients disconnected before their streams opened', async () => {
    const member = await aMember(first, organization, 'editor');
    const before = await openConnections();
    await whileSignInsWait(async () => {
      const leaving = Array.from({ length: 10 }, () =>
        openStream(first, organization.path, tokenOf(member), AbortSignal.timeout(500)),
      );
      const left = await Promise.allSettled(leaving);
      expect(left.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'));
      await eventually(openConnections, (count) => count <= before);
    });
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(tokenOf(member))));
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });
});
