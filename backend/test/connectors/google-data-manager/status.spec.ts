import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import protobuf from 'protobufjs';
import type { PreparedEvent } from '../../../src/connectors/kit/conversion.js';
import type { ConversionTarget, SendResult } from '../../../src/connectors/kit/conversion-target.js';
import { aContext } from '../context.js';
import { daysAgo, eligible } from '../conversions/conversion-events.js';
import { anOrder, prepared, preparedMany } from '../conversions/sending.js';
import { problemsOf } from '../proto-json.js';
import { startRecordingProxy } from '../recording-proxy.js';
import { startGoogleSandbox, type GoogleSandbox } from './google-sandbox.js';

let sandbox: GoogleSandbox;
let gclid: string;
beforeAll(async () => {
  sandbox = await startGoogleSandbox();
  gclid = await sandbox.gclid('9001000012');
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.admin('data-manager/settings', { processingSeconds: 0 });
});
afterAll(() => sandbox.stop());

const clicked = () => ({ identifiers: { gclid } });

function requestIdOf({ outcomes: [first] }: SendResult): string {
  if (first?.state !== 'pending') throw new Error(`the event is ${first?.state ?? 'missing'}`);
  return first.requestId;
}

const sendAll = async (target: ConversionTarget, events: PreparedEvent[]) => requestIdOf(await target.send(aContext(), events));

describe('the status of a request', () => {
  it('cannot be read if Google does not know the request', async () => {
    const target = await sandbox.target();
    await expect(target.status!(aContext(), 'unknown')).rejects.toMatchObject({
      name: 'FixSettings',
      code: 'google_data_manager.invalid_request_id',
    });
  });

  it('is not final while Google processes the request', async () => {
    await sandbox.admin('data-manager/settings', { processingSeconds: 3_600 });
    const target = await sandbox.target();
    const requestId = await sendAll(target, [prepared(target, 'processing', clicked())]);
    expect(await target.status!(aContext(), requestId)).toEqual({ state: 'processing' });
  });

  it('is accepted, unmatched or rejected for a request with one event', async () => {
    await sandbox.admin('data-manager/settings', { processingSeconds: 0 });
    const target = await sandbox.target();
    const stateOf = async (event: PreparedEvent) => {
      const status = await target.status!(aContext(), await sendAll(target, [event]));
      return status.state === 'done' ? status.outcome.state : status.state;
    };
    expect(await stateOf(prepared(target, 'one-accepted', clicked()))).toBe('accepted');
    const strangers = { identifiers: { email: 'nobody@example.com' } };
    expect(await stateOf(prepared(target, 'one-unmatched', strangers))).toBe('unmatched');
    await sandbox.fail('fail_events', { reasons: ['TOO_RECENT_CLICK'] });
    expect(await stateOf(prepared(target, 'one-rejected', clicked()))).toBe('rejected');
  });

  it('counts the outcomes of a request with several events', async () => {
    await sandbox.admin('data-manager/settings', { processingSeconds: 0 });
    const target = await sandbox.target();
    await sandbox.fail('fail_events', { everyNth: 2, reasons: ['CLICK_NOT_FOUND', 'INTERNAL_ERROR'] });
    const requestId = await sendAll(target, preparedMany(target, 'several', 6, clicked()));
    const status = await target.status!(aContext(), requestId);
    expect(status).toMatchObject({ state: 'partly_done' });
    const counts = status.state === 'partly_done' ? status.counts : [];
    expect(counts.map(({ outcome, events }) => [outcome.state, events])).toEqual([
      ['accepted', 3],
      ['unmatched', 2],
      ['rejected', 1],
    ]);
    expect(await sandbox.stored('ord-several-')).toHaveLength(3);
  });
});

describe('an adjustment', () => {
  const order = { occurredAt: daysAgo(1, new Date()), value: '49.90', currency: 'USD' };
  const adjustmentOf = (original: PreparedEvent, value: string, originalOccurredAt = order.occurredAt) => ({
    id: `${original.id}-refund`,
    original,
    originalOccurredAt,
    occurredAt: new Date(),
    value,
    currency: 'USD',
  });

  it('of an event that is too old is not sent', async () => {
    const target = await sandbox.target();
    const original = prepared(target, 'old-order', clicked());
    expect(target.prepareAdjustment!(adjustmentOf(original, '10', daysAgo(91, new Date())), new Date())).toMatchObject({
      state: 'ineligible',
      reason: 'too_old',
    });
  });

  it.each(['', '-5', 'ten'])('to the value "%s" is not sent', async (value) => {
    const target = await sandbox.target();
    const original = prepared(target, 'bad-value', clicked());
    expect(target.prepareAdjustment!(adjustmentOf(original, value), new Date())).toMatchObject({ state: 'ineligible' });
  });

  it('replaces the value of the conversion, down to 0, and keeps it counted', async () => {
    const target = await sandbox.target();
    const original = eligible(
      target.prepare(anOrder('refunded', { ...clicked(), ...order, occurredAt: daysAgo(1 / 24, new Date()) }), new Date()),
    );
    await target.send(aContext(), [original]);
    for (const value of ['20.00', '0']) {
      const adjustment = eligible(target.prepareAdjustment!(adjustmentOf(original, value), new Date()));
      expect(adjustment.id).toBe('refunded-refund');
      const result = await target.sendAdjustments!(aContext(), [adjustment]);
      expect(result.outcomes).toMatchObject([{ state: 'pending' }]);
      const stored = await sandbox.stored('ord-refunded');
      expect(stored).toMatchObject([{ value: Number(value), currency: 'USD' }]);
    }
    const { versions } = (await sandbox.stored('ord-refunded'))[0]!;
    expect(versions.map(({ value }) => value)).toEqual([49.9, 20, 0]);
    const toZero = eligible(target.prepareAdjustment!(adjustmentOf(original, '0'), new Date()));
    expect(toZero.notes).toMatchObject([{ code: 'still_counted' }]);
  });
});

it('requests of all kinds are messages of the API', async () => {
  const file = createRequire(import.meta.url).resolve('@google-ads/datamanager/build/protos/protos.json');
  const root = protobuf.Root.fromJSON(JSON.parse(readFileSync(file, 'utf8')) as protobuf.INamespace);
  const message = root.lookupType('google.ads.datamanager.v1.IngestEventsRequest');
  const proxy = await startRecordingProxy(sandbox.url);
  const target = await sandbox.target({ url: `${proxy.url}/data-manager` });
  const person = {
    gclid,
    email: 'jane@example.com',
    phone: '+1 650 555 1212',
    firstName: 'Jane',
    lastName: 'Doe',
    country: 'US',
    postalCode: '94035',
  };
  const event = prepared(target, 'proto', { identifiers: person });
  await target.validate!(aContext(), [event]);
  await target.send(aContext(), [event]);
  const adjustment = { id: 'a', original: event, originalOccurredAt: daysAgo(1, new Date()), occurredAt: new Date() };
  const refund = eligible(target.prepareAdjustment!({ ...adjustment, value: '1', currency: 'USD' }, new Date()));
  await target.sendAdjustments!(aContext(), [refund]);
  await proxy.stop();
  expect(proxy.requests).toHaveLength(3);
  for (const { body } of proxy.requests) expect(problemsOf(message, body)).toEqual([]);
});
