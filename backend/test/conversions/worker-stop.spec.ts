import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { eventually } from '../factories.js';
import { Workers } from '../workers.js';
import { anOrder, ConversionScenario } from './scenario.js';

let sandbox: Sandbox;
let app: TestApp;
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

/** Workers of a process that reported since a moment. */
const aliveSince = (pid: number | undefined, moment: string) =>
  app.database.query('select from workers where description like $1 and heartbeat_at > $2::timestamptz', [
    `% pid ${pid}`,
    moment,
  ]);

it('an order whose request was in progress when its worker was stopped is received once', async () => {
  const scenario = await ConversionScenario.create(app, sandbox);
  const target = await scenario.target('meta_ads', '310000000000011', 'dataset');
  await sandbox.addFault({ provider: 'meta-ads', fault: 'hold' });
  await scenario.pushApp.push(anOrder({ orderId: 'stopped-1' }));
  const { id } = await scenario.conversion({}, { target });
  const first = workers.start(app, sandboxSettings(sandbox.url));
  await eventually(
    () => scenario.outcomes(id),
    (outcomes) => outcomes['stopped-1'] === 'sent',
  );
  const second = workers.start(app, sandboxSettings(sandbox.url));
  await eventually(
    () => aliveSince(second.pid, '-infinity'),
    ({ length }) => length > 0,
  );
  const ended = once(first, 'exit');
  first.kill('SIGTERM');
  const [{ soon = '' } = {}] = await app.database.query<{ soon: string }>(`select (now() + interval '1 second')::text as soon`);
  // It waits for the answer, and the other worker does not take its job.
  await eventually(
    () => aliveSince(first.pid, soon),
    ({ length }) => length > 0,
  );
  await sandbox.clearFaults();
  await ended;
  await scenario.ran(id);
  expect(await scenario.detail(id, 'stopped-1')).toMatchObject({ state: 'accepted', attempts: 1 });
  const { events } = await sandbox.admin<{ events: { id: string }[] }>('meta-ads/received?limit=1000');
  expect(events.filter((event) => event.id === 'stopped-1')).toHaveLength(1);
});
