import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { daysAgo, eligible } from '../conversions/conversion-events.js';
import {
  altered,
  anOrder,
  closedAddress,
  countStates,
  prepared,
  preparedMany,
  tokensOf,
  unreachableTokens,
} from '../conversions/sending.js';
import { aContext } from '../context.js';
import type { Quota } from '../../../src/connectors/kit/contract.js';
import {
  shop,
  startMetaConversionsSandbox,
  type MetaConversionsSandbox,
  type ReceivedEvent,
} from './meta-conversions-sandbox.js';

let sandbox: MetaConversionsSandbox;
beforeAll(async () => void (sandbox = await startMetaConversionsSandbox()));
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

const idsOf = (events: ReceivedEvent[], outcome: ReceivedEvent['outcome']) =>
  events
    .filter((event) => event.outcome === outcome)
    .map(({ id }) => id)
    .sort();

describe('an invalid event', () => {
  it('of eight days ago among 500 is explained, and the others are delivered once each', async () => {
    const target = sandbox.target();
    const events = preparedMany(target, 'batch', 500);
    const eightDaysAgo = daysAgo(8, new Date());
    // It was young enough when it was prepared.
    events[137] = eligible(target.prepare(anOrder('batch-old', { occurredAt: eightDaysAgo }), daysAgo(3, new Date())));
    const context = aContext();
    const result = await target.send(context, events);
    expect(countStates(result)).toEqual({ accepted: 499, rejected: 1 });
    expect(result.stoppedBy).toBeNull();
    expect(result.outcomes[137]).toEqual({
      state: 'rejected',
      code: 'meta_conversions.invalid_2804003',
      message: 'Meta rejects the event, because it is older than 7 days (62 days for events in stores).',
      isRetryable: false,
      retryAfterSeconds: null,
    });
    const sent = events.filter((_, index) => index !== 137).map(({ id }) => id);
    expect(idsOf(await sandbox.received('batch'), 'counted')).toEqual(sent.sort());
    expect(context.requests.length).toBeLessThanOrEqual(20);
  });

  it.each([
    ['with identifiers of too many people', { user_data: { client_user_agent: 'Mozilla/5.0' } }, 'invalid_2804050'],
    ['without a value', { custom_data: {} }, 'invalid_2804019'],
    ['of an unknown source', { action_source: 'dream' }, 'invalid_parameter'],
  ])('%s is found by halving', async (name, changes, code) => {
    const prefix = name.replaceAll(' ', '');
    const target = sandbox.target();
    const events = preparedMany(target, prefix, 9);
    events[4] = altered(events[4]!, changes);
    const result = await target.send(aContext(), events);
    expect(countStates(result)).toEqual({ accepted: 8, rejected: 1 });
    expect(result.outcomes[4]).toMatchObject({ state: 'rejected', code: `meta_conversions.${code}` });
    expect(idsOf(await sandbox.received(prefix), 'counted')).toHaveLength(8);
  });

  it('that Meta rejects for a reason of its own is found by halving', async () => {
    const target = sandbox.target();
    await sandbox.fail('reject_event', { eventId: 'own-3', subcode: 2_804_071 });
    const result = await target.send(aContext(), preparedMany(target, 'own', 6));
    expect(result.outcomes[3]).toMatchObject({ state: 'rejected', code: 'meta_conversions.invalid_2804071' });
    expect(idsOf(await sandbox.received('own'), 'counted')).toEqual(['own-0', 'own-1', 'own-2', 'own-4', 'own-5']);
  });
});

describe('an answer that is lost', () => {
  it.each([
    ['is a server error', {}],
    ['is not sent at all', { drop: true }],
  ])('%s after the events were stored: their outcome is unknown', async (name, parameters) => {
    const prefix = name.replaceAll(' ', '');
    const target = sandbox.target();
    await sandbox.fail('fail_after_applying', parameters);
    const result = await target.send(aContext(), preparedMany(target, prefix, 3));
    expect(countStates(result)).toEqual({ unknown: 3 });
    expect(result.stoppedBy).toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
    expect(idsOf(await sandbox.received(prefix), 'counted')).toHaveLength(3);
    expect(target.traits.resend).toBe('may_count_twice');
  });

  it('during halving does not send again what was accepted before', async () => {
    const target = sandbox.target();
    const events = preparedMany(target, 'halved', 8);
    events[7] = altered(events[7]!, { action_source: 'dream' });
    // The first part, events 0 to 3, is accepted. The answer to the part after it is lost.
    await sandbox.fail('fail_after_applying', { drop: true, afterRequests: 1, times: 1 });
    const { outcomes } = await target.send(aContext(), events);
    expect(outcomes.map(({ state }) => state)).toEqual([
      ...['accepted', 'accepted', 'accepted', 'accepted'],
      ...['unknown', 'unknown', 'not_sent', 'not_sent'],
    ]);
    expect(idsOf(await sandbox.received('halved'), 'counted')).toEqual(events.slice(0, 6).map(({ id }) => id));
  });

  it('takes longer than the time-out: the outcome is unknown', async () => {
    const target = sandbox.target({ answerTimeoutMs: 100 });
    await sandbox.fail('hold');
    const result = await target.send(aContext(), [prepared(target, 'slow')]);
    expect(result).toMatchObject({ outcomes: [{ state: 'unknown', code: 'http.timeout' }], stoppedBy: { name: 'RetryLater' } });
  });

  it('comes from a gateway as HTML: the outcome is unknown', async () => {
    const target = sandbox.target();
    await sandbox.fail('bad_gateway');
    const result = await target.send(aContext(), [prepared(target, 'gateway')]);
    expect(result).toMatchObject({
      outcomes: [{ state: 'unknown', code: 'meta_conversions.temporary_error' }],
      stoppedBy: { name: 'RetryLater' },
    });
  });

  it('says that fewer events arrived, but not which: they count as taken, with a code', async () => {
    const target = sandbox.target();
    await sandbox.fail('fewer_events_received', { missing: 2 });
    const result = await target.send(aContext(), preparedMany(target, 'fewer', 5));
    expect(countStates(result)).toEqual({ accepted: 5 });
    expect(result.outcomes[0]).toMatchObject({
      code: 'conversions.partly_processed',
      message: 'Meta received 3 of the 5 events of the request, and does not say which.',
    });
    expect(result.stoppedBy).toBeNull();
  });

  it('says that no event arrived: their outcome is unknown', async () => {
    const target = sandbox.target();
    await sandbox.fail('fewer_events_received', { missing: 5 });
    const result = await target.send(aContext(), preparedMany(target, 'none', 5));
    expect(countStates(result)).toEqual({ unknown: 5 });
    expect(result.outcomes[0]).toMatchObject({ code: 'meta_conversions.fewer_events_received' });
  });

  it('does not count as sent if no connection was established, or the token could not be renewed', async () => {
    const refused = sandbox.target({ graphUrl: await closedAddress() });
    expect(countStates(await refused.send(aContext(), [prepared(refused, 'refused')]))).toEqual({ not_sent: 1 });
    const withoutToken = sandbox.target({ tokens: unreachableTokens });
    expect(countStates(await withoutToken.send(aContext(), [prepared(withoutToken, 'token')]))).toEqual({ not_sent: 1 });
  });
});

describe('errors that are not in the events keep them unsent', () => {
  it.each<[string, string, Record<string, unknown>, object]>([
    ['the token is no longer valid', 'revoke', { user: 'limited@example.com' }, { name: 'ReconnectNeeded' }],
    ['Meta throttles', 'throttle', { waitMinutes: 3 }, { name: 'RetryLater', failureClass: 'quota', retryAfterSeconds: 180 }],
    ['the token is of another dataset', 'other_dataset', {}, { name: 'FixSettings', code: 'meta_conversions.dataset_unknown' }],
    ['access was removed', 'permission', { accountId: '310000000000011' }, { code: 'meta_conversions.permission_denied' }],
  ])('%s', async (name, fault, parameters, error) => {
    const prefix = name.replaceAll(' ', '');
    const target = sandbox.target({ tokens: await sandbox.signInTo('limited@example.com', ['ads_management']) });
    await sandbox.fail(fault, parameters);
    const result = await target.send(aContext(), preparedMany(target, prefix, 2));
    expect(countStates(result)).toEqual({ not_sent: 2 });
    expect(result.stoppedBy).toMatchObject(error);
    expect(await sandbox.received(prefix)).toEqual([]);
  });

  it('the limit of the account is reached: the rest of the batch waits until it is reset', async () => {
    const target = sandbox.target();
    await sandbox.fail('load', { percent: 100 });
    const result = await target.send(aContext(), preparedMany(target, 'limit', 2));
    expect(countStates(result)).toEqual({ not_sent: 2 });
    expect(result.stoppedBy).toMatchObject({ name: 'RetryLater', failureClass: 'quota', retryAfterSeconds: 300 });
    expect(await sandbox.received('limit')).toEqual([]);
  });

  it('a token is invalid', async () => {
    const target = sandbox.target({ tokens: tokensOf('not-a-token') });
    const result = await target.send(aContext(), [prepared(target, 'invalid-token')]);
    expect(result).toMatchObject({
      outcomes: [{ state: 'not_sent' }],
      stoppedBy: { name: 'ReconnectNeeded', action: 'Reconnect with Meta' },
    });
  });

  it('the permission ads_management was not granted', async () => {
    const target = sandbox.target({ tokens: await sandbox.signInTo('demo@example.com', ['ads_read']) });
    const result = await target.send(aContext(), [prepared(target, 'read-only')]);
    expect(result).toMatchObject({
      outcomes: [{ state: 'not_sent' }],
      stoppedBy: { failureClass: 'config', name: 'FixSettings' },
    });
  });

  it('the app secret is wrong', async () => {
    const target = sandbox.target({ appSecret: 'another-secret' });
    const result = await target.send(aContext(), preparedMany(target, 'secret', 2));
    expect(countStates(result)).toEqual({ not_sent: 2 });
    expect(result.stoppedBy).toMatchObject({ name: 'FixSettings', code: 'meta_conversions.app_secret_wrong' });
    expect(await sandbox.received('secret')).toEqual([]);
  });
});

it('an abort ends the request with its reason', async () => {
  const target = sandbox.target();
  await sandbox.fail('hold');
  const abort = new AbortController();
  const reason = new Error('the worker stops');
  const context = { ...aContext(), signal: abort.signal };
  const sending = target.send(context, [prepared(target, 'aborted')]);
  abort.abort(reason);
  await expect(sending).rejects.toBe(reason);
});

it('a test code marks the events, which are counted nevertheless', async () => {
  const target = sandbox.target({ testCode: 'TEST123' });
  await target.send(aContext(), [prepared(target, 'test-code')]);
  expect(await sandbox.received('test-code')).toMatchObject([{ outcome: 'counted', testEventCode: 'TEST123' }]);
});

it('a token of one dataset is sufficient', async () => {
  const target = sandbox.target({ tokens: await sandbox.datasetTokens(shop) });
  expect(countStates(await target.send(aContext(), [prepared(target, 'own-token')]))).toEqual({ accepted: 1 });
});

it('messages of Meta become notes of the accepted events', async () => {
  const target = sandbox.target();
  await sandbox.fail('event_messages', { text: 'Check your  currency' });
  const { outcomes } = await target.send(aContext(), preparedMany(target, 'messages', 2));
  const note = { code: 'meta_conversions.message', message: 'Meta says about the request: "Check your currency".' };
  expect(outcomes).toMatchObject([
    { state: 'accepted', notes: [note] },
    { state: 'accepted', notes: [note] },
  ]);
});

it('the usage of limits is reported', async () => {
  const target = sandbox.target();
  const quotas: Quota[] = [];
  await sandbox.fail('load', { percent: 74 });
  const context = { ...aContext(), onQuota: (quota: Quota) => void quotas.push(quota) };
  await target.send(context, [prepared(target, 'load')]);
  expect(quotas).toEqual([{ usedPercent: 74, resetAt: null }]);
});

it('the token is in no address', async () => {
  const target = sandbox.target();
  const context = aContext();
  await target.send(context, [prepared(target, 'address')]);
  expect(context.requests.map(({ url }) => new URL(url).search)).toEqual(['']);
});
