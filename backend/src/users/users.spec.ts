import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { aUser, expectStatus } from '../../test/factories.js';
import { aSuperAdmin } from '../../test/teams.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

describe('POST /api/getOrSaveUser', () => {
  it('rejects a uid or an e-mail of another user, and saves nothing', async () => {
    const me = { uid: 'honest', email: 'honest@example.com' };
    for (const claim of [
      { uid: 'victim', email: me.email },
      { uid: me.uid, email: 'victim@example.com' },
    ]) {
      const { body } = expectStatus(await app.http.as(me).post('/api/getOrSaveUser', { fullName: 'Me', ...claim }), 403);
      expect(body).toMatchObject({ success: false, code: 'access.not_yours' });
    }
    expect(await app.database.query(`select uid from users where uid in ('honest', 'victim')`)).toEqual([]);
  });

  it.each(['', null])('stores no photo for photoURL %j, and the photo of the sign-in without photoURL', async (photoURL) => {
    const uid = `photo-${JSON.stringify(photoURL).length}`;
    const me = { uid, email: `${uid}@example.com`, picture: 'https://example.com/me.png' };
    const save = (body: object) => app.http.as(me).post('/api/getOrSaveUser', { uid: me.uid, email: me.email, ...body });
    expect(expectStatus(await save({ photoURL }), 200).body).toMatchObject({ user: { photoURL: null } });
    const other = { uid: `${uid}-other`, email: `${uid}-other@example.com`, picture: me.picture };
    const answer = await app.http.as(other).post('/api/getOrSaveUser', { uid: other.uid, email: other.email });
    expect(expectStatus(answer, 200).body).toMatchObject({ user: { photoURL: me.picture } });
  });

  it('takes null as the name of an account that Firebase has no name of', async () => {
    const me = { uid: 'nameless', email: 'nameless@example.com' };
    const answer = await app.http.as(me).post('/api/getOrSaveUser', { ...me, fullName: null, photoURL: null });
    expect(expectStatus(answer, 200).body).toMatchObject({ user: { fullName: expect.stringMatching(/./) } });
  });

  it('saves the user and raises Account Created once for concurrent sign-ins', async () => {
    const me = { uid: 'eager', email: 'Eager@Example.com' };
    const save = () => app.http.as(me).post('/api/getOrSaveUser', { ...me, fullName: 'Eager', photoURL: null });
    const answers = await Promise.all(Array.from({ length: 20 }, save));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers[0]!.body).toEqual({
      success: true,
      message: 'User found',
      user: { email: 'eager@example.com', fullName: 'Eager', uid: 'eager', photoURL: null, role: 'user' },
    });
    const events = await app.database.query(`select once_key from outbox_messages where name = 'Account Created'`);
    expect(events.filter((event) => event['once_key'] === 'account-created:eager')).toHaveLength(1);
  });
});

describe('POST /api/getUser', () => {
  it('returns the caller if it names no user', async () => {
    const me = await aUser(app);
    for (const body of [{}, { userId: me.uid }])
      expect(expectStatus(await app.http.as(me).post('/api/getUser', body), 200).body).toMatchObject({ user: { uid: me.uid } });
    expectStatus(await app.http.as(me).post('/api/getUser', { userId: '' }), 400);
  });

  it('rejects the uid of another user', async () => {
    const [me, other] = [await aUser(app), await aUser(app)];
    const { body } = expectStatus(await app.http.as(me).post('/api/getUser', { userId: other.uid }), 403);
    expect(body).toMatchObject({ success: false, code: 'access.not_yours' });
  });

  it('allows platform staff to read other users, and audits it', async () => {
    const [staff, other] = [await aSuperAdmin(app), await aUser(app)];
    const { body } = expectStatus(await app.http.as(staff).post('/api/getUser', { userId: other.uid }), 200);
    expect(body).toMatchObject({ success: true, user: { uid: other.uid, role: 'user' } });
    const trail = await app.database.query('select target_id from audit_events where actor_id = $1 and organization_id is null', [
      staff.uid,
    ]);
    expect(trail).toEqual([{ target_id: other.uid }]);
  });
});

describe('a disabled user', () => {
  it('is rejected by every endpoint', async () => {
    const me = await aUser(app);
    await app.database.query('update users set disabled_at = now() where uid = $1', [me.uid]);
    const call = app.http.as(me);
    for (const answer of [await call.get('/api/v1/me'), await call.post('/api/getUser', { userId: me.uid })]) {
      expect(expectStatus(answer, 401).body['code']).toBe('auth.disabled');
    }
  });
});
