import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OrderSearch } from '../../src/conversions/api/conversion-events.dto.js';
import { sandboxSettings, startTestApp, type TestApp } from '../app.js';
import { type Sandbox, startSandbox } from '../connectors/sandbox-process.js';
import { authorize, eventually, expectStatus } from '../factories.js';
import { anOrder, ConversionScenario, daysBefore } from './scenario.js';

const UPGRADE = new URL(
  '../../../prisma/migrations/20261128100000_private_fields_of_accepted_events/migration.sql',
  import.meta.url,
);

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
  prefix = `t${tests}`;
});

const stored = async () =>
  (await scenario.received())
    .filter(({ transactionId }) => transactionId.includes(prefix))
    .map(({ transactionId, value }) => [transactionId.replace(/^.*(?=t\d)/, ''), Number(value)]);
describe('pushed orders', () => {
  it('are counted once by the platform, and those that may not be sent say why', async () => {
    await scenario.pushApp.push([
      anOrder({ orderId: `${prefix}-1` }),
      anOrder({ orderId: `${prefix}-1` }),
      anOrder({ orderId: `${prefix}-2`, consent: 'denied' }),
      anOrder({ orderId: `${prefix}-3`, consent: '' }),
      anOrder({ orderId: `${prefix}-4`, at: daysBefore(95) }),
      anOrder({ orderId: `${prefix}-5`, customer: {} }),
      anOrder({ orderId: `${prefix}-6`, value: 'twelve' }),
      anOrder({ orderId: `${prefix}-7`, customer: { email: 'unknown.buyer@shop.example' } }),
      anOrder({ orderId: 'someone@shop.example' }),
      anOrder({ orderId: `${prefix}-8`, at: 'yesterday' }),
      // Beyond what the database stores.
      ...['1234567890123456789', `0.${'1'.repeat(17_000)}`].map((value, n) => anOrder({ orderId: `${prefix}-v${n}`, value })),
      ...['0000-01-01T00:00:00Z', '9999-12-28'].map((at, n) => anOrder({ orderId: `${prefix}-t${n}`, at })),
    ]);
    const { id } = await scenario.conversion();
    await scenario.ran(id);
    await scenario.runDue(id);
    const outcomes = await scenario.outcomes(id);
    const personal = Object.keys(outcomes).find((key) => key.startsWith('sha256:')) ?? '';
    expect(outcomes).toEqual({
      [`${prefix}-1`]: 'processed',
      [`${prefix}-2`]: 'consent_denied',
      [`${prefix}-3`]: 'consent_unknown',
      [`${prefix}-4`]: 'too_old',
      [`${prefix}-5`]: 'missing_identifiers',
      [`${prefix}-6`]: 'value_malformed',
      [`${prefix}-7`]: 'google_data_manager.click_not_found',
      [`${prefix}-8`]: 'time_unreadable',
      ...{ [`${prefix}-v0`]: 'value_malformed', [`${prefix}-v1`]: 'value_malformed' },
      ...{ [`${prefix}-t0`]: 'time_unreadable', [`${prefix}-t1`]: 'time_unreadable' },
      [personal]: 'id_personal',
    });
    expect(await stored()).toEqual([[`${prefix}-1`, 12.5]]);
    const { lastWeek, health } = await scenario.entry(id);
    expect({ lastWeek, health }).toMatchObject({
      lastWeek: { received: 13, eligible: 2, ineligible: 11, sent: 2, accepted: 2, processed: 1, unmatched: 1 },
      health: 'healthy',
    });
  });

  it('are sent as soon as they arrive while the conversion is active', async () => {
    const { id } = await scenario.conversion();
    await scenario.ran(id);
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
    await scenario.ran(id, 'succeeded', 2);
    expect(await scenario.outcomes(id)).toEqual({ [`${prefix}-1`]: 'accepted' });
  });

  it('count once for each person with the rule first_only', async () => {
    await scenario.pushApp.push([anOrder({ orderId: `${prefix}-1` }), anOrder({ orderId: `${prefix}-2` })]);
    const { id } = await scenario.conversion({ countRule: 'first_only' });
    await scenario.ran(id);
    await scenario.pushApp.push([
      anOrder({ orderId: `${prefix}-3` }),
      anOrder({ orderId: `${prefix}-4`, customer: { email: 'shopper4@example.com' } }),
    ]);
    // A push before the conversion was created may have started a run of its own.
    const outcomes = await eventually(
      () => scenario.outcomes(id),
      (found) => Object.keys(found).length === 4 && !Object.values(found).some((state) => ['queued', 'sent'].includes(state)),
    );
    expect(outcomes).toEqual({
      [`${prefix}-1`]: 'accepted',
      [`${prefix}-2`]: 'not_first',
      [`${prefix}-3`]: 'not_first',
      [`${prefix}-4`]: 'accepted',
    });
  });
});

describe('an order is counted once', () => {
  it.each([
    ['the platform fails after it stored the events', { fault: 'fail_after_storing' }],
    ['the connection breaks after it stored the events', { fault: 'fail_after_storing', drop: true }],
    ['the connection breaks before', { fault: 'drop_connection' }],
    ['the platform is unavailable', { fault: 'unavailable' }],
    ['the platform throttles', { fault: 'throttle' }],
  ])('although %s', async (_, fault) => {
    await sandbox.admin('faults', { provider: 'data-manager', times: 1, ...fault });
    await scenario.pushApp.push([anOrder({ orderId: `${prefix}-1` }), anOrder({ orderId: `${prefix}-2` })]);
    const { id } = await scenario.conversion();
    await scenario.ran(id, 'waiting');
    expect(await scenario.entry(id)).toMatchObject({
      failure: { class: expect.stringMatching(/transient|quota/) },
      waitingUntil: expect.any(String),
    });
    await scenario.runDue(id);
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({ [`${prefix}-1`]: 'processed', [`${prefix}-2`]: 'processed' });
    expect(await stored()).toEqual([
      [`${prefix}-1`, 12.5],
      [`${prefix}-2`, 12.5],
    ]);
    expect(await scenario.entry(id)).toMatchObject({
      ...{ failure: null, health: 'healthy', healthReason: 'No event rejected in 7 days' },
    });
  });
});

describe('a refund', () => {
  it('lowers the value of its order, also after an earlier one, and waits for its order', async () => {
    await scenario.pushApp.push([
      anOrder({ orderId: `${prefix}-r1`, refundOf: `${prefix}-1`, value: 2.5 }),
      anOrder({ orderId: `${prefix}-1` }),
      anOrder({ orderId: `${prefix}-r2`, refundOf: `${prefix}-1`, value: 4 }),
      anOrder({ orderId: `${prefix}-r3`, refundOf: `${prefix}-unknown`, value: 4 }),
    ]);
    const { id } = await scenario.conversion({ sendsAdjustments: true });
    await scenario.ran(id);
    expect((await scenario.outcomes(id))[`${prefix}-r1`]).toBe('waiting_for_original');
    // The second refund leaves after Google has processed the first.
    for (let run = 0; run < 3; run++) await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({
      [`${prefix}-1`]: 'adjusted',
      [`${prefix}-r1`]: 'processed',
      [`${prefix}-r2`]: 'processed',
      [`${prefix}-r3`]: 'waiting_for_original',
    });
    expect(await stored()).toEqual([[`${prefix}-1`, 6]]);
    const { body } = await scenario.organization.call.get<OrderSearch>(
      `${scenario.organization.path}/conversion-orders?search=${prefix}-1`,
    );
    expect(body.items[0]).toMatchObject({
      state: 'adjusted',
      history: expect.arrayContaining([
        expect.objectContaining({ state: 'queued' }),
        expect.objectContaining({ state: 'sent' }),
        expect.objectContaining({ state: 'processed' }),
      ]),
      requests: [expect.objectContaining({ state: 'processed', providerRequestId: expect.any(String) })],
      adjustments: [expect.objectContaining({ value: '2.5' }), expect.objectContaining({ value: '4' })],
    });
  });
});

describe('a rejected order', () => {
  it.each([0, 31])('that is replayed is followed by its refund, which arrived %i days ago', async (days) => {
    await sandbox.addFault({ provider: 'data-manager', fault: 'reject_events' });
    await scenario.pushApp.push([
      anOrder({ orderId: `${prefix}-1` }),
      anOrder({ orderId: `${prefix}-r1`, refundOf: `${prefix}-1`, value: 2.5 }),
      anOrder({ orderId: `${prefix}-r2`, refundOf: `${prefix}-1`, value: 4 }),
    ]);
    const { id } = await scenario.conversion({ sendsAdjustments: true });
    await scenario.ran(id, 'partial');
    expect(await scenario.events(id)).toMatchObject([
      { state: 'ineligible', code: 'original_not_sent' },
      { state: 'ineligible', code: 'original_not_sent' },
      { state: 'rejected' },
    ]);
    await sandbox.clearFaults();
    await app.database.query(
      `update conversion_events set received_at = received_at - make_interval(days => $2) where conversion_id = $1 and adjusts is not null`,
      [id, days],
    );
    await scenario.replay(id, { state: 'rejected' });
    await scenario.ran(id);
    for (let run = 0; run < 3; run++) await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({
      [`${prefix}-1`]: 'adjusted',
      [`${prefix}-r1`]: 'processed',
      [`${prefix}-r2`]: 'processed',
    });
    expect(await stored()).toEqual([[`${prefix}-1`, 6]]);
  });
});

describe('orders of which the platform counts only some', () => {
  it('say so, and keep nothing that was only stored until then', async () => {
    await sandbox.addFault({ provider: 'data-manager', fault: 'fail_events', everyNth: 2 });
    // More than are sent one by one.
    await scenario.pushApp.push(Array.from({ length: 102 }, (_, index) => anOrder({ orderId: `${prefix}-${index}` })));
    const { id } = await scenario.conversion();
    await scenario.ran(id);
    await app.database.query(`update conversion_events set private_fields = 'encrypted' where conversion_id = $1`, [id]);
    await scenario.runDue(id);
    const states = await app.database.query(
      'select distinct state, code, private_fields as fields from conversion_events where conversion_id = $1',
      [id],
    );
    expect(states).toEqual([{ state: 'accepted', code: 'conversions.partly_processed', fields: null }]);
  });
});

it('an upgrade deletes private fields of accepted events, except of those that the platform has yet to decide about', async () => {
  const { id } = await scenario.conversion();
  await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
  await eventually(
    () => scenario.outcomes(id),
    (outcomes) => outcomes[`${prefix}-1`] === 'accepted',
  );
  await app.database.query(`update conversion_events set private_fields = 'encrypted' where conversion_id = $1`, [id]);
  const afterUpgrade = async () => {
    await app.database.query(await readFile(UPGRADE, 'utf8'));
    return app.database.query('select private_fields as fields from conversion_events where conversion_id = $1', [id]);
  };
  expect(await afterUpgrade()).toEqual([{ fields: 'encrypted' }]);
  await app.database.query('update conversion_requests set next_status_at = null where conversion_id = $1', [id]);
  expect(await afterUpgrade()).toEqual([{ fields: null }]);
});

describe('a wrong setting or a lost sign-in', () => {
  it('keeps all events, says what to do, and sends them after reconnecting', async () => {
    await sandbox.admin('faults', { provider: 'data-manager', fault: 'revoke' });
    await sandbox.admin('faults', { provider: 'google-ads', fault: 'revoke' });
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
    const { id } = await scenario.conversion();
    await scenario.ran(id, 'failed');
    expect(await scenario.entry(id)).toMatchObject({
      ...{ health: 'needs_reauth', failedSide: 'target', healthReason: expect.stringMatching(/^Google .*[^.]$/) },
      failure: { class: 'auth', action: expect.stringContaining('Reconnect') },
    });
    await sandbox.clearFaults();
    expectStatus(await authorize(scenario.organization, scenario.googleAppId), 200);
    await scenario.ran(id);
    expect(await scenario.outcomes(id)).toEqual({ [`${prefix}-1`]: 'accepted' });
  });
});

describe('a setting that only a user can correct', () => {
  it('fails the run, keeps all events, and is not retried immediately', async () => {
    await sandbox.admin('faults', { provider: 'data-manager', fault: 'permission' });
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
    const { id } = await scenario.conversion();
    await scenario.ran(id, 'failed');
    const failing = {
      health: 'failing',
      healthReason: 'The connected Google user cannot send conversions to this account.',
      failure: { action: 'Give the user access in Google Ads' },
    };
    expect(await scenario.entry(id)).toMatchObject(failing);
    const { call, path } = scenario.organization;
    const { body } = await call.get<{ items: object[] }>(`${path}/conversions`);
    expect(body.items).toMatchObject([{ id, ...failing }]);
    expect(await scenario.events(id)).toMatchObject([{ state: 'queued', attempts: 0 }]);
    const next = () =>
      app.database.query<{ hours: number }>(
        `select extract(epoch from run_at - now()) / 3600 as hours from graphile_worker.jobs where key = $1 and locked_at is null`,
        [`conversion:${id}`],
      );
    expect(Number((await eventually(next, (jobs) => jobs.length > 0))[0]?.hours)).toBeGreaterThan(5);
    await sandbox.clearFaults();
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({ [`${prefix}-1`]: 'accepted' });
  });
});

it('an app that a conversion uses cannot be deleted', async () => {
  const { id } = await scenario.conversion();
  const { call, path } = scenario.organization;
  for (const appId of [scenario.googleAppId, scenario.pushApp.id]) {
    const { body } = expectStatus(await call.delete(`${path}/apps/${appId}`), 409);
    expect(body).toMatchObject({ code: 'app.in_use', action: 'Delete these conversions first' });
  }
  expectStatus(await call.delete(`${path}/conversions/${id}`), 204);
  expectStatus(await call.delete(`${path}/apps/${scenario.pushApp.id}`), 204);
});

describe('click uploads of the Google Ads API', () => {
  const uploading = () => ({ ...scenario.action.settings, api: 'google_ads_upload' });
  const targetWith = (settings: object) => ({ ...(scenario.rules()['target'] as object), settings });

  it('that Google does not allow name the one action, and the events are sent by the Data Manager API after it is chosen', async () => {
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
    const created = await scenario.conversion({}, { target: targetWith(uploading()) });
    await scenario.ran(created.id, 'failed');
    const { failure, version } = await scenario.entry(created.id);
    expect(failure).toMatchObject({
      class: 'config',
      code: 'google_ads_upload.not_allowlisted',
      action: 'Use the Data Manager API',
    });
    expect(await scenario.outcomes(created.id)).toEqual({ [`${prefix}-1`]: 'queued' });
    const { call, path } = scenario.organization;
    expectStatus(await call.patch(`${path}/conversions/${created.id}`, { rules: scenario.rules(), version }), 200);
    await scenario.ran(created.id);
    expect(await scenario.outcomes(created.id)).toEqual({ [`${prefix}-1`]: 'accepted' });
    expect(await stored()).toEqual([[`${prefix}-1`, 12.5]]);
  });

  it('that Google refuses to the installation name the operator, and the app stays connected', async () => {
    await sandbox.addFault({ fault: 'refuse_project', category: 'authenticationError', code: 'ORGANIZATION_NOT_APPROVED' });
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
    const { id } = await scenario.conversion({}, { target: targetWith(uploading()) });
    await scenario.ran(id, 'failed');
    const toOperator = { class: 'config', action: 'Contact the operator of this installation' };
    expect(await scenario.entry(id)).toMatchObject({ health: 'failing', failure: toOperator });
    const { call, path } = scenario.organization;
    expect((await call.get(`${path}/apps/${scenario.googleAppId}`)).body).toMatchObject({ state: 'connected', failure: null });
  });

  it('send orders with their own outcomes, and a full refund removes the conversion', async () => {
    await sandbox.addFault({ provider: 'google-ads', fault: 'allow_click_uploads' });
    await scenario.pushApp.push([
      anOrder({ orderId: `${prefix}-1`, at: daysBefore(3) }),
      anOrder({ orderId: `${prefix}-2`, customer: { email: 'unknown.buyer@shop.example' } }),
      anOrder({ orderId: `${prefix}-3`, refundOf: `${prefix}-1`, value: 12.5 }),
    ]);
    const { id } = await scenario.conversion({ sendsAdjustments: true }, { target: targetWith(uploading()) });
    await scenario.ran(id);
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({
      [`${prefix}-1`]: 'adjusted',
      [`${prefix}-2`]: 'google_ads_upload.click_not_found',
      [`${prefix}-3`]: 'accepted',
    });
    expect(await scenario.received()).toContainEqual(
      expect.objectContaining({ transactionId: expect.stringContaining(`${prefix}-1`), isRetracted: true }),
    );
  });

  it('run only when there is something to do after they replace the Data Manager API, whose last requests are closed', async () => {
    await scenario.pushApp.push(anOrder({ orderId: `${prefix}-1` }));
    const { id } = await scenario.conversion();
    await scenario.ran(id);
    await sandbox.addFault({ provider: 'google-ads', fault: 'allow_click_uploads' });
    await scenario.change(id, { ...scenario.rules(), target: targetWith(uploading()) });
    await scenario.runDue(id);
    await scenario.isQuiet(id);
    expect(await scenario.events(id)).toMatchObject([{ state: 'accepted', code: 'conversions.result_unknown' }]);
    const requests = await app.database.query('select state from conversion_requests where conversion_id = $1', [id]);
    expect(requests).toEqual([{ state: 'unknown' }]);
  });

  it('is an explicit choice of two', async () => {
    const { call, path } = scenario.organization;
    const rules = { ...scenario.rules(), target: targetWith({ ...scenario.action.settings, api: 'other' }) };
    expectStatus(await call.post(`${path}/conversion-setup/preview`, rules), 400);
    expect(scenario.action.settings).toMatchObject({ api: 'data_manager' });
  });
});
