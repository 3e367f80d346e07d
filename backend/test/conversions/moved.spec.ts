import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { eventually } from '../factories.js';
import { anOrder, ConversionScenario } from './scenario.js';

let sandbox: Sandbox;
let app: TestApp;
let scenario: ConversionScenario;
/** Begins the ids of one test. */
let prefix: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  await sandbox.admin('data-manager/settings', { processingSeconds: 0 });
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
let tests = 0;
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await ConversionScenario.create(app, sandbox);
  tests += 1;
  prefix = `moved${tests}`;
});

describe('a request whose result cannot be read', () => {
  const statesOfRequests = async (id: string) =>
    (
      await app.database.query<{ state: string }>(
        'select state from conversion_requests where conversion_id = $1 and not is_adjustment order by state::text',
        [id],
      )
    ).map(({ state }) => state);
  const makeStatusDue = (id: string) =>
    app.database.query(
      'update conversion_requests set next_status_at = now() where conversion_id = $1 and next_status_at is not null',
      [id],
    );

  it('delays neither refunds nor the results of other requests, and ends as unknown', async () => {
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
    const { id } = await scenario.conversion({ sendsAdjustments: true });
    await scenario.ran(id);
    await scenario.runDue(id);
    await scenario.pushApp.push([anOrder({ orderId: `${prefix}-2` }), anOrder({ orderId: `${prefix}-3` })]);
    await eventually(
      () => statesOfRequests(id),
      (states) => states.filter((state) => state === 'processing').length === 2,
    );
    await sandbox.addFault({ provider: 'data-manager', fault: 'permission', endpoint: 'status', times: 1 });
    await makeStatusDue(id);
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-r1`, refundOf: `${prefix}-1`, value: 2.5 }));
    await eventually(
      () => scenario.outcomes(id),
      (outcomes) => outcomes[`${prefix}-r1`] === 'accepted',
    );
    expect(await statesOfRequests(id)).toEqual(['processed', 'processed', 'processing']);
    expect(await scenario.entry(id)).toMatchObject({ failure: null, health: 'healthy' });

    await sandbox.addFault({ provider: 'data-manager', fault: 'permission', endpoint: 'status' });
    await app.database.query(`update conversion_requests set sent_at = now() - interval '6 days' where conversion_id = $1`, [id]);
    await scenario.runDue(id);
    expect(await statesOfRequests(id)).toEqual(['processed', 'processed', 'unknown']);
    expect(Object.values(await scenario.outcomes(id))).toContain('conversions.result_unknown');
  });

  it('lets refunds be sent before the run waits for the platform', async () => {
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
    const { id } = await scenario.conversion({ sendsAdjustments: true });
    await scenario.ran(id);
    await scenario.runDue(id);
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-2` }));
    await eventually(
      () => statesOfRequests(id),
      (states) => states.includes('processing'),
    );
    await sandbox.addFault({ provider: 'data-manager', fault: 'unavailable', endpoint: 'status' });
    await makeStatusDue(id);
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-r1`, refundOf: `${prefix}-1`, value: 2.5 }));
    await scenario.runDue(id);
    // The pushes start runs too, one of which may still have been in progress.
    await eventually(
      () => scenario.runs(id),
      ([newest]) => newest?.state === 'waiting',
    );
    expect((await scenario.outcomes(id))[`${prefix}-r1`]).toBe('accepted');
  });
});

const received = async (settings?: Record<string, unknown>) =>
  (await scenario.received(settings))
    .filter(({ transactionId }) => transactionId.includes(prefix))
    .map(({ transactionId, value }) => [transactionId, Number(value)]);

describe('after another conversion action was chosen', () => {
  it('a refund of an order that the earlier action has is not sent, so that it does not become a new conversion', async () => {
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
    const { id } = await scenario.conversion({ sendsAdjustments: true });
    await scenario.ran(id);
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({ [`${prefix}-1`]: 'processed' });
    const other = await scenario.otherAction();
    await scenario.change(id, { ...scenario.rules({ target: other }), sendsAdjustments: true });
    await scenario.pushApp.push([
      anOrder({ orderId: `${prefix}-r1`, refundOf: `${prefix}-1`, value: 2.5 }),
      anOrder({ orderId: `${prefix}-2` }),
    ]);
    await eventually(
      () => scenario.outcomes(id),
      (outcomes) => outcomes[`${prefix}-2`] === 'accepted' && outcomes[`${prefix}-r1`] !== 'queued',
    );
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({
      [`${prefix}-1`]: 'processed',
      [`${prefix}-2`]: 'processed',
      [`${prefix}-r1`]: 'target_changed',
    });
    expect(await received(other.settings)).toEqual([[`ord-${prefix}-2`, 12.5]]);
    expect(await received()).toEqual([[`ord-${prefix}-1`, 12.5]]);
  });
});
