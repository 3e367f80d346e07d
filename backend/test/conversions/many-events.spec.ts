import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConversionEntry } from '../../src/conversions/conversions.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { eventually, expectStatus } from '../factories.js';
import { Workers } from '../workers.js';
import { anOrder, ConversionScenario, daysBefore } from './scenario.js';

let sandbox: Sandbox;
let app: TestApp;
const workers = new Workers();

beforeAll(async () => {
  sandbox = await startSandbox();
  await sandbox.admin('data-manager/settings', { processingSeconds: 0 });
  // No worker in this process: workers are separate processes that can be killed.
  app = await startTestApp({ ROLE: 'api', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await workers.killAll();
  await app?.stop();
  await sandbox?.stop();
});

const startWorker = () => workers.start(app, { ...sandboxSettings(sandbox.url) });

/** What the worker heartbeats do after 15 seconds: the jobs of a killed worker become available. */
const unlockJobs = () =>
  app.database.query(
    `select graphile_worker.force_unlock_workers(array(select distinct locked_by from graphile_worker.jobs where locked_by is not null))`,
  );
/** The database may still execute a statement of a killed worker. It could deadlock with a statement of the test. */
const sessionsEnd = () =>
  eventually(
    () =>
      app.database.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'tributary-worker'`,
      ),
    (sessions) => sessions.length === 0,
  );
const dueNow = (id: string) =>
  app.database.query(
    'update conversion_events set next_attempt_at = now() where conversion_id = $1 and next_attempt_at is not null',
    [id],
  );
const states = async (id: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await app.database.query<{ name: string; events: number }>(
        `select coalesce(case when state = 'ineligible' then code end, state::text) as name, count(*)::int as events
           from conversion_events where conversion_id = $1 group by 1`,
        [id],
      )
    ).map(({ name, events }) => [name, events]),
  );
/** Differences between the stored counts and the events. */
const countErrors = (id: string) =>
  app.database.query(
    `select * from (select day, state, events from conversion_counts where conversion_id = $1 and events <> 0) c
       full join (select received_on as day, state, count(*)::int as events from conversion_events where conversion_id = $1 group by 1, 2) e
         using (day, state, events) where c.day is null or e.day is null`,
    [id],
  );
const waitFor = (id: string, holds: (found: Record<string, number>) => boolean) => eventually(() => states(id), holds);
const runNow = async (scenario: ConversionScenario, id: string) =>
  expectStatus(await scenario.organization.call.post(`${scenario.organization.path}/conversions/${id}/run`), 202);

/** One of ten events each is too old, without consent, without identifiers, malformed, and a duplicate of the next one. */
function event(index: number): Record<string, unknown> {
  const order = anOrder({ orderId: `many-${index}` });
  const kinds: Record<number, object> = {
    0: { at: daysBefore(95) },
    1: { consent: 'unknown' },
    2: { customer: {} },
    3: { value: 'much' },
    4: { orderId: `many-${index + 1}` },
  };
  return { ...order, ...kinds[index % 10] };
}

it('10,000 events are in the ledger and at the platform once each, after a lost answer, a killed worker and a second run', async () => {
  const scenario = await ConversionScenario.create(app, sandbox);
  for (let call = 0; call < 10; call++)
    await scenario.pushApp.push(Array.from({ length: 1_000 }, (_, index) => event(call * 1_000 + index)));
  await sandbox.addFault({ provider: 'data-manager', fault: 'fail_after_storing', drop: true, times: 1 });
  await sandbox.addFault({ provider: 'data-manager', fault: 'slow', delayMs: 1_000 });
  const { id } = await scenario.conversion();
  const first = startWorker();
  // The answer of the first request is lost; the second worker is killed while its request is in progress.
  await waitFor(id, (found) => (found['retrying'] ?? 0) > 0);
  await dueNow(id);
  await runNow(scenario, id);
  await waitFor(id, (found) => (found['accepted'] ?? 0) > 0 && (found['sent'] ?? 0) > 0);
  await workers.kill(first);
  await sandbox.clearFaults();
  await unlockJobs();
  startWorker();
  const done = await waitFor(id, (found) => !found['sent'] && !found['queued'] && !found['retrying']);
  expect(done).toEqual({
    too_old: 1_000,
    consent_unknown: 1_000,
    missing_identifiers: 1_000,
    value_malformed: 1_000,
    accepted: 5_000,
  });
  // The second run reads all events again.
  await app.database.query('update conversions set cursor = null where id = $1', [id]);
  await runNow(scenario, id);
  await eventually(() => scenario.runs(id), ([newest]) => newest?.state === 'succeeded' && newest.recordsRead >= 9_000); // prettier-ignore
  expect(await states(id)).toEqual(done);
  expect(await countErrors(id)).toEqual([]);
  const stored = (await scenario.received()).map(({ transactionId }) => transactionId);
  expect([stored.length, new Set(stored).size]).toEqual([5_000, 5_000]);
  const { body } = await scenario.organization.call.get<ConversionEntry>(`${scenario.organization.path}/conversions/${id}`);
  expect(body.lastWeek).toMatchObject({ received: 9_000, eligible: 5_000, accepted: 5_000 });
});

const KILLS = Number(process.env['CONVERSION_KILLS'] ?? 6);

it(`${KILLS} workers that are killed at random moments lose and duplicate no event`, async () => {
  // The worker of the test above would execute the runs, and `unlockJobs` would take its jobs away while it works.
  await workers.killAll();
  const scenario = await ConversionScenario.create(app, sandbox);
  const total = 1_500;
  const events = Array.from({ length: total }, (_, index) => anOrder({ orderId: `kill-${index}` }));
  await scenario.pushApp.push(events.slice(0, 1_000));
  const { id } = await scenario.conversion();
  // Each kill finds events in another state: some wait, some are in progress, some are accepted.
  for (let kill = 0; kill < KILLS; kill++) {
    await sessionsEnd();
    await unlockJobs();
    await dueNow(id);
    const epoch = async () =>
      (await app.database.query<{ epoch: string }>('select lease_epoch::text as epoch from conversions where id = $1', [id]))[0]
        ?.epoch;
    // Before the worker starts: it may start a run that is already due.
    const before = await epoch();
    const worker = startWorker();
    await runNow(scenario, id);
    await eventually(epoch, (now) => now !== before);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
    await workers.kill(worker);
    if (kill === Math.floor(KILLS / 2)) await scenario.pushApp.push(events.slice(1_000));
  }
  await sessionsEnd();
  await unlockJobs();
  await dueNow(id);
  await runNow(scenario, id);
  startWorker();
  await waitFor(id, (found) => found['accepted'] === total);
  const stored = (await scenario.received()).map(({ transactionId }) => transactionId).filter((one) => one.includes('kill-'));
  expect([stored.length, new Set(stored).size]).toEqual([total, total]);
  expect(await countErrors(id)).toEqual([]);
}, 1_800_000);
