import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readRows } from '../../../src/connectors/microsoft-conversions/rows.js';
import { aContext } from '../context.js';
import { policy } from '../conversions/conversion-events.js';
import {
  altered,
  choiceNamed,
  closedAddress,
  countStates,
  prepared,
  preparedMany,
  unreachableTokens,
} from '../conversions/sending.js';
import { startMicrosoftConversionsSandbox, type MicrosoftConversionsSandbox } from './microsoft-conversions-sandbox.js';

let sandbox: MicrosoftConversionsSandbox;
let msclkid: string;
beforeAll(async () => {
  sandbox = await startMicrosoftConversionsSandbox();
  msclkid = await sandbox.aClick();
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.newRows();
});
afterAll(() => sandbox.stop());

const clicked = () => ({ identifiers: { msclkid } });
/** Events with the same click and second would be repetitions of each other. */
const secondsAgo = (seconds: number) => ({ occurredAt: new Date(Date.now() - seconds * 1_000) });

describe('rows that are rejected', () => {
  it('are found by their index, although the errors are in another order and one row has two', async () => {
    const target = await sandbox.target();
    const events = Array.from({ length: 6 }, (_, index) =>
      prepared(target, `row-${index}`, { ...clicked(), ...secondsAgo(600 + index) }),
    );
    events[1] = altered(events[1]!, { MicrosoftClickId: 'not a click', ConversionCurrencyCode: 'XXQ' });
    events[4] = altered(events[4]!, { ConversionTime: new Date(Date.now() - 91 * 86_400_000).toISOString() });
    const result = await target.send(aContext(), events);
    expect(countStates(result)).toEqual({ accepted: 4, rejected: 2 });
    expect(result.stoppedBy).toBeNull();
    expect(result.outcomes[1]).toMatchObject({ state: 'rejected', isRetryable: false });
    const message = result.outcomes[1]?.state === 'rejected' ? result.outcomes[1].message : '';
    expect(message).toContain('The Microsoft click id is not valid.');
    expect(message).toContain('The currency is not valid.');
    expect(result.outcomes[4]).toMatchObject({
      code: 'microsoft_conversions.offline_conversion_time_out_of_window',
      message: 'The event is older than Microsoft Advertising accepts.',
    });
    const rows = await sandbox.newRows();
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      ...['attributed', 'rejected', 'attributed', 'attributed'],
      ...['rejected', 'attributed'],
    ]);
    expect(rows[1]?.errors).toHaveLength(2);
  });

  it('for a temporary reason can be sent again, and count once', async () => {
    const target = await sandbox.target();
    await sandbox.fail('reject_conversions', { everyNth: 2, times: 1 });
    const events = Array.from({ length: 4 }, (_, index) =>
      prepared(target, `retry-${index}`, { ...clicked(), ...secondsAgo(700 + index) }),
    );
    const first = await target.send(aContext(), events);
    expect(first.outcomes.map(({ state }) => state)).toEqual(['accepted', 'rejected', 'accepted', 'rejected']);
    expect(first.outcomes[1]).toMatchObject({ isRetryable: true, retryAfterSeconds: null });
    expect(countStates(await target.send(aContext(), [events[1]!, events[3]!]))).toEqual({ accepted: 2 });
    expect((await sandbox.newRows()).filter(({ isCounted }) => isCounted)).toHaveLength(4);
  });

  it('because the goal is new can be sent again after two hours', async () => {
    await sandbox.admin('microsoft-ads/goals', { accountId: '180500012', name: 'New goal', minutesAgo: 5 });
    const target = await sandbox.target({ goal: 'New goal' });
    const { outcomes } = await target.send(aContext(), [prepared(target, 'new-goal', { ...clicked(), ...secondsAgo(800) })]);
    expect(outcomes).toMatchObject([
      {
        state: 'rejected',
        isRetryable: true,
        retryAfterSeconds: 7_200,
        message: 'The goal was created less than two hours ago.',
      },
    ]);
  });

  it('because the goal was renamed stay unsent until the conversion is changed', async () => {
    const { settings } = choiceNamed(await sandbox.choicesOf('Northwind US'), 'Closed deal');
    const target = sandbox.connector.open({ ...settings, goalName: 'Old name' }, sandbox.tokens, policy, null);
    const events = preparedMany(target, 'renamed', 2, { ...clicked(), ...secondsAgo(900) });
    const result = await target.send(aContext(), events);
    expect(countStates(result)).toEqual({ not_sent: 2 });
    expect(result.stoppedBy).toMatchObject({ name: 'FixSettings', action: 'Choose another goal' });
  });

  it('are final if only one of two errors is temporary', () => {
    const error = (Index: number, Code: number, ErrorCode: string) => ({ Index, Code, ErrorCode });
    const PartialErrors = [
      error(1, 5612, 'OfflineConversionsApplyFailed'),
      error(1, 5611, 'OfflineConversionCurrencyCodeInvalid'),
      null,
    ];
    expect(readRows({ PartialErrors }, null, 2).outcomes).toMatchObject([
      { state: 'accepted' },
      { state: 'rejected', isRetryable: false, code: 'microsoft_conversions.offline_conversion_currency_code_invalid' },
    ]);
  });

  it('without the name of the error are recognized by its number', () => {
    expect(readRows({ PartialErrors: [{ Index: 0, Code: 5615 }] }, null, 1).outcomes).toMatchObject([
      { isRetryable: true, retryAfterSeconds: 7_200 },
    ]);
  });

  it('and cannot be assigned leave the outcome of the others unknown', () => {
    const PartialErrors = [{ Index: 7, Code: 5611 }];
    expect(readRows({ PartialErrors }, null, 2).outcomes.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    expect(readRows('<html>', null, 1).outcomes.map(({ state }) => state)).toEqual(['unknown']);
  });
});

describe('an answer that is lost', () => {
  it.each([
    ['is a server error', {}, 1_000],
    ['is not sent at all', { drop: true }, 1_100],
  ])('%s after the rows were applied: a second attempt counts each once', async (name, parameters, seconds) => {
    const target = await sandbox.target();
    const events = Array.from({ length: 3 }, (_, index) =>
      prepared(target, `${name}-${index}`, { ...clicked(), ...secondsAgo(seconds + index) }),
    );
    await sandbox.fail('fail_after_applying', { ...parameters, times: 1 });
    const lost = await target.send(aContext(), events);
    expect(countStates(lost)).toEqual({ unknown: 3 });
    expect(lost.stoppedBy).toMatchObject({ name: 'RetryLater' });
    expect(countStates(await target.send(aContext(), events))).toEqual({ accepted: 3 });
    const rows = await sandbox.newRows();
    expect(rows.filter(({ isCounted }) => isCounted)).toHaveLength(3);
    expect(rows.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(3);
    expect(target.traits.resend).toBe('deduplicated');
  });

  it('does not count as sent if no connection was established, or the token could not be renewed', async () => {
    for (const options of [{ campaignManagementUrl: await closedAddress() }, { tokens: unreachableTokens }]) {
      const target = await sandbox.target(options);
      expect(countStates(await target.send(aContext(), [prepared(target, 'unsent', clicked())]))).toEqual({ not_sent: 1 });
    }
    expect(await sandbox.newRows()).toEqual([]);
  });
});

describe('errors of the whole request keep its events unsent', () => {
  it.each<[string, string, Record<string, unknown>, object]>([
    ['too many calls', 'throttle', {}, { name: 'RetryLater', failureClass: 'quota', retryAfterSeconds: 60 }],
    ['no access to the account', 'permission', { accountId: '180500012' }, { name: 'FixSettings' }],
    ['an inactive account', 'account_inactive', { accountId: '180500012' }, { name: 'FixSettings' }],
  ])('%s', async (_, fault, parameters, error) => {
    const target = await sandbox.target();
    await sandbox.fail(fault, { ...parameters, event: 'offline_conversions' });
    const result = await target.send(aContext(), preparedMany(target, 'whole', 2, clicked()));
    expect(countStates(result)).toEqual({ not_sent: 2 });
    expect(result.stoppedBy).toMatchObject(error);
    expect(await sandbox.newRows()).toEqual([]);
  });

  it('revoked access', async () => {
    const tokens = await sandbox.signInAs('limited@example.com');
    const target = await sandbox.target({ tokens });
    await sandbox.fail('revoke', { user: 'limited@example.com' });
    const result = await target.send(aContext(), [prepared(target, 'revoked', clicked())]);
    expect(result).toMatchObject({ outcomes: [{ state: 'not_sent' }], stoppedBy: { name: 'ReconnectNeeded' } });
  });

  it('a wrong developer token', async () => {
    const target = await sandbox.target({ developerToken: 'wrong' });
    const result = await target.send(aContext(), [prepared(target, 'developer', clicked())]);
    expect(result).toMatchObject({
      outcomes: [{ state: 'not_sent' }],
      stoppedBy: { name: 'FixSettings', action: expect.stringContaining('MICROSOFT_DEVELOPER_TOKEN') },
    });
  });
});

it('an expired token is renewed, and the event counts once', async () => {
  const target = await sandbox.target();
  await sandbox.fail('expire_token', { user: 'demo@example.com' });
  const event = prepared(target, 'expired', { ...clicked(), ...secondsAgo(1_300) });
  expect(countStates(await target.send(aContext(), [event]))).toEqual({ accepted: 1 });
  expect(await sandbox.newRows()).toMatchObject([{ outcome: 'attributed', isCounted: true, value: 49.9 }]);
});
