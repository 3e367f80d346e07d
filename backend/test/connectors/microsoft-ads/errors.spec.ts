import { expect, it } from 'vitest';
import { toConnectorError } from '../../../src/connectors/microsoft-ads/errors.js';
import { readFailure } from '../../../src/connectors/kit/microsoft-failure.js';

const adApiFault = (error: object) => JSON.stringify({ Type: 'AdApiFaultDetail', TrackingId: 'tracking', Errors: [error] });
const apiFault = (error: object) => JSON.stringify({ Type: 'ApiFaultDetail', OperationErrors: [error], BatchErrors: [] });
const errorOf = (status: number, body: string, headers: Record<string, string> = {}, isAboutAccount = true) =>
  toConnectorError(readFailure(status, new Headers(headers), body), isAboutAccount);

it.each([
  [400, adApiFault({ Code: 117, ErrorCode: 'CallRateExceeded' }), 'RetryLater', 'call_rate_exceeded', 60],
  [429, 'busy', 'RetryLater', 'http_429', 60],
  [400, apiFault({ Code: '207', ErrorCode: 'ConcurrentRequestOverLimit' }), 'RetryLater', 'concurrent_request_over_limit', 120],
  [500, adApiFault({ Code: 0, ErrorCode: 'InternalError' }), 'RetryLater', 'internal_error', null],
  [404, '', 'RetryLater', 'http_404', 3_600],
  [400, apiFault({ Code: 987_654 }), 'RetryLater', 'code_987654', null],
  [502, '<html>', 'RetryLater', 'http_502', null],
])('%d %s has the right wait time', (status, body, name, code, retryAfterSeconds) => {
  expect(errorOf(status, body)).toMatchObject({ name, code: `microsoft_ads.${code}`, retryAfterSeconds });
});

it('uses Microsoft’s wait time and request id', () => {
  const error = errorOf(429, adApiFault({ Code: 117, ErrorCode: 'CallRateExceeded' }), { 'retry-after': '7' });
  expect(error).toMatchObject({ retryAfterSeconds: 7, providerRequestId: 'tracking' });
});

it.each([100, 113, 116, 201, 2_016, 2_041])('reports code %d as a bug of the product', (Code) => {
  expect(errorOf(400, apiFault({ Code, ErrorCode: 'Whatever' }))).toMatchObject({
    name: 'FixSettings',
    action: expect.stringContaining('operator'),
  });
});

it('distinguishes an unknown user from an inactive account', () => {
  const body = (Detail: string) => adApiFault({ Code: 105, ErrorCode: 'InvalidCredentials', Detail });
  expect(errorOf(401, body('UserNotFound'))).toMatchObject({ name: 'ReconnectNeeded' });
  expect(errorOf(401, body('AccountInactive'))).toMatchObject({ name: 'SkipAccount' });
});

it.each([
  [401, { Code: 105, ErrorCode: 'InvalidCredentials', Detail: 'UserNotFound' }, 'ReconnectNeeded', 'user_not_found'],
  [403, { Code: 106, ErrorCode: 'UserIsNotAuthorized' }, 'SkipAccount', 'user_is_not_authorized'],
  [
    403,
    { Code: 106, ErrorCode: 'UserIsNotAuthorized', Message: 'User does not represent a authorized developer.' },
    'FixSettings',
    'developer_token_refused',
  ],
  [400, { Code: 119, ErrorCode: 'InvalidAccountId' }, 'SkipAccount', 'invalid_account_id'],
  [400, { Code: 1001, ErrorCode: 'WorkAccountsEnforced' }, 'ReconnectNeeded', 'work_accounts_enforced'],
])('%d %j has its own meaning', (status, error, name, code) => {
  expect(errorOf(status, adApiFault(error))).toMatchObject({ name, code: `microsoft_ads.${code}` });
});

it('waits for a day that has not begun at Microsoft', () => {
  const body = apiFault({ Code: 2_010, ErrorCode: 'ReportingServiceInvalidCustomDateRangeEnd' });
  expect(errorOf(400, body)).toMatchObject({
    name: 'RetryLater',
    message: 'This day has not begun at Microsoft Advertising yet.',
    retryAfterSeconds: 900,
  });
});

it('never skips an account in calls without one', () => {
  const body = adApiFault({ Code: 106, ErrorCode: 'UserIsNotAuthorized' });
  expect(errorOf(403, body)).toMatchObject({ name: 'SkipAccount' });
  expect(errorOf(403, body, {}, false)).toMatchObject({ name: 'ReconnectNeeded' });
});

it('never shows Microsoft’s own text', () => {
  const error = errorOf(400, apiFault({ Code: 2_016, ErrorCode: 'Duplicate Columns!', Message: 'raw text' }));
  expect(error.message).not.toContain('raw text');
  expect(error.code).toBe('microsoft_ads.duplicate_columns');
});
