import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../../app.js';
import { type Sandbox, startSandbox } from '../../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../../connectors/warehouse.js';
import { eventually, expectStatus } from '../../factories.js';
import { aPlatformScenario, type PlatformScenario } from '../../platform-scenario.js';
import { googleAds } from '../../platforms.js';
import { openStream } from '../../streams.js';
import { tokenFor } from '../../http.js';
import type { ConnectionEntry } from '../../../src/connections/connections.dto.js';
import { Metrics } from '../../../src/core/observability/metrics.js';
import { RecoverRuns } from '../../../src/sync/jobs/recover-runs.js';
import type { RunDetail } from '../../../src/sync/api/runs.dto.js';

let sandbox: Sandbox;
let app: TestApp;
let warehouse: Warehouse;
let scenario: PlatformScenario;
let connection: string;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await aPlatformScenario(app, sandbox, warehouse, googleAds);
  connection = await scenario.connect({ historyDays: 6, streams: ['campaign_daily'] });
  expect(await scenario.endedRun(connection)).toMatchObject({ state: 'succeeded' });
});

/** A run that waits for a response of the platform. */
async function aWaitingRun(): Promise<RunDetail> {
  const before = await scenario.newestRun(connection);
  await sandbox.addFault({ fault: 'slow', delayMs: 30_000 });
  expectStatus(await scenario.organization.call.post(`${connection}/run`), 202);
  const run = await eventually(
    () => scenario.newestRun(connection),
    ({ id, state }) => id !== before.id && state === 'running',
  );
  // Each heartbeat, once a second, reports what happened before it. After two without progress, none follows.
  const rests = `select 1 from runs where id = $1 and progress_at < now() - interval '2500 milliseconds'`;
  await eventually(() => app.database.query(rests, [run.id]), (found) => found.length > 0); // prettier-ignore
  return run;
}

const entry = async () => (await scenario.organization.call.get<ConnectionEntry>(connection)).body;
const recover = () => app.get(RecoverRuns).recover();
/** Simulates no progress for this long, while the worker sends heartbeats. */
const letPassWithoutProgress = (runId: string, minutes: number) =>
  app.database.query(`update runs set progress_at = now() - make_interval(mins => $2) where id = $1`, [runId, minutes]);

it('reports a run without progress once, everywhere', async () => {
  const stream = await openStream(app, scenario.organization.path, tokenFor(scenario.organization.owner));
  const run = await aWaitingRun();
  expect(run).toMatchObject({ isStuck: false });
  await letPassWithoutProgress(run.id, 3);
  await recover();
  await recover();
  const stuck = await scenario.newestRun(connection);
  expect(stuck).toMatchObject({ id: run.id, isStuck: true, attempts: [expect.anything()] });
  expect(stuck.log.filter(({ message }) => message.includes('stuck'))).toHaveLength(1);
  expect((await entry()).activeRun).toMatchObject({ runId: run.id, isStuck: true });
  expect(await app.get(Metrics).registry.metrics()).toContain('runs_stuck_total 1');
  expect(stream.text()).toContain('event: connection');
  stream.close();
});

it('reassigns a run whose worker makes no progress for longer than any time limit', async () => {
  const run = await aWaitingRun();
  await letPassWithoutProgress(run.id, 16);
  await recover();
  const taken = await eventually(
    () => scenario.newestRun(connection),
    ({ attempts }) => attempts.length === 2,
  );
  expect(taken).toMatchObject({ id: run.id, isStuck: false });
  await sandbox.clearFaults();
  expect(await scenario.endedRun(connection)).toMatchObject({ id: run.id, state: 'succeeded' });
});

it('resumes a run without a worker although its job is locked', async () => {
  const run = await aWaitingRun();
  await app.database.query(`update runs set queued_at = queued_at - interval '1 hour'`);
  await app.database.query(
    `update runs set lease_epoch = nextval('lease_epoch'), heartbeat_at = now() - interval '3 minutes' where id = $1`,
    [run.id],
  );
  await recover();
  await sandbox.clearFaults();
  expect(await scenario.endedRun(connection)).toMatchObject({ id: run.id, state: 'succeeded' });
});

it('is stale if its data are older than the schedule allows, also during a run', async () => {
  await app.database.query(
    `update connections set schedule = '{"kind": "interval", "everyMinutes": 60, "timeZone": "UTC"}' where id = $1`,
    [connection.split('/').at(-1)],
  );
  expect(await entry()).toMatchObject({ health: 'healthy' });
  // Every day was last read four days ago.
  await app.database.query(
    `update coverage set last_verified_at = last_verified_at - interval '4 days' where connection_id = $1`,
    [connection.split('/').at(-1)],
  );
  await aWaitingRun();
  expect(await entry()).toMatchObject({
    health: 'stale',
    healthReason: expect.stringMatching(/^4 days behind: the newest complete day is [A-Z][a-z]{2} \d{1,2}, \d{4}$/),
    activeRun: { state: 'running' },
  });
});
