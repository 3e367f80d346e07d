import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { aConnection, anOrganization, type Connection, eventually, expectStatus, type Organization } from '../../factories.js';
import { freePort } from '../../mail-catcher.js';
import { Workers } from '../../workers.js';
import type { ConnectionAudit } from '../../../src/sync/api/destination-audits.dto.js';
import * as runs from '../../runs.js';

const MOST_KILLS = 30;

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let organization: Organization;
const workers = new Workers();

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await workers.killAll();
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  warehouse = await startWarehouse();
  organization = await anOrganization(app);
});
afterEach(async () => {
  await workers.killAll();
  await warehouse.stop();
});

/** Starts a worker; returns its id in the queue. */
async function startWorker(): Promise<{ process: ChildProcess; id: string }> {
  const process = workers.start(app, { ...sandboxSettings(sandbox.url), LOG_LEVEL: 'fatal' });
  const find = () =>
    app.database.query<{ id: string }>('select id from workers where description like $1', [`% pid ${process.pid}`]);
  const [row] = await eventually(find, (found) => found.length > 0);
  return { process, id: row?.id ?? '' };
}

/** Simulates the end of the 15 seconds after which a silent worker counts as crashed. */
const letSilencePass = (workerId: string) =>
  app.database.query(`update workers set heartbeat_at = heartbeat_at - interval '1 minute' where id = $1`, [workerId]);

const newestRun = (connection: Connection) => runs.newestRun(organization, connection.id);
const endedRun = (connection: Connection) => runs.endedRun(app, organization, connection.id);

const jobsOf = (runId: string) =>
  app.database.query<{ lockedBy: string | null }>(
    `select locked_by as "lockedBy" from graphile_worker.jobs where key = 'run:' || $1`,
    [runId],
  );

it('a run that repeatedly crashes its worker fails, and a run that shared the worker succeeds', async () => {
  await sandbox.addFault({ fault: 'slow', delayMs: 1_500 });
  const deadly = await aConnection(organization, warehouse, { historyDays: 5 });
  const harmless = await aConnection(organization, warehouse, { historyDays: 5 });
  let kills = 0;
  while (kills < MOST_KILLS) {
    const before = (await newestRun(deadly)).attempts.length;
    const { process, id } = await startWorker();
    const run = await eventually(
      () => newestRun(deadly),
      ({ attempts, endedAt }) => attempts.length > before || endedAt !== null,
    );
    if (run.endedAt !== null) break;
    await workers.kill(process);
    await letSilencePass(id);
    kills += 1;
  }
  const failed = await newestRun(deadly);
  expect(failed).toMatchObject({
    state: 'failed',
    failure: { class: 'internal', code: 'sync.worker_died', message: expect.any(String), action: expect.any(String) },
  });
  expect(kills).toBeLessThan(MOST_KILLS / 3);
  expect(await endedRun(harmless)).toMatchObject({ state: 'succeeded' });
});

it('a crashed process counts as one crashed worker in the metrics', async () => {
  // The workers of the tests before are killed. Their jobs would count too.
  await app.database.query('delete from workers');
  await app.database.query(
    'select graphile_worker.force_unlock_workers(array(select locked_by from graphile_worker._private_jobs where locked_by is not null))',
  );
  const { process } = await startWorker();
  const description = `% pid ${process.pid}`;
  const registered = () => app.database.query('select from workers where description like $1', [description]);
  await eventually(registered, (rows) => rows.length === 5);
  await workers.kill(process);
  await app.database.query(`update workers set heartbeat_at = heartbeat_at - interval '1 minute' where description like $1`, [
    description,
  ]);
  const port = await freePort();
  workers.start(app, { ...sandboxSettings(sandbox.url), LOG_LEVEL: 'fatal', METRICS_PORT: String(port) });
  const deaths = await eventually(
    async () => {
      const metrics = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text(), () => ''); // prettier-ignore
      return Number(/^worker_deaths_total (\d+)$/m.exec(metrics)?.[1] ?? 0);
    },
    (count) => count > 0,
  );
  expect(deaths).toBe(1);
});

it('a run whose job has no attempts left is resumed', async () => {
  const connection = await aConnection(organization, warehouse, { historyDays: 5 });
  const { id } = await newestRun(connection);
  await app.database.query(`update graphile_worker._private_jobs set attempts = max_attempts where key = $1`, [`run:${id}`]);
  await app.database.query(`update runs set queued_at = now() - interval '5 minutes' where id = $1`, [id]);
  await startWorker();
  await app.database.query(`select graphile_worker.add_job('recover-runs', '{}')`);
  expect(await endedRun(connection)).toMatchObject({ id, state: 'succeeded' });
});

it('a run of a worker that crashed before its first heartbeat is resumed', async () => {
  const connection = await aConnection(organization, warehouse, { historyDays: 5 });
  const { id } = await newestRun(connection);
  const lockedFor = (seconds: number) =>
    app.database.query(
      `update graphile_worker._private_jobs set locked_by = 'unregistered', locked_at = now() - make_interval(secs => $2) where key = $1`,
      [`run:${id}`, seconds],
    );
  await lockedFor(0);
  await startWorker();
  expect(await jobsOf(id)).toEqual([{ lockedBy: 'unregistered' }]);
  await lockedFor(60);
  expect(await endedRun(connection)).toMatchObject({ id, state: 'succeeded' });
});

it('an audit that repeatedly crashes its worker fails, and does not start again', async () => {
  await startWorker();
  const connection = await aConnection(organization, warehouse, { historyDays: 5 });
  await endedRun(connection);
  await workers.killAll();
  const answer = await organization.call.post<ConnectionAudit>(`${organization.path}/connections/${connection.id}/audit`);
  const id = expectStatus(answer, 202).body.current?.id;
  await app.database.query('update destination_audits set worker_deaths = 1 where id = $1', [id]);
  await app.database.query(
    `update graphile_worker._private_jobs set locked_by = 'unregistered', locked_at = now() - interval '1 minute' where key = $1`,
    [`audit:${id}`],
  );
  await startWorker();
  const { last } = await eventually(
    async () => (await organization.call.get<ConnectionAudit>(`${organization.path}/connections/${connection.id}/audit`)).body,
    ({ current }) => current === null,
  );
  expect(last).toMatchObject({ id, state: 'failed', failure: { class: 'internal', code: 'sync.worker_died' } });
});

it('a frozen worker that continues leaves the job to the worker that claimed the run', async () => {
  const frozen = await startWorker();
  await sandbox.addFault({ fault: 'slow', delayMs: 20_000, afterRequests: 4 });
  const connection = await aConnection(organization, warehouse, { historyDays: 100 });
  const before = await eventually(
    () => newestRun(connection),
    (run) => run.slicesTotal > 0,
  );
  frozen.process.kill('SIGSTOP');
  await letSilencePass(frozen.id);
  const successor = await startWorker();
  await eventually(
    () => newestRun(connection),
    (run) => run.attempts.length > before.attempts.length,
  );
  expect(await jobsOf(before.id)).toEqual([{ lockedBy: successor.id }]);
  // The frozen worker loses its job once it detects the lost lease. Until then it keeps a connection to the sandbox.
  frozen.process.kill('SIGCONT');
  await eventually(
    () => app.database.query(`select 1 from workers where id = $1 and heartbeat_at > now() - interval '5 seconds'`, [frozen.id]),
    (found) => found.length > 0,
  );
  await new Promise((resolve) => setTimeout(resolve, 7_000));
  expect(await jobsOf(before.id)).toEqual([{ lockedBy: successor.id }]);
  await sandbox.clearFaults();
  expect(await endedRun(connection)).toMatchObject({ state: 'succeeded' });
});
