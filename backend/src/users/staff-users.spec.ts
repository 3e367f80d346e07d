import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { anOrganization, aUser, expectStatus } from '../../test/factories.js';
import type { TestUser } from '../../test/http.js';
import { aSuperAdmin } from '../../test/teams.js';
import { ReconcileAccounts } from './reconcile-accounts.js';
import type { UserEntry, UserPage } from './staff-users.dto.js';

/** The identity provider of this app does not respond. */
let app: TestApp;
let staff: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  staff = await aSuperAdmin(app);
});
afterAll(() => app?.stop());

const note = 'Asked for it by phone';
const disable = (by: TestUser, uid: string) => app.http.as(by).post<UserEntry>(`/api/v1/users/${uid}/disable`, { note });
const enable = (by: TestUser, uid: string) => app.http.as(by).post<UserEntry>(`/api/v1/users/${uid}/enable`, { note });
const stateOf = (uid: string) =>
  app.database.query('select disabled_at is not null as disabled, disabled_reason as reason from users where uid = $1', [uid]);

describe('platform staff', () => {
  it('can disable, enable and list users, while other users get 404', async () => {
    const [owner, other] = [(await anOrganization(app)).owner, await aUser(app)];
    const call = app.http.as(owner);
    for (const answer of [
      await call.post(`/api/v1/users/${other.uid}/disable`, { note }),
      await call.post(`/api/v1/users/${other.uid}/enable`, { note }),
      await call.get('/api/v1/users'),
    ]) {
      expect(expectStatus(answer, 404).body).toMatchObject({ detail: 'The user was not found.' });
    }
    expect(await stateOf(other.uid)).toEqual([{ disabled: false, reason: null }]);
  });

  it('cannot disable themselves', async () => {
    expect(expectStatus(await disable(staff, staff.uid), 409).body).toMatchObject({ code: 'user.own_account' });
    expect(await stateOf(staff.uid)).toEqual([{ disabled: false, reason: null }]);
  });

  it('must give a reason and an existing user', async () => {
    const other = await aUser(app);
    const call = app.http.as(staff);
    expectStatus(await call.post(`/api/v1/users/${other.uid}/disable`, {}), 400);
    expectStatus(await call.post(`/api/v1/users/${other.uid}/disable`, { note: '' }), 400);
    expectStatus(await disable(staff, 'nobody'), 404);
    expect(await stateOf(other.uid)).toEqual([{ disabled: false, reason: null }]);
  });

  it('disable and enable a user immediately, revoke the API keys permanently, and each change is audited', async () => {
    const { owner, call, path } = await anOrganization(app);
    const made = await call.post<{ key: string }>(`${path}/api-keys`, { name: 'Key', role: 'viewer' });
    const byKey = app.http.withHeaders({ authorization: `Bearer ${expectStatus(made, 201).body.key}` });
    expectStatus(await byKey.get(path), 200);
    const { body } = expectStatus(await disable(staff, owner.uid), 200);
    expect(body).toMatchObject({ uid: owner.uid, disabledReason: 'staff', disabledNote: note, disabledAt: expect.any(String) });
    expect(expectStatus(await call.get(path), 401).body['code']).toBe('auth.disabled');
    expectStatus(await byKey.get(path), 401);
    expect(expectStatus(await enable(staff, owner.uid), 200).body).toMatchObject({ disabledAt: null, disabledNote: null });
    expectStatus(await call.get(path), 200);
    expectStatus(await byKey.get(path), 401);
    const trail = await app.database.query(
      `select action, actor_id, after ->> 'note' as note from audit_events
        where target_id = $1 and organization_id is null order by id`,
      [owner.uid],
    );
    expect(trail).toEqual([
      { action: 'user.disabled', actor_id: staff.uid, note },
      { action: 'user.enabled', actor_id: staff.uid, note },
    ]);
  });

  it('find users by part of an e-mail, page by page', async () => {
    const marker = `page-${crypto.randomUUID()}`;
    for (const name of ['c', 'a', 'b']) await aUser(app, { uid: `${marker}-${name}`, email: `${name}@${marker}.example.com` });
    const list = async (query: Record<string, string>) =>
      expectStatus(await app.http.as(staff).get<UserPage>(`/api/v1/users?${new URLSearchParams(query)}`), 200).body;
    const first = await list({ email: marker.toUpperCase(), limit: '2' });
    expect(first.items.map(({ email }) => email)).toEqual([`a@${marker}.example.com`, `b@${marker}.example.com`]);
    const second = await list({ email: marker, limit: '2', cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ items: [{ uid: `${marker}-c` }], nextCursor: null });
    for (const cursor of ['W10', 'WzEsMl0', 'Wy0xLG51bGxd', 'nonsense'])
      expect((await app.http.as(staff).get(`/api/v1/users?cursor=${cursor}`)).status).toBeLessThan(500);
  });
});

describe('while the identity provider does not respond', () => {
  it('no user is disabled, neither by a request nor by the nightly job', async () => {
    const me = await aUser(app);
    expectStatus(await app.http.as(me).get('/api/v1/me'), 200);
    await app.get(ReconcileAccounts).reconcile({ signal: new AbortController().signal });
    expectStatus(await app.http.as(me).get('/api/v1/me'), 200);
    expect(await stateOf(me.uid)).toEqual([{ disabled: false, reason: null }]);
  });
});
