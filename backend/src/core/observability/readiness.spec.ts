import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestApp, testSettings } from '../../../test/app.js';
import { startTcpProxy, type TcpProxy } from '../../../test/connectors/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../test/database.js';
import { eventually } from '../../../test/factories.js';
import { PublicController } from '../../access/public.controller.js';
import { LOGGER } from './logger.js';

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
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
};

it('is ready while the database responds', async () => {
  expect(await ready()).toEqual({ status: 200, retryAfter: null, body: { status: 'ok' } });
});

it.each<[string, string, () => unknown]>([
  ['rejects connections', 'The database is not reachable.', () => network.close()],
  ['does not respond', 'The database did not respond in time.', () => network.cut()],
])('is not ready while the database %s', async (_what, detail, happen) => {
  await ready();
  await happen();
  expect(await ready()).toMatchObject({
    status: 503,
    retryAfter: '5',
    body: { code: 'database.unavailable', status: 503, detail, action: expect.any(String) },
  });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it('is ready again when the database responds again, although earlier requests stay without a response', async () => {
  await ready();
  network.cut();
  expect(await ready()).toMatchObject({ status: 503 });
  network.resume();
  expect(await eventually(ready, ({ status }) => status === 200)).toMatchObject({ status: 200 });
});

it('asks callers of a process that shuts down to wait a moment', async () => {
  const stopping = await createTestApp(testSettings(database.url, { SHUTDOWN_DELAY_SECONDS: '2' }));
  await stopping.listen(0, '127.0.0.1');
  const address = await stopping.getUrl();
  const stopped = stopping.close();
  const answer = await eventually(
    () => fetch(`${address}/readyz`),
    ({ status }) => status === 503,
  );
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(await answer.json()).toMatchObject({ code: 'server.stopping' });
  await stopped;
});

it('logs the cause of an unavailable database in one sentence', async () => {
  const logged: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => logged.push(String(text)) > 0);
  const logging = await createTestApp(testSettings('postgresql://app@127.0.0.1:1/product', { LOG_LEVEL: 'error' }));
  const failed = await logging
    .get(PublicController)
    .getReadiness()
    .catch((error: unknown) => error);
  logging.get<Logger>(LOGGER).error({ err: failed }, 'request failed');
  write.mockRestore();
  await logging.close();
  expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({
    err: { message: 'The database is not reachable: connect ECONNREFUSED 127.0.0.1:1' },
  });
});
