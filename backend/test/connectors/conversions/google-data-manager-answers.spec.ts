import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readIngestAnswer, statusError } from '../../../src/connectors/google-data-manager/answer.js';
import { googleConversionTarget } from '../../../src/connectors/google-data-manager/target.js';
import { outcomeOf, readStatus } from '../../../src/connectors/google-data-manager/status.js';
import { aContext } from '../context.js';
import { anEvent, eligible, NOW, policy } from './conversion-events.js';

const errorInfo = (reason: string, domain = 'datamanager.googleapis.com') => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
  metadata: { requestId: 'request-1' },
});
const failure = (status: string, details: object[]) => ({ error: { code: 400, status, message: 'jane@example.com', details } });
const violations = (...list: { field: string; reason?: string }[]) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: list.map((one) => ({ description: 'jane@example.com is not valid', ...one })),
});
const read = (status: number, body: unknown, count = 3, retryAfter: string | null = null) =>
  readIngestAnswer({ status, retryAfter }, body, count);

describe('a rejected request', () => {
  it('names its invalid events', () => {
    const body = failure('INVALID_ARGUMENT', [
      errorInfo('INVALID_ARGUMENT'),
      violations(
        { field: 'events.events[0].user_data.user_identifiers[1]', reason: 'INVALID_SHA256_FORMAT' },
        { field: 'events[2]' },
        { field: 'events.events[9].currency' },
      ),
    ]);
    const answer = read(400, body);
    expect(answer).toMatchObject({ state: 'refused' });
    expect(answer.state === 'refused' && [...answer.invalid]).toEqual([
      [
        0,
        {
          state: 'rejected',
          code: 'google_data_manager.invalid_sha256_format',
          message: 'Google rejects the event: user_data.user_identifiers[1] is not valid.',
          isRetryable: false,
          retryAfterSeconds: null,
        },
      ],
      [2, expect.objectContaining({ code: 'google_data_manager.invalid_argument' })],
    ]);
    expect(JSON.stringify([...(answer.state === 'refused' ? answer.invalid : [])])).not.toContain('jane');
  });

  it('that names none is halved by the caller', () => {
    expect(read(400, failure('INVALID_ARGUMENT', [errorInfo('EVENT_TIME_INVALID')]))).toMatchObject({
      state: 'refused',
      invalid: new Map(),
      reason: { code: 'google_data_manager.event_time_invalid' },
    });
  });
});

describe('an error that is not in the events keeps them queued:', () => {
  it.each<[string, number, object[], string, string]>([
    [
      'an unknown action',
      400,
      [violations({ field: 'destinations[0].product_destination_id' })],
      'FixSettings',
      'action_invalid',
    ],
    ['the type of the action', 400, [errorInfo('INVALID_CONVERSION_ACTION_TYPE')], 'FixSettings', 'action_invalid'],
    [
      'terms that are not accepted',
      400,
      [errorInfo('DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED')],
      'FixSettings',
      'account_not_ready',
    ],
    ['a developer who is not allowed', 400, [errorInfo('NOT_ALLOWLISTED')], 'FixSettings', 'account_not_ready'],
    ['an expired token', 401, [], 'ReconnectNeeded', 'unauthenticated'],
    [
      'a missing scope',
      403,
      [errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'googleapis.com')],
      'ReconnectNeeded',
      'scope_missing',
    ],
    ['an API that is not enabled', 403, [errorInfo('SERVICE_DISABLED', 'googleapis.com')], 'FixSettings', 'service_disabled'],
    ['a suspended project', 403, [errorInfo('CONSUMER_SUSPENDED', 'googleapis.com')], 'FixSettings', 'project_refused'],
    ['a project that is refused with 401', 401, [errorInfo('GCP_SUSPENDED', 'googleapis.com')], 'FixSettings', 'project_refused'],
    ['an account without access', 403, [errorInfo('PERMISSION_DENIED')], 'FixSettings', 'permission_denied'],
    ['a used-up quota', 429, [errorInfo('RESOURCE_EXHAUSTED')], 'RetryLater', 'resource_exhausted'],
  ])('%s', (_, status, details, name, code) => {
    const answer = read(status, failure('ANY', details), 3, '30');
    expect(answer).toMatchObject({ state: 'stopped', outcome: { state: 'not_sent' } });
    expect(answer.state === 'stopped' && answer.error).toMatchObject({ name, code: `google_data_manager.${code}` });
  });

  it('the wait time of a throttled request is that of the answer', () => {
    const answer = read(429, failure('RESOURCE_EXHAUSTED', []), 1, '30');
    expect(answer.state === 'stopped' && answer.error).toMatchObject({ retryAfterSeconds: 30, failureClass: 'quota' });
  });
});

it.each([
  [500, failure('INTERNAL', [])],
  [503, failure('UNAVAILABLE', [])],
  [504, undefined],
  [502, '<html>Bad gateway</html>'],
])('the outcome of a request that ended with %s is unknown', (status, body) => {
  const answer = read(status, body);
  expect(answer).toMatchObject({ state: 'stopped', outcome: { state: 'unknown' } });
  expect(answer.state === 'stopped' && answer.error).toMatchObject({ name: 'RetryLater' });
});

describe('an accepted request', () => {
  it('leaves its events pending under its id, with notes about ignored fields', () => {
    const body = { requestId: 'request-1', fieldWarnings: [{ field: 'events[1].cart_data', reason: 'BRAID_WITH_CART' }] };
    expect(read(200, body, 2)).toEqual({
      state: 'taken',
      outcomes: [
        { state: 'pending', requestId: 'request-1', notes: [] },
        {
          state: 'pending',
          requestId: 'request-1',
          notes: [{ code: 'google_data_manager.braid_with_cart', message: 'Google ignores the field cart_data of the event.' }],
        },
      ],
    });
  });

  it('without an id has an unknown outcome', () => {
    expect(read(200, {}, 1)).toMatchObject({ outcomes: [{ state: 'unknown', code: 'google_data_manager.no_request_id' }] });
  });

  it('that was only validated is accepted and has no status', () => {
    const answer = readIngestAnswer({ status: 200, retryAfter: null }, { requestId: 'request-1' }, 1, true);
    expect(answer).toMatchObject({ outcomes: [{ state: 'accepted' }] });
  });
});

describe('the status of a request', () => {
  const statusOf = (requestStatus: string, counts: [string, string | undefined][] = [], recordCount?: string) =>
    readStatus({
      requestStatusPerDestination: [
        {
          requestStatus,
          errorInfo: { errorCounts: counts.map(([reason, count]) => ({ reason, recordCount: count })) },
          eventsIngestionStatus: { recordCount },
        },
      ],
    });

  it.each(['PROCESSING', 'REQUEST_STATUS_UNKNOWN', 'SOMETHING_NEW', ''])('%s is not the end', (requestStatus) => {
    expect(statusOf(requestStatus)).toEqual({ state: 'processing' });
  });

  it.each([undefined, {}, { requestStatusPerDestination: [] }])('without a destination is not the end', (body) => {
    expect(readStatus(body)).toEqual({ state: 'processing' });
  });

  it.each(['FAILED', 'FAILURE'])('%s with one reason applies to every event', (requestStatus) => {
    const status = statusOf(requestStatus, [['PROCESSING_ERROR_REASON_EVENT_TOO_OLD', '1']], '1');
    expect(status).toMatchObject({ state: 'done', outcome: { state: 'rejected', code: 'google_data_manager.event_too_old' } });
  });

  it('FAILED without a reason is a rejection', () => {
    expect(statusOf('FAILED')).toMatchObject({ state: 'done', outcome: { state: 'rejected', isRetryable: false } });
  });

  it('FAILED with two reasons rejects every event, and has their counts', () => {
    const status = statusOf('FAILED', [
      ['PROCESSING_ERROR_REASON_DENIED_CONSENT', '2'],
      ['PROCESSING_ERROR_REASON_CLICK_NOT_FOUND', '3'],
    ]);
    expect(status).toMatchObject({
      state: 'done',
      outcome: { state: 'rejected', code: 'google_data_manager.none_counted' },
      counts: [
        { outcome: { state: 'rejected' }, events: 2 },
        { outcome: { state: 'unmatched' }, events: 3 },
      ],
    });
  });

  it('PARTIAL_SUCCESS counts the accepted events, because the total includes the failed ones', () => {
    const status = statusOf('PARTIAL_SUCCESS', [['PROCESSING_ERROR_REASON_CLICK_NOT_FOUND', '3']], '10');
    expect(status).toMatchObject({ counts: [{ outcome: { state: 'accepted' }, events: 7 }, { events: 3 }] });
  });

  it('PARTIAL_SUCCESS without counts does not say how many were accepted', () => {
    expect(statusOf('PARTIAL_SUCCESS', [], '10')).toMatchObject({ counts: [{ outcome: { state: 'accepted' }, events: null }] });
  });

  it('SUCCESS applies to every event', () => {
    expect(statusOf('SUCCESS', [], '0')).toMatchObject({ state: 'done', outcome: { state: 'accepted' } });
  });

  it('of an unknown request is an error that no retry corrects', () => {
    expect(statusError(400, null, failure('INVALID_ARGUMENT', [errorInfo('INVALID_REQUEST_ID')]))).toMatchObject({
      name: 'FixSettings',
      code: 'google_data_manager.invalid_request_id',
    });
    expect(statusError(500, null, failure('INTERNAL', []))).toMatchObject({ name: 'RetryLater' });
  });
});

describe('the reason of an event that was not counted', () => {
  it.each([
    ['PROCESSING_ERROR_REASON_INTERNAL_ERROR', 'rejected', true, null],
    ['PROCESSING_ERROR_REASON_TOO_RECENT_CLICK', 'rejected', true, 21_600],
    ['PROCESSING_ERROR_REASON_UNKNOWN_CONSENT', 'rejected', false, null],
    ['PROCESSING_ERROR_OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER', 'rejected', false, null],
    ['PROCESSING_ERROR_REASON_ONE_PER_CLICK_CONVERSION_ACTION_NOT_PERMITTED_WITH_BRAID', 'rejected', false, null],
    ['PROCESSING_ERROR_REASON_SOMETHING_NEW', 'rejected', false, null],
  ])('%s is %s, retryable: %s', (reason, state, isRetryable, retryAfterSeconds) => {
    expect(outcomeOf(reason)).toMatchObject({ state, isRetryable, retryAfterSeconds });
  });

  it.each(['CLICK_NOT_FOUND', 'INVALID_CLICK', 'USER_ID_NOT_FOUND', 'USER_ID_NOT_FOUND_FOR_GCLID'])('%s is normal', (name) => {
    expect(outcomeOf(`PROCESSING_ERROR_REASON_${name}`)).toMatchObject({ state: 'unmatched' });
  });

  it.each(['DUPLICATE_TRANSACTION_ID', 'DUPLICATE_GCLID'])('%s means that the conversion is already there', (name) => {
    expect(outcomeOf(`PROCESSING_ERROR_REASON_${name}`)).toMatchObject({ state: 'accepted', notes: [expect.anything()] });
  });

  it('has a code without the prefix', () => {
    expect(outcomeOf('PROCESSING_ERROR_OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER')).toMatchObject({
      code: 'google_data_manager.operating_account_mismatch_for_ad_identifier',
    });
  });
});

it('events for a server that cannot be reached are not sent', async () => {
  const settings = { baseUrl: `http://127.0.0.1:${await closedPort()}` };
  const action = { accountId: '1', loginAccountId: null, conversionActionId: '2', transactionIdPrefix: 'ord-' };
  const target = googleConversionTarget(settings, { accessToken: () => Promise.resolve('token') }, action, policy);
  const event = eligible(target.prepare(anEvent(), NOW));
  const { outcomes, stoppedBy } = await target.send(aContext(), [event, event]);
  expect(outcomes).toEqual([{ state: 'not_sent' }, { state: 'not_sent' }]);
  expect(stoppedBy).toMatchObject({ name: 'RetryLater', code: 'http.unreachable' });
});

/** A port on which nothing listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
