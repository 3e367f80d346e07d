import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { anOrder, ConversionScenario, daysBefore } from './scenario.js';

let sandbox: Sandbox;
let app: TestApp;
let scenario: ConversionScenario;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  scenario = await ConversionScenario.create(app, sandbox);
});

/** In days. */
const SIX_MINUTES = 6 / (24 * 60);

it('an event from the near future is sent when its time has come', async () => {
  const at = daysBefore(-SIX_MINUTES);
  await scenario.pushApp.push(anOrder({ orderId: 'soon', at }));
  const { id } = await scenario.conversion();
  await scenario.ran(id);
  expect(await scenario.detail(id, 'soon')).toMatchObject({
    ...{ state: 'retrying', code: 'in_future', attempts: 0, nextAttemptAt: at },
    message: 'The time of the event is in the future. It is sent then.',
  });
  // As if its time had come.
  await app.database.query(
    `update conversion_events
        set next_attempt_at = now(), payload = jsonb_set(payload, '{eventTimestamp}', to_jsonb($2::text))
      where conversion_id = $1`,
    [id, new Date().toISOString()],
  );
  await scenario.runDue(id);
  expect(await scenario.outcomes(id)).toEqual({ soon: 'accepted' });
});

it('an event more than a day in the future is not sent', async () => {
  await scenario.pushApp.push(anOrder({ orderId: 'next-week', at: daysBefore(-7) }));
  const { id } = await scenario.conversion();
  await scenario.ran(id);
  expect(await scenario.detail(id, 'next-week')).toMatchObject({
    ...{ state: 'ineligible', code: 'in_future', nextAttemptAt: null },
    message: 'The time of the event is in the future.',
  });
});
