import { afterAll, beforeAll, expect, it } from 'vitest';
import { RecoverConversions } from '../../src/conversions/run/recover-conversions.js';
import { Jobs } from '../../src/core/jobs/jobs.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { eventually } from '../factories.js';
import { anOrder, ConversionScenario } from './scenario.js';

let sandbox: Sandbox;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});

interface QueuedJob {
  lockedBy: string | null;
}
const jobsOf = (id: string) =>
  app.database.query<QueuedJob & Record<string, unknown>>(
    'select locked_by as "lockedBy", run_at as "runAt" from graphile_worker.jobs where key = $1',
    [`conversion:${id}`],
  );

const everyHour = { schedule: { kind: 'interval', everyMinutes: 60, timeZone: 'UTC' } };

it('is resumed if the queue has given up its job', async () => {
  const scenario = await ConversionScenario.create(app, sandbox);
  await scenario.pushApp.push([anOrder({ orderId: 'given-up-1' })]);
  const { id } = await scenario.conversion(everyHour);
  await eventually(() => jobsOf(id), ([job]) => job?.lockedBy === null && Number(job['runAt']) > Date.now()); // prettier-ignore
  await app.database.query('update graphile_worker._private_jobs set attempts = max_attempts where key = $1', [
    `conversion:${id}`,
  ]);
  const before = (await scenario.runs(id)).length;
  await app.database.query(`update conversions set next_run_at = now() - interval '5 minutes' where id = $1`, [id]);
  await app.database.query(`select graphile_worker.add_job('recover-conversions', '{}')`);
  await eventually(() => scenario.runs(id), (runs) => runs.length > before && runs[0]?.state === 'succeeded'); // prettier-ignore
});

it('is not resumed while its organization is deleted', async () => {
  const scenario = await ConversionScenario.create(app, sandbox);
  const { id } = await scenario.conversion(everyHour);
  await eventually(() => jobsOf(id), ([job]) => job?.lockedBy === null && Number(job['runAt']) > Date.now()); // prettier-ignore
  await app.database.query('delete from graphile_worker._private_jobs where key = $1', [`conversion:${id}`]);
  await app.database.query(`update conversions set next_run_at = now() - interval '5 minutes' where id = $1`, [id]);
  const setDeleted = (at: string) =>
    app.database.query(`update organizations set deleted_at = ${at} where id = $1`, [scenario.organization.id]);
  await setDeleted('now()');
  await app.get(RecoverConversions).recover();
  expect(await jobsOf(id)).toEqual([]);
  await setDeleted('null');
  await app.get(RecoverConversions).recover();
  expect(await jobsOf(id)).toHaveLength(1);
});

it('keeps its next run although other workers considered its worker crashed and unlocked its job', async () => {
  const scenario = await ConversionScenario.create(app, sandbox);
  await scenario.pushApp.push([anOrder({ orderId: 'unlocked-1' })]);
  await sandbox.addFault({ provider: 'data-manager', fault: 'slow', delayMs: 3_000, times: 1 });
  const { id } = await scenario.conversion(everyHour);
  await eventually(() => jobsOf(id), ([job]) => job?.lockedBy != null); // prettier-ignore
  // As after 15 seconds without a heartbeat, while no other worker has a free slot.
  await app.database.query(
    `with job as (update graphile_worker._private_jobs set locked_by = null, locked_at = null, run_at = now() + interval '1 day'
                   where id = (select id from graphile_worker.jobs where key = $1) returning job_queue_id)
     update graphile_worker._private_job_queues set locked_by = null, locked_at = null from job where id = job.job_queue_id`,
    [`conversion:${id}`],
  );
  await eventually(() => scenario.runs(id), ([run]) => run?.state === 'succeeded'); // prettier-ignore
  // Waits until its job has ended.
  await app.get(Jobs).beforeApplicationShutdown();
  expect(await jobsOf(id)).toMatchObject([{ lockedBy: null }]);
});
