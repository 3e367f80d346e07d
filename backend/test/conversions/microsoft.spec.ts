import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConversionTargetChoices } from '../../src/conversions/preview/preview.dto.js';
import { eventually } from '../factories.js';
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
  await sandbox.clearFaults();
  scenario = await ConversionScenario.create(app, sandbox);
});

describe('Microsoft', () => {
  const rulesFor = async (kind: string) => {
    const goal = await scenario.target('microsoft_ads', '180500011', kind);
    const { clickId } = await sandbox.admin<{ clickId: string }>('microsoft-ads/clicks', {
      ...{ accountId: '180500011', minutesAgo: 3_000 },
    });
    const rules = scenario.rules({ target: goal, sendsAdjustments: true });
    Object.assign(rules['mapping'] as object, { msclkid: { field: 'msclkid' }, currency: { field: 'currency' } });
    const order = (orderId: string, overrides: object = {}) =>
      anOrder({ ...{ orderId, msclkid: clickId, currency: 'EUR' }, ...overrides });
    return { rules, order };
  };

  it('removes duplicates only for goals that are not UET goals, and each goal says so', async () => {
    await rulesFor('UET goal');
    const { call, path } = scenario.organization;
    const apps = await call.get<{ items: { id: string; provider: string }[] }>(`${path}/apps`);
    const appId = apps.body.items.find(({ provider }) => provider === 'microsoft_ads')?.id;
    const { body } = await call.post<ConversionTargetChoices>(`${path}/conversion-setup/targets`, {
      appId,
      accountId: '180500011',
    });
    for (const { kind, removesDuplicates } of body.items) expect([kind, removesDuplicates]).toEqual([kind, kind !== 'UET goal']);
    expect(new Set(body.items.map(({ kind }) => kind)).size).toBe(2);
  });

  it('receives an order once, and a full refund retracts it', async () => {
    const { rules, order } = await rulesFor('offline goal');
    await scenario.pushApp.push([order('ms-1'), order('ms-refund', { refundOf: 'ms-1' })]);
    const { id } = await scenario.conversion({}, rules);
    await scenario.ran(id);
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({ 'ms-1': 'adjusted', 'ms-refund': 'accepted' });
    // Microsoft never says what it counted.
    const { target, lastWeek } = await scenario.entry(id);
    expect({ target, lastWeek }).toMatchObject({ target: { reportsResults: false }, lastWeek: { accepted: 2, processed: 0 } });
    const { body } = await scenario.organization.call.get(`${scenario.organization.path}/conversions/${id}/funnel`);
    expect(body).toMatchObject({ total: { accepted: 2, processed: 0 } });
  });

  it('receives no refund of an order without a value or in another currency, and the refunds say why', async () => {
    const { rules, order } = await rulesFor('offline goal');
    await scenario.pushApp.push([
      order('free-1', { value: null }),
      order('free-refund', { refundOf: 'free-1', value: 2 }),
      order('euro-1', { at: daysBefore(1.1) }),
      order('dollar-refund', { refundOf: 'euro-1', value: 2, currency: 'USD' }),
    ]);
    const { id } = await scenario.conversion({}, rules);
    await scenario.ran(id);
    expect(await scenario.detail(id, 'free-1')).toMatchObject({ state: 'accepted', value: null });
    expect(await scenario.detail(id, 'free-refund')).toMatchObject({
      ...{ state: 'ineligible', code: 'value_missing' },
      message: 'The order of this refund has no value, so the value that remains is not known.',
    });
    expect(await scenario.detail(id, 'euro-1')).toMatchObject({ state: 'accepted' });
    expect(await scenario.detail(id, 'dollar-refund')).toMatchObject({
      ...{ state: 'ineligible', code: 'currency_differs' },
      message: 'The refund is in USD and its order in EUR.',
    });
  });

  it('receives a refund from the future when its time has come', async () => {
    const { rules, order } = await rulesFor('offline goal');
    await scenario.pushApp.push([order('now-1'), order('later-refund', { refundOf: 'now-1', value: 2, at: daysBefore(-2) })]);
    const { id } = await scenario.conversion({}, rules);
    await scenario.ran(id);
    expect(await scenario.detail(id, 'later-refund')).toMatchObject({ state: 'retrying', code: 'in_future', attempts: 0 });
    await app.database.query(
      `update conversion_events set occurred_at = now(), next_attempt_at = now() where conversion_id = $1 and adjusts is not null`,
      [id],
    );
    await scenario.runDue(id);
    expect(await scenario.outcomes(id)).toEqual({ 'now-1': 'adjusted', 'later-refund': 'accepted' });
  });

  it('receives a refund with what remains after an earlier one that Microsoft never took', async () => {
    const { rules, order } = await rulesFor('offline goal');
    await scenario.pushApp.push(order('left-1', { value: 100 }));
    const { id } = await scenario.conversion({}, rules);
    await scenario.ran(id);
    await scenario.pushApp.push(order('left-refund-1', { refundOf: 'left-1', value: 40 }));
    await sandbox.addFault({ provider: 'microsoft-ads', fault: 'server_error', event: 'offline_adjustments', times: 1 });
    await scenario.ran(id, 'waiting');
    expect(await scenario.detail(id, 'left-refund-1')).toMatchObject({ state: 'retrying', attempts: 1 });
    await app.database.query(
      `update conversion_events set state = 'dead', next_attempt_at = null where conversion_id = $1 and adjusts is not null`,
      [id],
    );
    await scenario.pushApp.push(order('left-refund-2', { refundOf: 'left-1', value: 30 }));
    await scenario.runDue(id);
    expect(await scenario.detail(id, 'left-refund-2')).toMatchObject({ state: 'accepted', payload: { AdjustmentValue: 30 } });
  });

  it('receives no value that is given back after a full refund, because it does not restore what was removed', async () => {
    const { rules, order } = await rulesFor('offline goal');
    await scenario.pushApp.push([order('gone-1', { value: 100 }), order('gone-refund', { refundOf: 'gone-1', value: -100 })]);
    const { id } = await scenario.conversion({}, rules);
    await scenario.ran(id);
    await scenario.runDue(id);
    await scenario.pushApp.push(order('gone-back', { refundOf: 'gone-1', value: 100 }));
    await scenario.runDue(id);
    expect(await scenario.detail(id, 'gone-refund')).toMatchObject({ state: 'accepted' });
    expect(await scenario.detail(id, 'gone-back')).toMatchObject({ state: 'ineligible', code: 'already_removed' });
  });

  it('that throttles refunds uses up none of their attempts', async () => {
    const { rules, order } = await rulesFor('offline goal');
    await scenario.pushApp.push(order('slow-1'));
    const { id } = await scenario.conversion({}, rules);
    await scenario.ran(id);
    await sandbox.addFault({ provider: 'microsoft-ads', fault: 'throttle', event: 'offline_adjustments' });
    await scenario.pushApp.push(order('slow-refund', { refundOf: 'slow-1', value: 2 }));
    await scenario.ran(id, 'waiting');
    expect(await scenario.detail(id, 'slow-refund')).toMatchObject({ state: 'queued', attempts: 0 });
  });

  it('receives a refund again after a lost answer or a crash although UET events are held, because it has the same result', async () => {
    const { rules, order } = await rulesFor('UET goal');
    await scenario.pushApp.push(order('uet-1'));
    const { id } = await scenario.conversion({ onUnknownOutcome: 'hold' }, rules);
    await scenario.ran(id);
    await sandbox.addFault({
      ...{ provider: 'microsoft-ads', fault: 'fail_after_applying', event: 'online_adjustments', drop: true, times: 1 },
    });
    await scenario.pushApp.push(order('uet-refund', { refundOf: 'uet-1', value: 2 }));
    await scenario.ran(id, 'waiting');
    expect(await scenario.detail(id, 'uet-refund')).toMatchObject({ state: 'retrying', attempts: 1, notes: [] });
    // As after a crash of the worker.
    await app.database.query(
      `update conversion_events set state = 'sent', next_attempt_at = null where conversion_id = $1 and adjusts is not null`,
      [id],
    );
    await scenario.runDue(id);
    expect(await scenario.detail(id, 'uet-refund')).toMatchObject({ state: 'accepted', notes: [] });
  });

  it('receives orders that waited under the name of the goal that was chosen after theirs was renamed', async () => {
    const { rules, order } = await rulesFor('offline goal');
    const goal = rules['target'] as { settings: object };
    const renamed = { ...goal, settings: { ...goal.settings, goalName: 'Before it was renamed' } };
    await scenario.pushApp.push(order('renamed-1'));
    const { id } = await scenario.conversion({}, { ...rules, target: renamed });
    const [failed] = await scenario.ran(id, 'failed');
    expect(failed?.failure).toMatchObject({ action: 'Choose another goal' });
    await scenario.change(id, rules);
    await scenario.ran(id);
    expect(await scenario.outcomes(id)).toEqual({ 'renamed-1': 'accepted' });
    await scenario.pushApp.push(order('renamed-refund', { refundOf: 'renamed-1', value: 2.5 }));
    await eventually(
      () => scenario.outcomes(id),
      (outcomes) => outcomes['renamed-refund'] === 'accepted',
    );
  });
});
