import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConversionEntry } from '../../src/conversions/conversions.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from '../connectors/warehouse.js';
import { aDestination, eventually, expectStatus } from '../factories.js';
import { anOrder, ConversionScenario, daysBefore } from './scenario.js';

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let scenario: ConversionScenario;

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
  scenario = await ConversionScenario.create(app, sandbox);
});

const target = (provider: string, accountId: string, kind: string) => scenario.target(provider, accountId, kind);
const detailOf = (id: string, key: string) => scenario.detail(id, key);

const NOT_TWICE = expect.not.arrayContaining([expect.objectContaining({ code: 'may_count_twice' })]);

interface ReceivedByMeta {
  id: string | null;
  outcome: string;
  event: object;
  testEventCode?: string;
}

const visit = (orderId: string) =>
  anOrder({ orderId, visit: { ip: '203.0.113.9', browser: 'TestBrowser/1.0', page: 'https://shop.example/thanks' } });

/** Rules for `visit`. */
function withVisit(platform: object): Record<string, unknown> {
  const rules = scenario.rules({ target: platform });
  Object.assign(rules['mapping'] as object, {
    ipAddress: { field: 'visit.ip' },
    userAgent: { field: 'visit.browser' },
    sourceUrl: { field: 'visit.page' },
  });
  return rules;
}

const privateFields = async (id: string): Promise<(string | null)[]> =>
  (
    await app.database.query<{ fields: string | null }>(
      'select private_fields as fields from conversion_events where conversion_id = $1',
      [id],
    )
  ).map(({ fields }) => fields);

describe('Meta', () => {
  const meta = () => target('meta_ads', '310000000000011', 'dataset');
  const received = async (id: string) => {
    const { settings } = (
      await scenario.organization.call.get<ConversionEntry>(`${scenario.organization.path}/conversions/${id}`)
    ).body.target;
    const { events } = await sandbox.admin<{ events: { id: string; outcome: string }[] }>(
      `meta-ads/received?datasetId=${String(settings['datasetId'])}&limit=1000`,
    );
    return events.filter(({ outcome }) => outcome === 'counted').map((event) => event.id);
  };

  const allReceived = async () => (await sandbox.admin<{ events: ReceivedByMeta[] }>('meta-ads/received?limit=10000')).events;

  it('receives 499 of 500 orders when one is eight days old, and the ledger explains that one', async () => {
    const orders = Array.from({ length: 500 }, (_, index) => anOrder({ orderId: `meta-${index}` }));
    await scenario.pushApp.push([...orders.slice(0, 499), { ...orders[499], at: daysBefore(8) }]);
    const { id } = await scenario.conversion({}, { target: await meta() });
    await scenario.ran(id);
    const { body } = await scenario.organization.call.get<ConversionEntry>(`${scenario.organization.path}/conversions/${id}`);
    expect(body.lastWeek).toMatchObject({ received: 500, eligible: 499, accepted: 499, ineligible: 1 });
    expect(await detailOf(id, 'meta-499')).toMatchObject({
      state: 'ineligible',
      code: 'too_old',
      message: expect.stringContaining('7 days'),
    });
    expect((await received(id)).filter((one) => one.startsWith('meta-'))).toHaveLength(499);
  });

  it('leaves no IP address, browser or page in the ledger after it took the order', async () => {
    await scenario.pushApp.push(visit('private-1'));
    const { id } = await scenario.conversion({}, withVisit(await meta()));
    await scenario.ran(id);
    expect(await detailOf(id, 'private-1')).toMatchObject({ state: 'accepted' });
    expect(await privateFields(id)).toEqual([null]);
  });

  it('receives a replayed order with IP address, browser and page', async () => {
    await sandbox.addFault({ provider: 'meta-ads', fault: 'reject_event', eventId: 'again-1' });
    await scenario.pushApp.push(visit('again-1'));
    const { id } = await scenario.conversion({}, withVisit(await meta()));
    await scenario.ran(id, 'partial');
    await sandbox.clearFaults();
    await scenario.replay(id, { state: 'rejected' });
    await scenario.ran(id);
    const sent = (await allReceived()).filter((event) => event.id === 'again-1');
    const full = {
      event_source_url: 'https://shop.example/thanks',
      user_data: { client_ip_address: '203.0.113.9', client_user_agent: 'TestBrowser/1.0' },
    };
    expect(sent).toMatchObject([
      { outcome: 'rejected', event: full },
      { outcome: 'counted', event: full },
    ]);
    expect(await privateFields(id)).toEqual([null]);
  });

  it('leaves no IP address, browser or page of a rejected order that became too old to be sent again', async () => {
    await sandbox.addFault({ provider: 'meta-ads', fault: 'reject_event', eventId: 'old-1' });
    await scenario.pushApp.push(visit('old-1'));
    const { id } = await scenario.conversion({}, withVisit(await meta()));
    await scenario.ran(id, 'partial');
    expect(await privateFields(id)).toEqual([expect.any(String)]);
    await app.database.query('update conversion_events set expires_at = now() where conversion_id = $1', [id]);
    await scenario.runDue(id);
    expect(await privateFields(id)).toEqual([null]);
    expect(await detailOf(id, 'old-1')).toMatchObject({ state: 'rejected' });
  });

  it('receives no further batch by rules that were changed while one was sent', async () => {
    const orders = Array.from({ length: 1_001 }, (_, index) => anOrder({ orderId: `changed-${index}` }));
    await scenario.pushApp.push(orders.slice(0, 1_000));
    await scenario.pushApp.push(orders.slice(1_000));
    const platform = await meta();
    await sandbox.addFault({ provider: 'meta-ads', fault: 'hold' });
    const { id } = await scenario.conversion({}, { target: platform });
    await eventually(
      () => app.database.query(`select from conversion_events where conversion_id = $1 and state = 'sent'`, [id]),
      ({ length }) => length === 1_000,
    );
    await scenario.change(id, scenario.rules({ target: platform, testCode: 'TEST1' }));
    await sandbox.clearFaults();
    await scenario.ran(id, 'succeeded', 2);
    const sent = (await allReceived()).filter((event) => event.id?.startsWith('changed-'));
    expect(sent.filter(({ testEventCode }) => testEventCode === undefined)).toHaveLength(1_000);
    expect(sent.filter(({ testEventCode }) => testEventCode === 'TEST1')).toHaveLength(1);
  });

  it.each(['resend', 'hold'])(
    'stores the answer to an order that had left when its conversion was paused, and does not send it again (%s)',
    async (onUnknownOutcome) => {
      const key = `paused-${onUnknownOutcome}`;
      const platform = await meta();
      await sandbox.addFault({ provider: 'meta-ads', fault: 'hold' });
      await scenario.pushApp.push(anOrder({ orderId: key }));
      const { id } = await scenario.conversion({ onUnknownOutcome }, { target: platform });
      await eventually(
        () => scenario.outcomes(id),
        (outcomes) => outcomes[key] === 'sent',
      );
      await scenario.act(id, 'pause');
      await sandbox.clearFaults();
      await eventually(
        () => scenario.outcomes(id),
        (outcomes) => outcomes[key] !== 'sent',
      );
      await scenario.act(id, 'resume');
      await scenario.ran(id);
      expect(await detailOf(id, key)).toMatchObject({ state: 'accepted', attempts: 1, notes: NOT_TWICE });
      expect((await received(id)).filter((one) => one === key)).toHaveLength(1);
    },
  );

  it('receives no further batch of a conversion that was paused or deleted while one was sent', async () => {
    const orders = Array.from({ length: 1_001 }, (_, index) => anOrder({ orderId: `stopped-${index}` }));
    await scenario.pushApp.push(orders.slice(0, 1_000));
    await scenario.pushApp.push(orders.slice(1_000));
    const platform = await meta();
    await sandbox.addFault({ provider: 'meta-ads', fault: 'hold' });
    const { id } = await scenario.conversion({}, { target: platform });
    const inState = (state: string) =>
      app.database.query('select from conversion_events where conversion_id = $1 and state::text = $2', [id, state]);
    await eventually(
      () => inState('sent'),
      ({ length }) => length === 1_000,
    );
    const { call, path } = scenario.organization;
    expectStatus(await call.delete(`${path}/conversions/${id}`), 204);
    await sandbox.clearFaults();
    await scenario.isQuiet(id);
    expect([(await inState('accepted')).length, (await inState('queued')).length]).toEqual([1_000, 1]);
  });

  it('is not sent again what it received only partly, and the orders say so', async () => {
    const keys = ['partly-1', 'partly-2'];
    await sandbox.addFault({ provider: 'meta-ads', fault: 'fewer_events_received', missing: 1, times: 1 });
    await scenario.pushApp.push(keys.map((orderId) => anOrder({ orderId })));
    const { id } = await scenario.conversion({}, { target: await meta() });
    await scenario.ran(id);
    await scenario.runDue(id);
    for (const key of keys)
      expect(await detailOf(id, key)).toMatchObject({
        ...{ state: 'accepted', code: 'conversions.partly_processed', attempts: 1, notes: NOT_TWICE },
        message: 'Meta received 1 of the 2 events of the request, and does not say which.',
      });
    expect((await received(id)).filter((one) => one && keys.includes(one))).toHaveLength(1);
  });

  it('receives an order that waited under the event name that was chosen meanwhile', async () => {
    const dataset = await meta();
    await sandbox.addFault({ provider: 'meta-ads', fault: 'server_error' });
    await scenario.pushApp.push(anOrder({ orderId: 'other-name' }));
    const { id } = await scenario.conversion({}, { target: dataset });
    await scenario.ran(id, 'waiting');
    await sandbox.clearFaults();
    const settings = { ...(dataset['settings'] as object), eventName: 'Lead' };
    await scenario.change(id, scenario.rules({ target: { ...dataset, settings } }));
    await scenario.runDue(id);
    const sent = (await allReceived()).filter((event) => event.id === 'other-name');
    expect(sent).toMatchObject([{ outcome: 'counted', event: { event_name: 'Lead' } }]);
  });

  it('may count an order twice after a lost answer, and the order says so', async () => {
    await sandbox.addFault({ provider: 'meta-ads', fault: 'fail_after_applying', drop: true, times: 1 });
    await scenario.pushApp.push(anOrder({ orderId: 'twice-1' }));
    const { id } = await scenario.conversion({}, { target: await meta() });
    await scenario.ran(id, 'waiting');
    await scenario.runDue(id);
    expect(await detailOf(id, 'twice-1')).toMatchObject({
      state: 'accepted',
      attempts: 2,
      notes: expect.arrayContaining([expect.objectContaining({ code: 'may_count_twice' })]),
    });
    expect((await received(id)).filter((one) => one === 'twice-1')).toHaveLength(2);
  });

  it('never counts an order twice if unknown outcomes are held, and the order says why it ended', async () => {
    await sandbox.addFault({ provider: 'meta-ads', fault: 'fail_after_applying', drop: true, times: 1 });
    await scenario.pushApp.push(anOrder({ orderId: 'hold-1' }));
    const { id } = await scenario.conversion({ onUnknownOutcome: 'hold' }, { target: await meta() });
    await scenario.ran(id, 'waiting');
    await scenario.runDue(id);
    expect(await detailOf(id, 'hold-1')).toMatchObject({ state: 'dead', attempts: 1 });
    expect((await received(id)).filter((one) => one === 'hold-1')).toHaveLength(1);
  });
});

it('a refund that waits starts no run after the conversion was moved to a platform without refunds, and continues after it is moved back', async () => {
  await scenario.pushApp.push(anOrder({ orderId: 'moved-refund', refundOf: 'moved-order' }));
  const { id } = await scenario.conversion({ sendsAdjustments: true });
  await scenario.ran(id);
  expect(await scenario.outcomes(id)).toEqual({ 'moved-refund': 'waiting_for_original' });
  const meta = await target('meta_ads', '310000000000011', 'dataset');
  await scenario.change(id, scenario.rules({ target: meta, sendsAdjustments: true }));
  await scenario.runDue(id);
  await scenario.isQuiet(id);
  expect(await scenario.events(id)).toMatchObject([{ state: 'queued', code: 'adjustments_unsupported' }]);
  await scenario.change(id, scenario.rules({ sendsAdjustments: true }));
  await eventually(
    () => scenario.outcomes(id),
    (outcomes) => outcomes['moved-refund'] === 'waiting_for_original',
  );
});

it('an order that waited for Google is not sent to Meta after the conversion was moved there, and says so', async () => {
  await sandbox.addFault({ provider: 'data-manager', fault: 'permission' });
  await scenario.pushApp.push(anOrder({ orderId: 'moved-waiting' }));
  const { id } = await scenario.conversion();
  await scenario.ran(id, 'failed');
  const meta = await target('meta_ads', '310000000000011', 'dataset');
  await scenario.change(id, scenario.rules({ target: meta }));
  await scenario.ran(id);
  expect(await detailOf(id, 'moved-waiting')).toMatchObject({
    state: 'dead',
    code: 'target_changed',
    attempts: 0,
    message: expect.stringContaining('another platform'),
  });
});

describe('a PostgreSQL query', () => {
  it('is read again from the last time on, and each of its rows is sent once', async () => {
    await warehouse.query('create table orders (id text, at timestamptz, value numeric, email text, consent text)');
    const insert = (key: string) =>
      warehouse.query(`insert into orders values ('${key}', now() - interval '1 hour', 10, 'shopper3@example.com', 'granted')`);
    await insert('q-1');
    const destinationId = await aDestination(scenario.organization, warehouse);
    const mapping = {
      ...{ id: { field: 'id' }, occurredAt: { field: 'at' }, value: { field: 'value' }, currency: { value: 'EUR' } },
      ...{ orderId: { field: 'id' }, email: { field: 'email' }, adUserData: { field: 'consent' } },
    };
    const source = { destinationId, settings: { query: 'select * from orders', timeField: 'at', overlapHours: 24 } };
    const { id } = await scenario.conversion({}, { source, mapping });
    await scenario.ran(id);
    await insert('q-2');
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({ 'q-1': 'accepted', 'q-2': 'accepted' });
    const [newest] = await scenario.runs(id);
    expect(newest).toMatchObject({ recordsRead: 2, eventsNew: 1, eventsSent: 1 });
  });

  it.each([
    ['manual', { kind: 'manual', timeZone: 'UTC' }],
    ['hourly', { kind: 'interval', everyMinutes: 60, timeZone: 'UTC' }],
  ])('with a schedule that is %s is not read by a run that only asks for results', async (kind, schedule) => {
    await warehouse.query(`create table ${kind}_orders (id text, at timestamptz, value numeric, email text, consent text)`);
    const insert = (key: string) =>
      warehouse.query(
        `insert into ${kind}_orders values ('${key}', now() - interval '1 hour', 10, 'shopper3@example.com', 'granted')`,
      );
    await insert(`${kind}-1`);
    const destinationId = await aDestination(scenario.organization, warehouse);
    const mapping = {
      ...{ id: { field: 'id' }, occurredAt: { field: 'at' }, value: { field: 'value' }, currency: { value: 'EUR' } },
      ...{ orderId: { field: 'id' }, email: { field: 'email' }, adUserData: { field: 'consent' } },
    };
    const query = `select * from ${kind}_orders`;
    const source = { destinationId, settings: { query, timeField: 'at', overlapHours: 24 } };
    const { id } = await scenario.conversion({ schedule }, { source, mapping });
    await scenario.ran(id);
    const nextRun = async () =>
      (await scenario.organization.call.get<ConversionEntry>(`${scenario.organization.path}/conversions/${id}`)).body.nextRunAt;
    await scenario.planned(id);
    const planned = await nextRun();
    await insert(`${kind}-2`);
    await scenario.reachNextStatus(id);
    expect((await scenario.runs(id))[0]).toMatchObject({ state: 'succeeded', recordsRead: 0, eventsNew: 0, eventsSent: 0 });
    expect(Object.keys(await scenario.outcomes(id))).toEqual([`${kind}-1`]);
    await scenario.planned(id);
    expect(await nextRun()).toBe(planned);
    await scenario.runDue(id);
    expect((await scenario.runs(id))[0]).toMatchObject({ recordsRead: 2, eventsNew: 1, eventsSent: 1 });
  });

  it('that is replaced while it is read sends nothing by the earlier rules, and the new one is read from its start', async () => {
    for (const [table, key, at, consent] of [
      ['first_orders', 'first-1', '1 hour', 'unknown'],
      ['second_orders', 'second-1', '5 days', 'granted'],
    ])
      await warehouse.query(
        `create table ${table} as select '${key}'::text as id, now() - interval '${at}' as at, 10 as value,
           'shopper3@example.com' as email, '${consent}' as consent`,
      );
    const destinationId = await aDestination(scenario.organization, warehouse);
    const rulesFor = (table: string, onUnknownConsent: string) =>
      scenario.rules({
        source: { destinationId, settings: { query: `select * from ${table}`, timeField: 'at', overlapHours: 1 } },
        mapping: {
          ...{ id: { field: 'id' }, occurredAt: { field: 'at' }, value: { field: 'value' }, currency: { value: 'EUR' } },
          ...{ orderId: { field: 'id' }, email: { field: 'email' }, adUserData: { field: 'consent' } },
        },
        onUnknownConsent,
      });
    await warehouse.query('begin');
    await warehouse.query('lock table first_orders');
    const { id } = await scenario.conversion({}, rulesFor('first_orders', 'send'));
    await eventually(
      () => warehouse.query(`select from pg_locks where relation = 'first_orders'::regclass and not granted`),
      ({ length }) => length > 0,
    );
    await scenario.change(id, rulesFor('second_orders', 'block'));
    await warehouse.query('commit');
    await scenario.ran(id, 'succeeded', 2);
    expect(await scenario.outcomes(id)).toEqual({ 'second-1': 'accepted' });
  });

  it('that no longer works fails the run with its message and one action', async () => {
    await warehouse.query('create table leads (id text, at timestamptz, email text, consent text)');
    const destinationId = await aDestination(scenario.organization, warehouse);
    const source = { destinationId, settings: { query: 'select * from leads', timeField: null, overlapHours: 0 } };
    const mapping = { id: { field: 'id' }, occurredAt: { field: 'at' }, email: { field: 'email' } };
    const { id } = await scenario.conversion({}, { source, mapping });
    await scenario.ran(id);
    await warehouse.query('drop table leads');
    await scenario.runDue(id);
    const { body } = await scenario.organization.call.get<ConversionEntry>(`${scenario.organization.path}/conversions/${id}`);
    expect(body).toMatchObject({
      health: 'failing',
      failure: { message: expect.stringContaining('leads'), action: expect.stringMatching(/\w/) },
    });
  });
});
