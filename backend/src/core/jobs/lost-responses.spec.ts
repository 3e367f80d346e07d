import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApp, shortWaits, testSettings } from '../../../test/app.js';
import { startTcpProxy, type TcpProxy } from '../../../test/connectors/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../test/database.js';
import { eventually } from '../../../test/factories.js';
import { Database } from '../database/database.js';
import { withoutOrganization } from '../outbox/outbox.js';
import { defineJob, queueJob } from './define-job.js';
import { Jobs } from './jobs.js';

const job = defineJob('test-of-lost-responses', z.object({}));
const DATABASE_ANSWER_MS = 3_000;

let database: TestDatabase;
let network: TcpProxy;
let app: NestExpressApplication;
/** Executions of the job that have begun and ended. */
let begun: number;
let ended: number;

beforeEach(async () => {
  [begun, ended] = [0, 0];
  database = await createTestDatabase();
  const address = new URL(database.url);
  network = await startTcpProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(network.port);
  address.hostname = '127.0.0.1';
  app = await createTestApp(testSettings(address.href, { ROLE: 'worker' }), {
    ...shortWaits,
    databaseAnswerMs: DATABASE_ANSWER_MS,
  });
});
afterEach(async () => {
  await app.close();
  await network.stop();
  await database.stop();
});

it.each<[string, (from: Database) => Promise<unknown>]>([
  ['a statement', (from) => from.pool.query('select 1')],
  ['a statement of Prisma', (from) => from.prisma.organization.count()],
  ['a statement of a transaction', (from) => from.transaction((query) => query('select 1'))],
])('a job is executed again after the response to %s was lost', async (_what, send) => {
  const from = app.get(Database);
  app.get(Jobs).handle(job, async () => {
    begun += 1;
    if (begun === 1) network.cut();
    await send(from).finally(() => network.resume());
    ended += 1;
  });
  await app.init();
  await from.transaction((query) => queueJob(withoutOrganization(query), job, {}, { key: job.name, queue: job.name }));
  await eventually(async () => ended, (count) => count > 0); // prettier-ignore
  expect(begun).toBeGreaterThan(1);
});
