import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { anOrder, ConversionScenario, daysBefore } from './scenario.js';

let sandbox: Sandbox;
let app: TestApp;
let scenario: ConversionScenario;

beforeAll(async () => {
  sandbox = await startSandbox();
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
}, 60_000);
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await ConversionScenario.create(app, sandbox);
});

describe('pushed orders', () => {
  it('are sent once, and those that may not be sent say why', async () => {
    await scenario.pushApp.push([
      anOrder({ orderId: 'a-1' }),
      anOrder({ orderId: 'a-1' }),
      anOrder({ orderId: 'a-2', consent: 'denied' }),
      anOrder({ orderId: 'a-3', consent: '' }),
      anOrder({ orderId: 'a-4', at: daysBefore(95) }),
      anOrder({ orderId: 'a-5', customer: {} }),
      anOrder({ orderId: 'a-6', value: 'twelve' }),
    ]);
    const { id } = await scenario.conversion();
    await scenario.ran(id);
    const events = await scenario.events(id);
    expect(Object.fromEntries(events.map(({ dedupeKey, state, code }) => [dedupeKey, code ?? state]))).toEqual({
      'a-1': 'accepted',
      'a-2': 'consent_denied',
      'a-3': 'consent_unknown',
      'a-4': 'too_old',
      'a-5': 'missing_identifiers',
      'a-6': 'value_malformed',
    });
    const stored = (await scenario.received()).filter(({ transactionId }) => /a-\d$/.test(transactionId));
    expect(stored).toEqual([]);
  });
});
