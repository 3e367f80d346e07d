import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AccessTokenProvider } from '../../../src/connectors/kit/contract.js';
import { aContext } from '../context.js';
import {
  altered,
  closedAddress,
  countStates,
  prepared,
  preparedMany,
  tokensOf,
  unreachableTokens,
} from '../conversions/sending.js';
import { adsScope } from '../sandbox-process.js';
import { startGoogleSandbox, type GoogleSandbox } from './google-sandbox.js';

let sandbox: GoogleSandbox;
let gclid: string;
beforeAll(async () => {
  sandbox = await startGoogleSandbox();
  gclid = await sandbox.gclid('9001000012');
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

const clicked = () => ({ identifiers: { gclid } });
const notADate = { eventTimestamp: '2020-01-01T00:00:00Z' };

describe('invalid events', () => {
  it.each([
    ['full', 'many'],
    ['short', 'path'],
  ])('one of 2,000 is rejected and the others are stored, with %s paths in the answer', async (paths, prefix) => {
    if (paths === 'short') await sandbox.fail('short_paths');
    const target = await sandbox.target();
    const events = preparedMany(target, prefix, 2_000, clicked());
    events[777] = altered(events[777]!, notADate);
    const context = aContext();
    const result = await target.send(context, events);
    expect(countStates(result)).toEqual({ pending: 1_999, rejected: 1 });
    expect(result.stoppedBy).toBeNull();
    expect(result.outcomes[777]).toMatchObject({
      state: 'rejected',
      code: 'google_data_manager.event_time_invalid',
      isRetryable: false,
    });
    expect(context.requests).toHaveLength(2);
    const stored = new Set((await sandbox.stored(`ord-${prefix}-`)).map(({ transactionId }) => transactionId));
    expect(stored.size).toBe(1_999);
    expect(stored).not.toContain(`ord-${prefix}-777`);
  });

  it('an id of digits is accepted by a validation and rejected when it is sent', async () => {
    const target = await sandbox.target();
    const events = preparedMany(target, 'digits', 3, clicked());
    events[1] = altered(events[1]!, { transactionId: '20260001' });
    expect(countStates(await target.validate!(aContext(), events))).toEqual({ accepted: 3 });
    expect((await target.send(aContext(), events)).outcomes.map(({ state }) => state)).toEqual([
      'pending',
      'rejected',
      'pending',
    ]);
    expect(await sandbox.stored('ord-digits-')).toHaveLength(2);
  });

  it('a validation finds one without storing the others', async () => {
    const target = await sandbox.target();
    const [bad, good] = preparedMany(target, 'dry', 2, clicked());
    const { outcomes } = await target.validate!(aContext(), [altered(bad!, notADate), good!]);
    expect(outcomes.map(({ state }) => state)).toEqual(['rejected', 'accepted']);
    expect(await sandbox.stored('ord-dry-')).toEqual([]);
  });
});

describe('an answer that is lost', () => {
  it.each([
    ['is not sent at all', { drop: true }],
    ['is a server error', {}],
  ])('%s after the events were stored: a second attempt stores each once', async (name, parameters) => {
    const prefix = name.replaceAll(' ', '');
    const target = await sandbox.target();
    const events = preparedMany(target, prefix, 5, clicked());
    await sandbox.fail('fail_after_storing', { ...parameters, times: 1 });
    const lost = await target.send(aContext(), events);
    expect(countStates(lost)).toEqual({ unknown: 5 });
    expect(lost.stoppedBy).toMatchObject({ name: 'RetryLater', failureClass: 'transient' });
    expect(await sandbox.stored(`ord-${prefix}-`)).toHaveLength(5);
    expect(countStates(await target.send(aContext(), events))).toEqual({ pending: 5 });
    expect(await sandbox.stored(`ord-${prefix}-`)).toHaveLength(5);
    expect(target.traits.resend).toBe('deduplicated');
  });

  it('leaves the outcome unknown if the connection ended before anything was stored', async () => {
    const target = await sandbox.target();
    await sandbox.fail('drop_connection', { times: 1 });
    expect(countStates(await target.send(aContext(), [prepared(target, 'dropped', clicked())]))).toEqual({ unknown: 1 });
  });

  it('does not count as sent if no connection was established', async () => {
    const target = await sandbox.target({ url: await closedAddress() });
    const result = await target.send(aContext(), [prepared(target, 'refused', clicked())]);
    expect(result).toMatchObject({ outcomes: [{ state: 'not_sent' }], stoppedBy: { name: 'RetryLater' } });
  });

  it('does not count as sent if the access token could not be renewed', async () => {
    const target = await sandbox.target({ tokens: unreachableTokens });
    const result = await target.send(aContext(), [prepared(target, 'renewed', clicked())]);
    expect(result).toMatchObject({ outcomes: [{ state: 'not_sent' }], stoppedBy: { code: 'http.timeout' } });
  });
});

describe('errors that are not in the events keep them unsent', () => {
  it.each<[string, string, Record<string, unknown>, object]>([
    ['the API is not enabled', 'service_disabled', {}, { name: 'FixSettings', code: 'google_data_manager.service_disabled' }],
    ...['CONSUMER_SUSPENDED', 'CONSUMER_INVALID', 'USER_PROJECT_DENIED', 'GCP_SUSPENDED', 'A_REASON_OF_TOMORROW'].map(
      (code): [string, string, Record<string, unknown>, object] => [
        `Google refuses the project of the installation: ${code}`,
        'refuse_project',
        { code },
        {
          name: 'FixSettings',
          code: 'google_data_manager.project_refused',
          action: 'Contact the operator of this installation',
        },
      ],
    ),
    ['the scope was revoked', 'scope_insufficient', {}, { name: 'ReconnectNeeded', code: 'google_data_manager.scope_missing' }],
    ['the user has no access', 'permission', {}, { name: 'FixSettings', failureClass: 'permission' }],
    ['the action is unknown', 'reject_destination', {}, { name: 'FixSettings', code: 'google_data_manager.action_invalid' }],
    [
      'the terms are not accepted',
      'reject_destination',
      { reason: 'DESTINATION_ACCOUNT_DATA_POLICY_NOT_AGREED' },
      { name: 'FixSettings', code: 'google_data_manager.account_not_ready' },
    ],
    ['Google throttles', 'throttle', {}, { name: 'RetryLater', failureClass: 'quota' }],
  ])('%s', async (name, fault, parameters, error) => {
    const prefix = name.replaceAll(' ', '');
    const target = await sandbox.target();
    await sandbox.fail(fault, parameters);
    const result = await target.send(aContext(), preparedMany(target, prefix, 2, clicked()));
    expect(countStates(result)).toEqual({ not_sent: 2 });
    expect(result.stoppedBy).toMatchObject(error);
    expect(await sandbox.stored(`ord-${prefix}-`)).toEqual([]);
  });

  it('the scope was never granted', async () => {
    const { accessToken } = await sandbox.signIn('demo@example.com', [adsScope]);
    const target = await sandbox.target({ tokens: tokensOf(accessToken) });
    const result = await target.send(aContext(), [prepared(target, 'scope', clicked())]);
    expect(result).toMatchObject({
      outcomes: [{ state: 'not_sent' }],
      stoppedBy: { name: 'ReconnectNeeded', code: 'google_data_manager.scope_missing' },
    });
  });

  it('the account does not accept e-mail addresses yet', async () => {
    const target = await sandbox.target({ accountName: 'Northwind Outlet' });
    const events = preparedMany(target, 'outlet', 2, { identifiers: { email: 'jane@example.com' } });
    const result = await target.send(aContext(), events);
    expect(countStates(result)).toEqual({ not_sent: 2 });
    expect(result.stoppedBy).toMatchObject({ name: 'FixSettings', code: 'google_data_manager.account_not_ready' });
  });

  it('the token was rejected twice', async () => {
    const asked: unknown[] = [];
    const rejected: AccessTokenProvider = {
      accessToken: (_, options) => {
        asked.push(options?.refused);
        return Promise.resolve('ya29.not-a-token');
      },
    };
    const target = await sandbox.target({ tokens: rejected });
    const result = await target.send(aContext(), [prepared(target, 'token', clicked())]);
    expect(result).toMatchObject({ outcomes: [{ state: 'not_sent' }], stoppedBy: { name: 'ReconnectNeeded' } });
    expect(asked).toEqual([undefined, 'ya29.not-a-token']);
  });
});

it('an expired token is renewed, and the events are stored once', async () => {
  await sandbox.fail('expire_token', { user: 'demo@example.com' });
  const target = await sandbox.target();
  expect(countStates(await target.send(aContext(), preparedMany(target, 'expired', 2, clicked())))).toEqual({ pending: 2 });
  expect(await sandbox.stored('ord-expired-')).toHaveLength(2);
});

it('a time-out of the server before anything was stored leaves the outcome unknown', async () => {
  const target = await sandbox.target();
  await sandbox.fail('server_error', { status: 'DEADLINE_EXCEEDED', times: 1 });
  const result = await target.send(aContext(), [prepared(target, 'late', clicked())]);
  expect(result).toMatchObject({
    outcomes: [{ state: 'unknown', code: 'google_data_manager.deadline_exceeded' }],
    stoppedBy: { name: 'RetryLater' },
  });
});
