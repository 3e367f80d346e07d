import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PreparedEvent } from '../../../src/connectors/kit/conversion.js';
import type { ConversionTarget } from '../../../src/connectors/kit/conversion-target.js';
import { aContext } from '../context.js';
import { daysAgo, eligible } from '../conversions/conversion-events.js';
import { altered, anOrder, countStates } from '../conversions/sending.js';
import { startMicrosoftConversionsSandbox, type MicrosoftConversionsSandbox } from './microsoft-conversions-sandbox.js';

let sandbox: MicrosoftConversionsSandbox;
let msclkid: string;
beforeAll(async () => {
  sandbox = await startMicrosoftConversionsSandbox();
  msclkid = (await sandbox.aClick()).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.newRows();
});
afterAll(() => sandbox.stop());

const occurredAt = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const order = (target: ConversionTarget, id: string, minutes: number) =>
  eligible(target.prepare(anOrder(id, { identifiers: { msclkid }, occurredAt: occurredAt(minutes) }), new Date()));
const refund = (original: PreparedEvent, minutes: number, value: string) => ({
  id: `${original.id}-refund`,
  original,
  originalOccurredAt: occurredAt(minutes),
  occurredAt: new Date(),
  value,
  currency: 'EUR',
});

/** The original as the platform has it now. */
async function present(id: string, kind: string) {
  const { rows } = await sandbox.admin<{ rows: Awaited<ReturnType<MicrosoftConversionsSandbox['newRows']>> }>(
    'microsoft-ads/received?limit=1000000',
  );
  return rows.find(
    ({ row, ...one }) =>
      one.kind === kind && one.outcome === 'attributed' && (row['ConversionTime'] === id || row['eventId'] === id),
  );
}

describe('an adjustment', () => {
  it('of an event that is too old, or in the future, is not sent', async () => {
    const target = await sandbox.target();
    const original = order(target, 'late', 30);
    const prepare = (changes: object) => target.prepareAdjustment!({ ...refund(original, 30, '1'), ...changes }, new Date());
    expect(prepare({ originalOccurredAt: daysAgo(91, new Date()) })).toMatchObject({ reason: 'too_old' });
    expect(prepare({ occurredAt: occurredAt(-10) })).toMatchObject({ reason: 'in_future' });
    expect(prepare({ value: '-1' })).toMatchObject({ reason: 'value_negative' });
    expect(prepare({ value: '' })).toMatchObject({ reason: 'value_missing' });
    expect(prepare({ isRemoved: true })).toMatchObject({ reason: 'already_removed' });
  });

  it('of a goal that cannot be adjusted is rejected with the reason', async () => {
    const target = await sandbox.target({ goal: 'Renewal' });
    const original = order(target, 'renewal', 31);
    await target.send(aContext(), [original]);
    const adjustment = eligible(target.prepareAdjustment!(refund(original, 31, '5'), new Date()));
    const result = await target.sendAdjustments!(aContext(), [adjustment]);
    expect(result).toMatchObject({
      outcomes: [{ state: 'rejected', isRetryable: false, message: 'Conversions of this goal cannot be adjusted.' }],
      stoppedBy: null,
    });
  });

  it('whose answer is lost has an unknown outcome', async () => {
    const target = await sandbox.target();
    const original = order(target, 'unknown', 32);
    await target.send(aContext(), [original]);
    await sandbox.fail('fail_after_applying', { event: 'offline_adjustments' });
    const adjustment = eligible(target.prepareAdjustment!(refund(original, 32, '5'), new Date()));
    expect(countStates(await target.sendAdjustments!(aContext(), [adjustment]))).toEqual({ unknown: 1 });
  });

  it('that is not valid among others is rejected alone', async () => {
    const target = await sandbox.target();
    const originals = [33, 34].map((minutes) => order(target, `pair-${minutes}`, minutes));
    await target.send(aContext(), originals);
    const [first, second] = originals.map((original) =>
      eligible(target.prepareAdjustment!(refund(original, 33, '5'), new Date())),
    );
    const bad = altered(first!, { AdjustmentCurrencyCode: 'XXQ' });
    const { outcomes } = await target.sendAdjustments!(aContext(), [bad, second!]);
    expect(outcomes.map(({ state }) => state)).toEqual(['rejected', 'accepted']);
  });
});

describe('the time of an adjustment', () => {
  it('is that of sending if the clock of the shop is a few minutes ahead', async () => {
    const target = await sandbox.target();
    const original = order(target, 'ahead', 36);
    await target.send(aContext(), [original]);
    const now = new Date();
    const adjustment = eligible(target.prepareAdjustment!({ ...refund(original, 36, '5'), occurredAt: occurredAt(-4) }, now));
    expect(adjustment.payload).toMatchObject({ AdjustmentTime: now.toISOString() });
    expect(countStates(await target.sendAdjustments!(aContext(), [adjustment]))).toEqual({ accepted: 1 });
  });
});

describe.each([
  ['an offline conversion', 'Closed deal', 'offline', 40],
  ['a UET event', 'Newsletter sign-up', 'uet', 41],
])('a refund of %s', (_, goal, kind, minutes) => {
  it('restates the value of the rest, then retracts the conversion', async () => {
    const target = await sandbox.target({ goal });
    const original = order(target, `refunded-${kind}`, minutes);
    await target.send(aContext(), [original]);
    const key = kind === 'offline' ? String(original.payload['ConversionTime']) : original.id;
    expect(await present(key, kind)).toMatchObject({ value: 49.9, currency: 'EUR', isCounted: true });
    const send = async (value: string) => {
      const adjustment = eligible(target.prepareAdjustment!(refund(original, minutes, value), new Date()));
      return [adjustment.payload, await target.sendAdjustments!(aContext(), [adjustment])] as const;
    };
    const [restate, restated] = await send('20.00');
    expect(restate).toMatchObject({ AdjustmentType: 'Restate', AdjustmentValue: 20, AdjustmentCurrencyCode: 'EUR' });
    expect(countStates(restated)).toEqual({ accepted: 1 });
    expect(await present(key, kind)).toMatchObject({ value: 20, isRetracted: false });
    const [retract, retracted] = await send('0');
    expect(retract).not.toHaveProperty('AdjustmentValue');
    expect(retract).toMatchObject({ AdjustmentType: 'Retract' });
    expect(countStates(retracted)).toEqual({ accepted: 1 });
    expect(await present(key, kind)).toMatchObject({ isRetracted: true, isCounted: false });
  });
});
