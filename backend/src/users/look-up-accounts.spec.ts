import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { startTestApp, type TestApp } from '../../test/app.js';
import { type AuthEmulator, type EmulatedAccount, startAuthEmulator } from '../../test/auth-emulator.js';
import { moveClock } from '../../test/clock.js';
import { aUser, eventually, expectStatus } from '../../test/factories.js';
import { AccessWatch } from '../access/access-watch.service.js';
import { Firebase } from '../access/firebase.js';
import { ApplyAccountState } from './apply-account-state.js';
import { LookUpAccounts } from './look-up-accounts.js';

/** Less than the SDK's timeout of 25 s. */
const NOT_WAITED_MS = 20_000;

describe('the look-up of an account', () => {
  it('delays no request while Firebase does not respond', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const app = await startTestApp({ FIREBASE_AUTH_EMULATOR_HOST: host });
    try {
      const startedAt = Date.now();
      const me = await aUser(app);
      for (let call = 0; call < 5; call++) expectStatus(await app.http.as(me).get('/api/v1/me'), 200);
      expect(Date.now() - startedAt).toBeLessThan(NOT_WAITED_MS);
      await eventually(
        async () => sockets.size,
        (size) => size > 0,
      );
      expect(sockets.size).toBe(1);
    } finally {
      await app.stop();
      silent.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  it('is disabled without a service account, which is logged once', async () => {
    const lines: string[] = [];
    const app = await startTestApp({ FIREBASE_AUTH_EMULATOR_HOST: '' });
    try {
      const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
      const lookUps = new LookUpAccounts(logger, app.get(Firebase), app.get(AccessWatch), app.get(ApplyAccountState));
      lookUps.onModuleInit();
      lookUps.onApplicationBootstrap();
      await app.get(AccessWatch).notify({ kind: 'authenticated', uid: 'any-user', isPerson: true });
      expect(lines).toEqual([expect.stringContaining('FIREBASE_SERVICE_ACCOUNT is not set')]);
    } finally {
      await app.stop();
    }
  });
});

describe('the creator of an API key whose account Firebase does not know', () => {
  let emulator: AuthEmulator;
  let app: TestApp;
  let creator: EmulatedAccount;
  let key: string;
  let path: string;
  const lines: string[] = [];

  beforeAll(async () => {
    emulator = await startAuthEmulator();
    app = await startTestApp({ FIREBASE_AUTH_EMULATOR_HOST: emulator.host });
    const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    new LookUpAccounts(logger, app.get(Firebase), app.get(AccessWatch), app.get(ApplyAccountState)).onModuleInit();
  });
  afterAll(async () => {
    await app?.stop();
    await emulator?.stop();
  });
  beforeEach(async () => {
    creator = await aSavedAccount();
    const call = callAs(creator.token);
    const { body } = await call.post<{ organizationId: string }>('/api/createOrganization', { companyName: 'Northwind' });
    path = `/api/v1/organizations/${body.organizationId}`;
    key = expectStatus(await call.post<{ key: string }>(`${path}/api-keys`, { name: 'Job', role: 'viewer' }), 201).body.key;
    await emulator.remove(creator.uid);
    moveClock(2 / 1_440);
  });
  afterEach(() => moveClock(0));

  const callAs = (token: string) => app.http.withHeaders({ authorization: `Bearer ${token}` });
  async function aSavedAccount(): Promise<EmulatedAccount> {
    const account = await emulator.signUp();
    const { uid, email, token } = account;
    expectStatus(await callAs(token).post('/api/getOrSaveUser', { uid, email, fullName: 'Test User' }), 200);
    return account;
  }
  const isDisabled = async () =>
    (
      await app.database.query<{ is: boolean }>('select disabled_at is not null as is from users where uid = $1', [creator.uid])
    )[0]?.is;
  const afterLookUp = async () => {
    expectStatus(await callAs(key).get(path), 200);
    return eventually(
      async () => ({ isDisabled: await isDisabled(), warnings: lines.length }),
      (seen) => seen.isDisabled === true || seen.warnings > 0,
    );
  };

  it('keeps access while Firebase knows no other user either, because the project is probably wrong', async () => {
    expect(await afterLookUp()).toEqual({ isDisabled: false, warnings: 1 });
    expect(lines[0]).toContain('FIREBASE_PROJECT_ID');
    expectStatus(await callAs(key).get(path), 200);
  });

  it('is disabled while Firebase knows another user', async () => {
    lines.length = 0;
    await aSavedAccount();
    expect(await afterLookUp()).toEqual({ isDisabled: true, warnings: 0 });
    expect((await callAs(key).get(path)).status).toBe(401);
  });
});
