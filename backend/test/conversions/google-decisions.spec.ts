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
let tests = 0;

beforeAll(async () => {
  sandbox = await startSandbox();
  await sandbox.admin('data-manager/settings', { processingSeconds: 0 });
  app = await startTestApp({ ROLE: 'all', ...sandboxSettings(sandbox.url) });
});
afterAll(async () => {
  await app?.stop();
  await sandbox?.stop();
});
beforeEach(async () => {
  await sandbox.clearFaults();
  scenario = await ConversionScenario.create(app, sandbox);
  tests += 1;
  prefix = `d${tests}`;
});

const fault = (name: string, parameters: object = {}) =>
  sandbox.addFault({ provider: 'data-manager', fault: name, ...parameters });
const key = (name: string) => `${prefix}-${name}`;
const order = () => anOrder({ orderId: key('order'), value: 100 });
const refund = (name: string, value: number) => anOrder({ orderId: key(name), refundOf: key('order'), value });
const outcome = async (id: string, name: string) => (await scenario.outcomes(id))[key(name)];
const reaches = (id: string, name: string, state: string) =>
  eventually(
    () => outcome(id, name),
    (found) => found === state,
  );
const storedValue = async () =>
  (await scenario.received()).find(({ transactionId }) => transactionId.endsWith(key('order')))?.value;

/** A conversion whose order of 100 Google has counted. */
async function aCountedOrder(): Promise<string> {
  await scenario.pushApp.push(order());
  const { id } = await scenario.conversion({ sendsAdjustments: true });
  await scenario.ran(id);
  await scenario.runDue(id);
  expect(await outcome(id, 'order')).toBe('processed');
  return id;
}

describe('a refund', () => {
  it('that Google fails to process later is sent again, and its order counts as changed only when Google has processed it', async () => {
    const id = await aCountedOrder();
    await fault('fail_events', { reasons: ['INTERNAL_ERROR'], times: 1 });
    await scenario.pushApp.push(refund('refund', 10));
    await reaches(id, 'refund', 'accepted');
    expect(await outcome(id, 'order')).toBe('processed');
    await scenario.runDue(id);
    expect(await scenario.detail(id, key('refund'))).toMatchObject({
      ...{ state: 'retrying', code: 'google_data_manager.internal_error', attempts: 1 },
    });
    await scenario.runDue(id);
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({ [key('order')]: 'adjusted', [key('refund')]: 'processed' });
    expect(await storedValue()).toBe(90);
  });

  it('that Google does not process says why, and its order keeps its state', async () => {
    const id = await aCountedOrder();
    await fault('fail_events', { reasons: ['EVENT_TOO_OLD'], times: 1 });
    await scenario.pushApp.push(refund('refund', 10));
    await reaches(id, 'refund', 'accepted');
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({
      [key('order')]: 'processed',
      [key('refund')]: 'google_data_manager.event_too_old',
    });
  });

  it('leaves only after Google has processed an earlier one of the same order', async () => {
    const id = await aCountedOrder();
    await scenario.pushApp.push([refund('first', 10), refund('second', 20)]);
    await reaches(id, 'first', 'accepted');
    await scenario.ran(id, 'succeeded', 3);
    expect(await scenario.detail(id, key('second'))).toMatchObject({ state: 'queued', attempts: 0 });
    await scenario.runDue(id);
    expect(await outcome(id, 'first')).toBe('processed');
    expect(await scenario.detail(id, key('second'))).toMatchObject({ state: 'accepted', attempts: 1 });
    await scenario.runDue(id);
    expect(await outcome(id, 'second')).toBe('processed');
    expect(await storedValue()).toBe(70);
  });

  it('is sent for an order whose result Google never reported', async () => {
    await fault('processing');
    await scenario.pushApp.push(order());
    const { id } = await scenario.conversion({ sendsAdjustments: true });
    await scenario.ran(id);
    await app.database.query(`update conversion_requests set sent_at = now() - interval '6 days' where conversion_id = $1`, [id]);
    await scenario.runDue(id);
    expect(await outcome(id, 'order')).toBe('conversions.result_unknown');
    await sandbox.clearFaults();
    await scenario.pushApp.push(refund('refund', 10));
    await reaches(id, 'refund', 'accepted');
    await scenario.runDue(id);
    expect(await outcome(id, 'refund')).toBe('processed');
    expect(await storedValue()).toBe(90);
  });

  it('that waits for its order says so once in its history, and asks once a day', async () => {
    await scenario.pushApp.push(refund('refund', 10));
    const { id } = await scenario.conversion({ sendsAdjustments: true });
    await scenario.ran(id);
    await scenario.runDue(id);
    await scenario.runDue(id);
    const { history, nextAttemptAt } = await scenario.detail(id, key('refund'));
    expect(history.map(({ state, code }) => code ?? state)).toEqual(['queued', 'waiting_for_original']);
    expect((Date.parse(nextAttemptAt ?? '') - Date.now()) / 3_600_000).toBeGreaterThan(20);
    // It does not wait for a day when its order arrives.
    await scenario.pushApp.push(order());
    await reaches(id, 'order', 'accepted');
    await scenario.planned(id);
    await scenario.reachNextStatus(id);
    expect(await scenario.outcomes(id)).toEqual({ [key('order')]: 'processed', [key('refund')]: 'accepted' });
  });
});

describe('a request of which Google counts nothing', () => {
  const states = (id: string) =>
    app.database.query('select distinct state, code, message from conversion_events where conversion_id = $1', [id]);
  /** More orders than are sent one by one. */
  async function sendMany(reasons: string[]): Promise<string> {
    await fault('fail_events', { reasons });
    await scenario.pushApp.push(Array.from({ length: 102 }, (_, index) => anOrder({ orderId: key(String(index)) })));
    const { id } = await scenario.conversion();
    await scenario.ran(id);
    await sandbox.clearFaults();
    await scenario.runDue(id);
    return id;
  }

  it('for several reasons ends its orders as rejected, with the reasons, and they can be sent again', async () => {
    const id = await sendMany(['CLICK_NOT_FOUND', 'EVENT_TOO_OLD']);
    expect(await states(id)).toEqual([
      {
        state: 'rejected',
        code: 'google_data_manager.none_counted',
        message: 'Google counted no event of this request: click_not_found (51), event_too_old (51).',
      },
    ]);
    expect(await scenario.entry(id)).toMatchObject({ health: 'partial', lastWeek: { rejected: 102 } });
    expect(await scenario.replay(id, { state: 'rejected' })).toBe(102);
  });

  it('because it found no click ends its orders as unmatched', async () => {
    const [found] = await states(await sendMany(['CLICK_NOT_FOUND', 'INVALID_CLICK']));
    expect(found).toMatchObject({ state: 'unmatched', code: 'google_data_manager.none_counted' });
  });

  it('partly because of an internal error is sent again', async () => {
    const id = await sendMany(['INTERNAL_ERROR', 'EVENT_TOO_OLD']);
    expect(await states(id)).toMatchObject([{ state: 'retrying', code: 'google_data_manager.none_counted' }]);
  });
});

it('a run that waited keeps what it counted before', async () => {
  await scenario.pushApp.push(order());
  const { id } = await scenario.conversion();
  await scenario.ran(id);
  await fault('reject_events', { times: 1 });
  await fault('unavailable', { endpoint: 'status' });
  await app.database.query('update conversion_requests set next_status_at = now() where conversion_id = $1', [id]);
  await scenario.pushApp.push(anOrder({ orderId: key('rejected') }));
  const [waiting] = await scenario.ran(id, 'waiting');
  const counted = { recordsRead: expect.any(Number), eventsNew: 1, eventsSent: 1, eventsAccepted: 0, eventsRejected: 1 };
  expect(waiting).toMatchObject(counted);
  await sandbox.clearFaults();
  await scenario.runDue(id);
  const ended = (await scenario.runs(id)).find((run) => run.id === waiting?.id);
  expect(ended).toMatchObject({ ...counted, state: 'partial' });
});
