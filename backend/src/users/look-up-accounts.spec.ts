import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { startTestApp } from '../../test/app.js';
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
