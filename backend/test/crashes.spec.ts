import { afterAll, beforeAll, expect, it } from 'vitest';
import { untilEventsDelivered } from './alerts.js';
import { sandboxSettings, startTestApp, type TestApp, testSettings } from './app.js';
import { type Sandbox, startSandbox } from './connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from './connectors/warehouse.js';
import { CHANGES, type Prepared, read } from './crash-changes.js';
import { eventually } from './factories.js';
import { KilledServer } from './killed-server.js';
import { StripeSandbox, stripeSettings } from './stripe.js';
import { randomOf } from './user-actions.js';

/** `CRASHES=200` for the full test, `SEED` for other moments. */
const CRASHES = Number(process.env['CRASHES'] ?? 6);
const SEED = Number(process.env['SEED'] ?? 14);
/** After a request: from before the change until its effects have begun. After a response: while its effects happen. */
const LATEST_KILL_MS = { request: 250, response: 150 };

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let server: KilledServer;

beforeAll(async () => {
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  const settings = { ...sandboxSettings(sandbox.url), ...stripeSettings(sandbox.url) };
  // Prepares changes and reads their parts. It executes no jobs and is not killed.
  app = await startTestApp(settings);
  server = new KilledServer(testSettings(app.database.url, settings));
});
afterAll(async () => {
  await server?.kill();
  await app?.stop();
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});

const jobsOf = (names: string[]) =>
  app.database.query('select from graphile_worker.jobs where task_identifier = any($1::text[])', [names]);

it(
  `a change, its entry, its events and its runs are all there or none, after ${CRASHES} kills`,
  async () => {
    const random = randomOf(SEED);
    const scene = { app, warehouse, stripe: new StripeSandbox(sandbox) };
    const kinds = Object.entries(CHANGES);
    const killed: (Prepared & { name: string; since: string; afterMs: number; status: number | null })[] = [];
    for (let number = 0; number < CRASHES; number += 1) {
      const [name, prepare] = kinds[number % kinds.length]!;
      const since = random() < 0.7 ? 'request' : 'response';
      const afterMs = Math.round(random() * LATEST_KILL_MS[since]);
      const [prepared] = await Promise.all([prepare(scene), server.start()]);
      await server.warmUp(read(prepared.organization));
      killed.push({ ...prepared, name, since, afterMs, status: await server.killDuring(prepared.change, { since, afterMs }) });
    }
    await server.start();
    await eventually(() => jobsOf(['sync-subscription', 'deliver-event']), (jobs) => jobs.length === 0); // prettier-ignore
    await untilEventsDelivered(app);
    const results = await Promise.all(killed.map(async (one) => ({ ...one, found: await one.parts() })));
    const report = results.map(({ name, since, afterMs, status, found }) => ({ name, since, afterMs, status, found }));
    console.log(summaryOf(report));
    expect(report.filter(({ found }) => new Set(Object.values(found)).size > 1)).toEqual([]);
    // A confirmed change is never lost.
    expect(report.filter(({ status, found }) => status !== null && status < 300 && !found['change'])).toEqual([]);
  },
  300_000 + CRASHES * 15_000,
);

function summaryOf(report: { name: string; status: number | null; found: Record<string, boolean> }[]): string {
  const lines = Object.keys(CHANGES).map((name) => {
    const rows = report.filter((row) => row.name === name);
    const count = (of: (values: boolean[]) => boolean) => rows.filter(({ found }) => of(Object.values(found))).length;
    const all = count((values) => values.every(Boolean));
    const none = count((values) => !values.some(Boolean));
    const answered = rows.filter(({ status }) => status !== null).length;
    return `${name}: ${rows.length} kills, all ${all}, none ${none}, in part ${rows.length - all - none}, confirmed ${answered}`;
  });
  return lines.join('\n');
}
