import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../../test/app.js';
import { eventually } from '../../../test/factories.js';
import { Database, type SqlQuery } from '../database/database.js';
import { withoutOrganization } from '../outbox/outbox.js';
import { defineJob, queueJob, queueJobs } from './define-job.js';

// SQL: reads and locks jobs of the queue, whose tables Prisma does not know.

const job = defineJob('test-of-keys', z.object({ cause: z.string() }));
const KEY = 'the-same-key';

let app: TestApp;
let worker: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
  worker = new pg.Client({ connectionString: app.database.ownerUrl });
  await worker.connect();
});
afterAll(async () => {
  await worker?.end();
  await app?.stop();
});

const stored = () =>
  app.database.query<{ cause: string; locked: boolean }>(
    `select payload->>'cause' as cause, locked_at is not null as locked from graphile_worker._private_jobs
      where payload->>'cause' is not null order by id`,
  );

const queueTransaction = (work: (query: SqlQuery) => Promise<void>) => app.get(Database).transaction(work);

async function untilBlocked(): Promise<void> {
  await eventually(
    () =>
      app.database.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%add_job%'`,
      ),
    (sessions) => sessions.length > 0,
  );
}

describe('a job that is queued while a worker starts the one with the same key', () => {
  it.each([
    ['queueJob', (query: SqlQuery) => queueJob(withoutOrganization(query), job, { cause: 'second' }, { key: KEY })],
    ['queueJobs', (query: SqlQuery) => queueJobs(withoutOrganization(query), job, [{ payload: { cause: 'second' }, key: KEY }])],
  ])('runs after it: %s', async (_name, queueAgain) => {
    await app.database.query(`delete from graphile_worker._private_jobs where payload->>'cause' is not null`);
    await queueTransaction((query) => queueJob(withoutOrganization(query), job, { cause: 'first' }, { key: KEY }));
    await worker.query('begin');
    await worker.query(
      `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker', attempts = 1 where key = $1`,
      [KEY],
    );
    const queued = queueTransaction(queueAgain);
    await untilBlocked();
    await worker.query('commit');
    await queued;
    expect(await stored()).toEqual([
      { cause: 'first', locked: true },
      { cause: 'second', locked: false },
    ]);
  });
});
