import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createTestApp, testSettings } from '../../../test/app.js';
import { startTcpProxy, type TcpProxy } from '../../../test/connectors/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../test/database.js';
import { eventually } from '../../../test/factories.js';

let database: TestDatabase;
let network: TcpProxy;
let app: NestExpressApplication;
let url: string;

beforeEach(async () => {
  database = await createTestDatabase();
  const address = new URL(database.url);
  network = await startTcpProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(network.port);
  address.hostname = '127.0.0.1';
  app = await createTestApp(testSettings(address.href));
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterEach(async () => {
  // The application's pool would wait for the sockets of a disconnected network.
  await network.stop();
  await app.close();
  await database.stop();
});

const ready = async () => {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(60_000) });
  return { status: answer.status, body: await answer.json() };
};

it('is ready while the database responds', async () => {
  expect(await ready()).toEqual({ status: 200, body: { status: 'ok' } });
});

it.each<[string, () => unknown]>([
  ['rejects connections', () => network.close()],
  ['does not respond', () => network.cut()],
])('is not ready while the database %s', async (_what, happen) => {
  await ready();
  await happen();
  expect(await ready()).toMatchObject({
    status: 503,
    body: { code: 'database.unavailable', status: 503, action: expect.any(String) },
  });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it('is ready again when the database responds again, although earlier requests stay without a response', async () => {
  await ready();
  network.cut();
  expect(await ready()).toMatchObject({ status: 503 });
  network.resume();
  expect(await eventually(ready, ({ status }) => status === 200)).toEqual({ status: 200, body: { status: 'ok' } });
});
