import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, startTestApp, type TestApp, testSettings } from '../../../test/app.js';
import { eventually } from '../../../test/factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.database.query('create table queued_tasks (task text not null)');
  await app.database.query(
    `create function note_task() returns trigger language plpgsql as $$ begin
       insert into queued_tasks select identifier from graphile_worker._private_tasks where id = new.task_id;
       return new; end $$`,
  );
  await app.database.query(
    'create trigger note_task after insert on graphile_worker._private_jobs for each row execute function note_task()',
  );
});
afterAll(() => app?.stop());

const NIGHTLY = 'audit-destinations';
const timesQueued = async (): Promise<number> =>
  (await app.database.query('select from queued_tasks where task = $1', [NIGHTLY])).length;

async function whileWorking(done: () => Promise<unknown>): Promise<void> {
  const worker = await createTestApp(testSettings(app.database.url, { ROLE: 'worker' }));
  try {
    await worker.init();
    await eventually(done, Boolean);
  } finally {
    await worker.close();
  }
}

it('a nightly job that no worker could start is started once by the next worker, and never on a new installation', async () => {
  await whileWorking(async () => {
    const known = 'select from graphile_worker._private_known_crontabs where identifier = $1';
    return (await app.database.query(known, [NIGHTLY])).length > 0;
  });
  expect(await timesQueued()).toBe(0);
  await app.database.query(
    `update graphile_worker._private_known_crontabs
        set known_since = now() - interval '2 days', last_execution = now() - interval '2 days'`,
  );
  await whileWorking(async () => (await timesQueued()) > 0);
  expect(await timesQueued()).toBe(1);
});
