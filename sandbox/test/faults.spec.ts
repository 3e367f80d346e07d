import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  adsScope,
  campaignDaily,
  daysAgo,
  de,
  errorOf,
  manager,
  outlet,
  rowsOf,
  startGoogle,
  sumOf,
  type Json,
} from './google.ts';

let google: Awaited<ReturnType<typeof startGoogle>>;
let demo: string;
beforeAll(async () => {
  google = await startGoogle();
  demo = (await google.signIn()).access_token;
});
afterEach(() => google.admin('faults', undefined, 'DELETE'));
afterAll(() => google.close());

const report = campaignDaily(daysAgo(20), daysAgo(10));
const readStream = () => google.stream(demo, outlet, report, undefined, { summaryRowSetting: 'SUMMARY_ROW_WITH_RESULTS' });
const summaryOf = (body: Json): number => Number((body as unknown as Json[]).at(-1)?.summaryRow?.metrics?.costMicros);

describe('a requested fault', () => {
  it('must be known: an unknown one is rejected with the list', async () => {
    const answer = await google.fault('explode');
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.known?.['google-ads'] ?? {})).toContain('truncate_rows');
  });

  it.each([
    ['permission', {}],
    ['throttle', { times: 0 }],
    ['throttle', { afterRequests: -1 }],
    ['restate', { customerId: '1', from: '2026-01-01', to: '2026-01-02' }],
    ['restate', { customerId: de, from: '2026-01-03', to: '2026-01-02' }],
  ])('must be complete: %s %j is rejected', async (fault, parameters) => {
    expect((await google.fault(fault, parameters)).status).toBe(400);
  });

  it('requires a warehouse for PostgreSQL', async () => {
    expect((await google.admin('faults', { provider: 'postgresql', fault: 'drop_rows' })).status).toBe(400);
  });

  it('applies as often, after as many requests and to the account as configured', async () => {
    await google.fault('server_error', { times: 1, afterRequests: 1, customerId: outlet });
    const statuses: number[] = [];
    for (let request = 0; request < 4; request++) statuses.push((await readStream()).status);
    expect(statuses).toEqual([200, 500, 200, 200]);
    expect((await google.search(demo, de, 'SELECT customer.id FROM customer', manager)).status).toBe(200);
  });

  it('is cleared by its id', async () => {
    const { body } = await google.fault('unavailable');
    expect((await readStream()).status).toBe(503);
    await google.admin(`faults/${String(body.id)}`, undefined, 'DELETE');
    expect((await readStream()).status).toBe(200);
    expect((await google.admin(`faults/${String(body.id)}`, undefined, 'DELETE')).status).toBe(404);
  });
});

describe('reports in Google’s format', () => {
  const stream = async (query: string, customerId = outlet) =>
    (await google.stream(demo, customerId, query, undefined, { summaryRowSetting: 'SUMMARY_ROW_WITH_RESULTS' })).body;
  const between = `segments.date BETWEEN '${daysAgo(20)}' AND '${daysAgo(10)}'`;

  it('without rows are an empty list, or a summary row with the fault empty_summary', async () => {
    const nothing = `SELECT campaign.id, segments.date, metrics.cost_micros FROM campaign WHERE segments.date BETWEEN '${daysAgo(1_000)}' AND '${daysAgo(999)}'`;
    expect(await stream(nothing)).toEqual([]);
    await google.fault('empty_summary');
    expect(await stream(nothing)).toMatchObject([{ summaryRow: { metrics: {} } }]);
  });

  it('of search terms have a summary row that is larger than their rows', async () => {
    const body = await stream(`SELECT search_term_view.search_term, metrics.cost_micros FROM search_term_view WHERE ${between}`);
    const rows = (body as unknown as Json[]).flatMap((chunk) => chunk.results ?? []);
    const listed = rows.reduce((sum: number, row: Json) => sum + Number(row.metrics?.costMicros ?? 0), 0);
    expect(listed).toBeGreaterThan(0);
    expect(listed).toBeLessThan(summaryOf(body));
  });

  it('of places omit a missing country', async () => {
    const body = await stream(
      `SELECT geographic_view.country_criterion_id, geographic_view.location_type, metrics.clicks FROM geographic_view WHERE ${between}`,
    );
    const rows = (body as unknown as Json[]).flatMap((chunk) => chunk.results ?? []);
    expect(rows.some((row: Json) => row.geographicView && !('countryCriterionId' in row.geographicView))).toBe(true);
  });

  it('of too many days exceed the deadline with the fault', async () => {
    await google.fault('deadline', { mostDays: 11 });
    expect((await readStream()).status).toBe(200);
    await google.admin('faults', undefined, 'DELETE');
    await google.fault('deadline', { mostDays: 5 });
    const answer = await readStream();
    expect(answer.status).toBe(504);
  });
});

describe('tokens', () => {
  it('can be rejected by Google’s API gateway, in another format', async () => {
    const tokens = await google.signIn();
    await google.fault('expire_token', { frontDoor: true });
    const answer = await google.accessible(tokens.access_token);
    expect(answer.status).toBe(401);
    expect(answer.body.error?.details?.[0]).toMatchObject({ reason: 'ACCESS_TOKEN_EXPIRED' });
    const refreshed = await google.refresh(tokens.refresh_token);
    expect((await google.accessible(refreshed.body.access_token)).status).toBe(200);
  });

  it('expire immediately, and a refresh helps', async () => {
    const tokens = await google.signIn();
    await google.fault('expire_token');
    expect(errorOf(await google.accessible(tokens.access_token))).toBe('authenticationError OAUTH_TOKEN_EXPIRED');
    const refreshed = await google.refresh(tokens.refresh_token);
    expect((await google.accessible(refreshed.body.access_token)).status).toBe(200);
  });

  it('are revoked immediately for one user, and a new consent helps', async () => {
    const tokens = await google.signIn('limited@example.com');
    await google.fault('revoke', { user: 'limited@example.com' });
    expect((await google.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect(errorOf(await google.accessible(tokens.access_token))).toBe('authenticationError OAUTH_TOKEN_REVOKED');
    expect((await google.accessible(demo)).status).toBe(200);
    expect((await google.accessible((await google.signIn('limited@example.com', [adsScope])).access_token)).status).toBe(200);
  });

  it('are not issued while the token endpoint is down', async () => {
    const { refresh_token } = await google.signIn();
    await google.fault('unavailable', { endpoint: 'token' });
    expect((await google.refresh(refresh_token)).status).toBe(503);
    expect((await google.accessible(demo)).status).toBe(200);
  });
});

describe('calls', () => {
  it('are throttled with the time to wait', async () => {
    await google.fault('throttle', { retryDelaySeconds: 7 });
    const answer = await readStream();
    expect(answer.status).toBe(429);
    expect(errorOf(answer)).toBe('quotaError RESOURCE_TEMPORARILY_EXHAUSTED');
    expect(answer.body[0]?.error?.details?.[0]?.errors?.[0]?.details?.quotaErrorDetails?.retryDelay).toBe('7s');
  });

  it('are late', async () => {
    await google.fault('slow', { delayMs: 150 });
    const startedAt = performance.now();
    await readStream();
    expect(performance.now() - startedAt).toBeGreaterThan(140);
  });

  it('end without an answer', async () => {
    await google.fault('drop_connection');
    await expect(readStream()).rejects.toThrow();
  });

  it.each([
    ['permission', 'authorizationError USER_PERMISSION_DENIED'],
    ['not_enabled', 'authorizationError CUSTOMER_NOT_ENABLED'],
  ])('are rejected for one account: %s', async (fault, error) => {
    await google.fault(fault, { customerId: outlet });
    expect(errorOf(await readStream())).toBe(error);
    expect((await google.search(demo, de, 'SELECT customer.id FROM customer', manager)).status).toBe(200);
  });
});

describe('a report', () => {
  it.each([false, true])('has truncated JSON (connection broken: %s)', async (abort) => {
    await google.fault('truncate_json', { abort });
    await expect(readStream()).rejects.toThrow();
  });

  it('lacks its last rows while the summary row stays correct', async () => {
    const whole = await readStream();
    await google.fault('truncate_rows', { rows: 3 });
    const cut = await readStream();
    expect(cut.status).toBe(200);
    expect(rowsOf(cut)).toEqual(rowsOf(whole).slice(0, -3));
    expect(summaryOf(cut.body)).toBe(sumOf(rowsOf(whole), 'costMicros'));
    expect(sumOf(rowsOf(cut), 'costMicros')).toBeLessThan(summaryOf(cut.body));
  });

  it('contains a chunk twice while the summary row stays correct', async () => {
    const whole = await readStream();
    await google.fault('repeat_page');
    const doubled = await readStream();
    expect(rowsOf(doubled)).toEqual([...rowsOf(whole), ...rowsOf(whole)]);
    expect(summaryOf(doubled.body)).toBe(summaryOf(whole.body));
  });

  it('contains a page twice when it is paged, and ends', async () => {
    const bench = (await google.signIn('bench@example.com')).access_token;
    const query = campaignDaily(daysAgo(40), daysAgo(15));
    const readPages = async (): Promise<number[]> => {
      const sizes: number[] = [];
      let pageToken: Json | undefined;
      do {
        const page = await google.search(bench, '9009000001', query, undefined, pageToken ? { pageToken } : {});
        sizes.push(rowsOf(page).length);
        pageToken = page.body.nextPageToken;
      } while (pageToken);
      return sizes;
    };
    const whole = await readPages();
    expect(whole.slice(0, -1).every((size) => size === 10_000)).toBe(true);
    await google.fault('repeat_page', { times: 1 });
    expect(await readPages()).toEqual([10_000, ...whole]);
  });

  it('is not damaged when only accounts are read', async () => {
    await google.fault('truncate_rows');
    expect(rowsOf(await google.search(demo, outlet, 'SELECT customer.id FROM customer'))).toHaveLength(1);
  });
});

describe('the request log', () => {
  it('contains requests and answers with the fault and without secrets', async () => {
    const { access_token, refresh_token } = await google.signIn();
    await google.fault('server_error', { times: 1 });
    await google.stream(access_token, outlet, report);
    await google.refresh(refresh_token);
    const { body } = await google.admin('requests?provider=google-ads&limit=50');
    const requests = body.requests as unknown as Json[];
    expect(requests.at(-1)).toMatchObject({ method: 'POST', path: '/google-ads/oauth/token', status: 200 });
    expect(requests.at(-2)).toMatchObject({
      path: `/google-ads/v25/customers/${outlet}/googleAds:searchStream`,
      status: 500,
      fault: 'server_error',
    });
    const text = JSON.stringify(requests);
    for (const secret of [access_token, refresh_token, 'client_secret=secret', 'a-verifier']) expect(text).not.toContain(secret);
    expect(text).toContain('***');
  });
});
