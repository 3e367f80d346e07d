import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { de, us } from './google.ts';
import { dataManagerScope, problemOf, startDataManager, violationsOf } from './data-manager.ts';

let google: Awaited<ReturnType<typeof startDataManager>>;
let number = 0;
/** Each test has events of its own in one sandbox. */
const newId = (): string => `fault-${++number}`;
const storedCount = async (): Promise<number> => (await google.conversions()).length;
let storedBefore = 0;
const newlyStored = async (): Promise<number> => (await storedCount()) - storedBefore;

beforeAll(async () => void (google = await startDataManager()));
beforeEach(async () => void (storedBefore = await storedCount()));
afterEach(() => google.admin('faults', undefined, 'DELETE'));
afterAll(() => google.close());

const send = () => google.ingestOne({ transactionId: newId() });

describe('before anything is stored', () => {
  it.each<[string, object, number, string]>([
    ['service_disabled', {}, 403, 'PERMISSION_DENIED SERVICE_DISABLED'],
    ['refuse_project', { code: 'CONSUMER_SUSPENDED' }, 403, 'PERMISSION_DENIED CONSUMER_SUSPENDED'],
    ['scope_insufficient', {}, 403, 'PERMISSION_DENIED ACCESS_TOKEN_SCOPE_INSUFFICIENT'],
    ['permission', { customerId: de }, 403, 'PERMISSION_DENIED PERMISSION_DENIED'],
    ['throttle', {}, 429, 'RESOURCE_EXHAUSTED RATE_LIMIT_EXCEEDED'],
    ['server_error', {}, 500, 'INTERNAL INTERNAL_ERROR'],
    ['server_error', { status: 'UNKNOWN' }, 500, 'UNKNOWN INTERNAL_ERROR'],
    ['server_error', { status: 'ABORTED' }, 409, 'ABORTED INTERNAL_ERROR'],
    ['server_error', { status: 'DEADLINE_EXCEEDED' }, 504, 'DEADLINE_EXCEEDED DEADLINE_EXCEEDED'],
    ['unavailable', {}, 503, 'UNAVAILABLE'],
    ['expire_token', {}, 401, 'UNAUTHENTICATED ACCESS_TOKEN_EXPIRED'],
    ['revoke', { user: 'demo@example.com' }, 401, 'UNAUTHENTICATED ACCESS_TOKEN_EXPIRED'],
  ])('%s %j is answered with %i', async (fault, parameters, status, problem) => {
    await google.fault(fault, parameters);
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(problemOf(answer)).toBe(problem);
    expect(await newlyStored()).toBe(0);
    await google.admin('faults', undefined, 'DELETE');
    expect((await send()).status).toBe(200);
  });

  it('service_disabled says where the API is enabled', async () => {
    await google.fault('service_disabled');
    const { body } = await send();
    const { metadata } = body.error?.details?.[0] ?? {};
    expect(String(metadata?.activationUrl)).toContain(
      'console.cloud.google.com/apis/api/datamanager.googleapis.com/overview?project=',
    );
    expect(String(body.error?.message)).toContain(String(metadata?.activationUrl));
  });

  it('drop_connection does not answer', async () => {
    await google.fault('drop_connection', { times: 1 });
    await expect(send()).rejects.toThrow();
    expect(await newlyStored()).toBe(0);
  });

  it('a fault can be limited to an account, and to a number of requests', async () => {
    await google.fault('throttle', { customerId: us });
    expect((await send()).status).toBe(200);
    await google.fault('unavailable', { customerId: de, times: 1 });
    expect([(await send()).status, (await send()).status]).toEqual([503, 200]);
  });

  it('applies to the status when its endpoint is given', async () => {
    const { body } = await send();
    await google.fault('throttle', { endpoint: 'status' });
    expect((await google.status(body.requestId)).status).toBe(429);
    expect((await send()).status).toBe(200);
  });

  it('a refreshed token works after expire_token, and none after a consent was revoked for Google Ads', async () => {
    const { access_token: token, refresh_token: refreshToken } = await google.signIn('demo@example.com', [dataManagerScope]);
    await google.fault('expire_token');
    expect((await google.status('x', token)).status).toBe(401);
    const { body } = await google.refresh(refreshToken);
    expect((await google.status('x', body.access_token)).status).toBe(400);
    await google.admin('faults', { provider: 'google-ads', fault: 'revoke' });
    expect((await google.status('x', body.access_token)).status).toBe(401);
  });
});

describe('a rejection', () => {
  it('reject_events names some events', async () => {
    await google.fault('reject_events', { everyNth: 2, reason: 'INVALID_FORMAT' });
    const answer = await google.ingest(await google.events(4));
    expect(violationsOf(answer)).toEqual(['events.events[1] INVALID_FORMAT', 'events.events[3] INVALID_FORMAT']);
    expect(await newlyStored()).toBe(0);
  });

  it('reject_destination names the destination, with any reason', async () => {
    await google.fault('reject_destination', { reason: 'NOT_ALLOWLISTED', field: 'destinations[0]' });
    expect(violationsOf(await send())).toEqual(['destinations[0] NOT_ALLOWLISTED']);
  });

  it('short_paths end after the event', async () => {
    await google.fault('short_paths');
    const events = [await google.anEvent(), await google.anEvent({ currency: 'eur' })];
    expect(violationsOf(await google.ingest(events))).toEqual(['events[1] INVALID_CURRENCY_CODE']);
  });
});

describe('after the events were stored', () => {
  it('fail_after_storing answers with 500 or not at all', async () => {
    await google.fault('fail_after_storing', { times: 1 });
    expect(problemOf(await send())).toBe('INTERNAL INTERNAL_ERROR');
    expect(await newlyStored()).toBe(1);
    await google.fault('fail_after_storing', { times: 1, drop: true });
    await expect(send()).rejects.toThrow();
    expect(await newlyStored()).toBe(2);
  });

  it('drop_events loses events that the status counts as successful', async () => {
    await google.fault('drop_events', { everyNth: 2 });
    const events = await Promise.all([1, 2, 3, 4].map(() => google.anEvent({ transactionId: newId() })));
    expect(await google.outcomeOf(await google.ingest(events))).toBe('SUCCESS');
    expect(await newlyStored()).toBe(2);
  });

  it('fail_events fails some events for two reasons', async () => {
    await google.fault('fail_events', { everyNth: 2, reasons: ['TOO_RECENT_CLICK', 'INTERNAL_ERROR'] });
    const events = await Promise.all([1, 2, 3, 4].map(() => google.anEvent({ transactionId: newId() })));
    expect(await google.outcomeOf(await google.ingest(events))).toBe('PARTIAL_SUCCESS TOO_RECENT_CLICK 1 INTERNAL_ERROR 1');
    expect(await newlyStored()).toBe(2);
  });

  it.each([
    ['OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER', 'PROCESSING_ERROR_OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER'],
    ['NEW_IN_ANOTHER_YEAR', 'PROCESSING_ERROR_REASON_NEW_IN_ANOTHER_YEAR'],
    ['INVALID_CLICK', 'PROCESSING_ERROR_REASON_INVALID_CLICK'],
  ])('fail_events fails events with %s', async (reason, full) => {
    await google.fault('fail_events', { reasons: [reason] });
    const [status] = await google.statusesOf(await send());
    expect(status).toMatchObject({ requestStatus: 'FAILED', errorInfo: { errorCounts: [{ recordCount: '1', reason: full }] } });
    expect(await newlyStored()).toBe(0);
  });
});

describe('the status', () => {
  it('processing stays for a day, or until it is cleared', async () => {
    const answer = await send();
    await google.fault('processing', { seconds: 86_400 });
    expect(await google.outcomeOf(answer)).toBe('PROCESSING');
    await google.admin('clock', { offsetDays: 2 });
    expect(await google.outcomeOf(answer)).toBe('SUCCESS');
    await google.admin('clock', { offsetDays: 0 });
    await google.fault('processing');
    expect(await google.outcomeOf(answer)).toBe('PROCESSING');
    await google.admin('faults', undefined, 'DELETE');
    expect(await google.outcomeOf(answer)).toBe('SUCCESS');
  });

  it('status_unknown is neither an end nor processing', async () => {
    const answer = await send();
    await google.fault('status_unknown', { times: 1 });
    expect(await google.outcomeOf(answer)).toBe('REQUEST_STATUS_UNKNOWN');
    expect(await google.outcomeOf(answer)).toBe('SUCCESS');
  });

  it('failure_spelling writes FAILURE, and only for requests that failed', async () => {
    await google.fault('failure_spelling');
    expect(await google.outcomeOf(await send())).toBe('SUCCESS');
    await google.fault('fail_events');
    expect(await google.outcomeOf(await send())).toBe('FAILURE INTERNAL_ERROR 1');
  });

  it('empty_error_info gives no reasons', async () => {
    await google.fault('fail_events');
    await google.fault('empty_error_info');
    const [status] = await google.statusesOf(await send());
    expect(status).toMatchObject({ requestStatus: 'FAILED', errorInfo: {} });
    expect(status?.errorInfo).toEqual({});
  });

  it('zero_count has SUCCESS without records', async () => {
    await google.fault('zero_count');
    const [status] = await google.statusesOf(await send());
    expect(status).toMatchObject({ requestStatus: 'SUCCESS', eventsIngestionStatus: { recordCount: '0' } });
  });

  it('warnings come with SUCCESS', async () => {
    await google.fault('warnings');
    const [status] = await google.statusesOf(await send());
    const warningCounts = [{ recordCount: '1', reason: 'PROCESSING_WARNING_REASON_INTERNAL_ERROR' }];
    expect(status).toMatchObject({ requestStatus: 'SUCCESS', warningInfo: { warningCounts } });
  });

  it('forget_request does not know an accepted request', async () => {
    const { body } = await send();
    await google.fault('forget_request');
    expect(violationsOf(await google.status(body.requestId))).toEqual(['request_id INVALID_REQUEST_ID']);
  });
});

it('every fault is described on the start page', async () => {
  const html = await (await fetch(`${google.url}/`)).text();
  for (const text of ['Google Data Manager', 'duplicate_rejected', '/data-manager/v1/events:ingest', '7010000114'])
    expect(html).toContain(text);
});

it('account_consent needs a setting', async () => {
  expect((await google.fault('account_consent')).status).toBe(400);
});
