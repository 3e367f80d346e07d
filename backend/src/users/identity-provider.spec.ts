import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { type AuthEmulator, type EmulatedAccount, startAuthEmulator } from '../../test/auth-emulator.js';
import { moveClock } from '../../test/clock.js';
import { eventually, expectStatus } from '../../test/factories.js';
import { ReconcileAccounts } from './reconcile-accounts.js';

/** Runs the product with the Firebase Auth emulator: account changes there decide access to the product. */
let emulator: AuthEmulator;
let app: TestApp;

beforeAll(async () => {
  emulator = await startAuthEmulator();
  app = await startTestApp({ FIREBASE_AUTH_EMULATOR_HOST: emulator.host });
});
beforeEach(() => app.database.query('delete from users'));
afterEach(() => moveClock(0));
afterAll(async () => {
  await app?.stop();
  await emulator?.stop();
});

const MINUTE_IN_DAYS = 1 / 1_440;

const callAs = ({ token }: EmulatedAccount) => app.http.withHeaders({ authorization: `Bearer ${token}` });
const whoAmI = (account: EmulatedAccount) => callAs(account).get('/api/v1/me');

/** Signs up at the identity provider and then in the product. */
async function aSavedAccount(): Promise<EmulatedAccount> {
  const account = await emulator.signUp();
  const { uid, email } = account;
  expectStatus(await callAs(account).post('/api/getOrSaveUser', { uid, email, fullName: 'Test User' }), 200);
  return account;
}

/** Advances the time so that the account is looked up again. */
const expectRejected = async (account: EmulatedAccount, code: string): Promise<void> => {
  moveClock(2 * MINUTE_IN_DAYS);
  const { body } = await eventually(
    () => whoAmI(account),
    ({ status }) => status === 401,
  );
  expect(body['code']).toBe(code);
};

const reconcile = () => app.get(ReconcileAccounts).reconcile({ signal: new AbortController().signal });
const disabledPeople = () =>
  app.database.query<{ uid: string; reason: string }>(
    'select uid, disabled_reason as reason from users where disabled_at is not null order by uid',
  );
const savePeople = (uids: string[]) =>
  app.database.query(
    `insert into users (uid, email, full_name) select uid, uid || '@example.com', uid from unnest($1::text[]) as uid`,
    [uids],
  );

describe('an account', () => {
  it('that was disabled at Firebase is rejected, although its token is valid', async () => {
    const account = await aSavedAccount();
    expectStatus(await whoAmI(account), 200);
    await emulator.update(account.uid, { disableUser: true });
    await expectRejected(account, 'auth.disabled');
  });

  it('that was deleted at Firebase is rejected', async () => {
    const account = await aSavedAccount();
    await emulator.remove(account.uid);
    await expectRejected(account, 'auth.disabled');
  });

  it('whose sign-ins were revoked is rejected with the old token and accepted with a new one', async () => {
    const account = await aSavedAccount();
    const validSince = Math.floor(Date.now() / 1_000) + 1;
    await emulator.update(account.uid, { validSince: String(validSince) });
    await expectRejected(account, 'auth.revoked');
    moveClock(0);
    const again = await eventually(
      async () => whoAmI(await emulator.signIn(account)),
      ({ status }) => status === 200,
    );
    expect(again.body).toMatchObject({ uid: account.uid });
  });

  it('that is enabled at Firebase again has access again, and both changes are in the audit trail', async () => {
    const account = await aSavedAccount();
    await emulator.update(account.uid, { disableUser: true });
    await expectRejected(account, 'auth.disabled');
    await emulator.update(account.uid, { disableUser: false });
    moveClock(4 * MINUTE_IN_DAYS);
    await eventually(
      () => whoAmI(account),
      ({ status }) => status === 200,
    );
    const trail = await app.database.query(
      'select action, actor_kind from audit_events where target_id = $1 and organization_id is null order by id',
      [account.uid],
    );
    expect(trail).toEqual([
      { action: 'user.disabled', actor_kind: 'system' },
      { action: 'user.enabled', actor_kind: 'system' },
    ]);
  });

  it('that is active at Firebase remains disabled when platform staff disabled it', async () => {
    const account = await aSavedAccount();
    await app.database.query(`update users set disabled_at = now(), disabled_reason = 'staff' where uid = $1`, [account.uid]);
    moveClock(2 * MINUTE_IN_DAYS);
    expectStatus(await whoAmI(account), 401);
    await reconcile();
    const { body } = expectStatus(await whoAmI(account), 401);
    expect(body['code']).toBe('auth.disabled');
    expect(await disabledPeople()).toEqual([{ uid: account.uid, reason: 'staff' }]);
  });
});

describe('the nightly reconciliation', () => {
  const uids = Array.from({ length: 250 }, (_, index) => `person-${String(index).padStart(3, '0')}`);

  it('disables only users who are disabled or deleted at Firebase, over several batches', async () => {
    await emulator.importAccounts(uids);
    await savePeople(uids);
    await emulator.update('person-120', { disableUser: true });
    await emulator.remove('person-249');
    await reconcile();
    expect(await disabledPeople()).toEqual([
      { uid: 'person-120', reason: 'identity_disabled' },
      { uid: 'person-249', reason: 'identity_deleted' },
    ]);
    await emulator.update('person-120', { disableUser: false });
    await reconcile();
    expect(await disabledPeople()).toEqual([{ uid: 'person-249', reason: 'identity_deleted' }]);
  });

  it('changes no user when it would disable most users, because the project is probably wrong', async () => {
    const known = await aSavedAccount();
    await savePeople(uids.map((uid) => `elsewhere-${uid}`));
    await emulator.update(known.uid, { disableUser: true });
    await reconcile();
    expect(await disabledPeople()).toEqual([]);
  });

  it('changes none of a few users when Firebase knows none of them', async () => {
    await savePeople(['elsewhere-a', 'elsewhere-b']);
    await reconcile();
    expect(await disabledPeople()).toEqual([]);
    await emulator.importAccounts(['elsewhere-a']);
    await reconcile();
    expect(await disabledPeople()).toEqual([{ uid: 'elsewhere-b', reason: 'identity_deleted' }]);
  });
});
