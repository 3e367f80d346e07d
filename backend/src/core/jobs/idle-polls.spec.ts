import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type { QueryResult } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { z } from 'zod';
import { createTestApp, shortWaits, testSettings } from '../../../test/app.js';
import { createTestDatabase, type TestDatabase } from '../../../test/database.js';
import { eventually } from '../../../test/factories.js';
import { Database } from '../database/database.js';
import { withoutOrganization } from '../outbox/outbox.js';
import { defineJob, queueJob } from './define-job.js';
import { IdlePolls } from './idle-polls.js';
import { Jobs } from './jobs.js';

const job = defineJob('test-of-idle-polls', z.object({}));
/** Runs, audits, conversions, webhooks and housekeeping. */
const KINDS_OF_SLOTS = 5;

let database: TestDatabase;
let app: NestExpressApplication;
let executed: number;

/** Not started yet, so that the test can add its job. */
async function prepareWorker(queuePollMs: number): Promise<void> {
  app = await createTestApp(testSettings(database.url, { ROLE: 'worker' }), { ...shortWaits, queuePollMs });
  app.get(Jobs).handle(job, async () => {
    executed += 1;
  });
}

const queue = (runAt?: Date) =>
  app.get(Database).transaction((query) => queueJob(withoutOrganization(query), job, {}, runAt ? { runAt } : {}));

const answer = (...rows: object[]) => Promise.resolve({ rows } as QueryResult);

beforeEach(async () => {
  executed = 0;
  database = await createTestDatabase();
});
afterEach(async () => {
  await app?.close();
  await database?.stop();
});

describe('a worker without jobs', () => {
  it('asks the database about once per interval and kind of slots, not once per slot', async () => {
    const intervalMs = 200;
    await prepareWorker(intervalMs);
    await app.init();
    const asked: number[] = [];
    app.get(Database).pool.on('acquire', () => asked.push(performance.now()));
    const count = 60;
    await eventually(async () => asked.length, (length) => length > count); // prettier-ignore
    const intervals = ((asked[count] ?? 0) - (asked[0] ?? 0)) / intervalMs;
    expect(count / intervals).toBeLessThan(2 * KINDS_OF_SLOTS);
  });

  it('starts a job when it becomes due', async () => {
    await prepareWorker(200);
    await app.init();
    await queue(new Date(Date.now() + 1_000));
    await eventually(async () => executed, (number) => number === 1); // prettier-ignore
  });

  it('starts each job at once, also those that are queued while it asks', async () => {
    // Longer than the test: only a notification starts a job.
    await prepareWorker(600_000);
    await app.init();
    const jobs = 100;
    for (let queued = 0; queued < jobs; queued += 4) await Promise.all(Array.from({ length: 4 }, () => queue()));
    await eventually(async () => executed, (number) => number === jobs); // prettier-ignore
  });

  it('asks again if a job was queued while it asked', async () => {
    const events = new EventEmitter() as WorkerEvents;
    const polls = new IdlePolls(events, 600_000, 2);
    let respond: (result: QueryResult) => void = () => undefined;
    const first = polls.selectJob(() => new Promise((resolve) => (respond = resolve)));
    events.emit('pool:listen:notification', {} as never);
    respond(await answer());
    expect((await first).rows).toEqual([]);
    expect((await polls.selectJob(() => answer({ id: '1' }))).rows).toEqual([{ id: '1' }]);
  });

  it('starts a job after the response to a question was lost', async () => {
    const polls = new IdlePolls(new EventEmitter() as WorkerEvents, 1, 2);
    expect((await polls.selectJob(() => answer())).rows).toEqual([]);
    let isAsked = false;
    const loseAnswer = () => {
      isAsked = true;
      return new Promise<QueryResult>(() => undefined);
    };
    const ask = async () => {
      void polls.selectJob(loseAnswer);
      return isAsked;
    };
    await eventually(ask, Boolean);
    expect((await polls.selectJob(() => answer({ id: '1' }))).rows).toEqual([{ id: '1' }]);
  });
});
