import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { campaignDaily, closed, daysAgo, de, errorOf, jp, manager, outlet, rowsOf, startGoogle, us } from './google.ts';

let google: Awaited<ReturnType<typeof startGoogle>>;
let demo: string;
let limited: string;
beforeAll(async () => {
  google = await startGoogle();
  demo = (await google.signIn()).access_token;
  limited = (await google.signIn('limited@example.com')).access_token;
});
afterAll(() => google.close());

const tree =
  'SELECT customer_client.id, customer_client.level, customer_client.manager, customer_client.currency_code, customer_client.time_zone, customer_client.status FROM customer_client WHERE customer_client.level <= 1';

describe('access', () => {
  it('rejects an invalid token', async () => {
    const answer = await google.accessible('ya29.nonsense');
    expect(answer.status).toBe(401);
    expect(errorOf(answer)).toBe('authenticationError OAUTH_TOKEN_INVALID');
  });

  it('rejects a user without accounts', async () => {
    const { access_token } = await google.signIn('nobody@example.com');
    expect(errorOf(await google.accessible(access_token))).toBe('authenticationError NOT_ADS_USER');
  });

  it('rejects an ended version', async () => {
    expect(errorOf(await google.accessible(demo, 'v22'))).toBe('requestError UNSUPPORTED_VERSION');
  });

  it('rejects a client account without the manager in login-customer-id', async () => {
    const answer = await google.search(demo, de, 'SELECT customer.id FROM customer');
    expect(answer.status).toBe(403);
    expect(errorOf(answer)).toBe('authorizationError USER_PERMISSION_DENIED');
    expect(answer.headers.get('request-id')).toBe(answer.body.error?.details?.[0]?.requestId);
    expect((await google.search(demo, de, 'SELECT customer.id FROM customer', manager)).status).toBe(200);
  });

  it.each([
    ['an account of another user', '9009000001', manager, 'authorizationError USER_PERMISSION_DENIED'],
    ['an account that is not there', '1234567890', manager, 'authenticationError CUSTOMER_NOT_FOUND'],
    ['an id with dashes', '900-100-0011', manager, 'requestError INVALID_CUSTOMER_ID'],
    ['a manager with dashes', de, '900-100-0001', 'headerError INVALID_LOGIN_CUSTOMER_ID'],
    ['a manager that is none', de, outlet, 'authorizationError INVALID_LOGIN_CUSTOMER_ID_SERVING_CUSTOMER_ID_COMBINATION'],
  ])('rejects %s', async (_, customerId, loginCustomerId, error) => {
    expect(errorOf(await google.search(demo, customerId, 'SELECT customer.id FROM customer', loginCustomerId))).toBe(error);
  });

  it('rejects the forbidden and the closed account for the limited user', async () => {
    expect(errorOf(await google.search(limited, us, 'SELECT customer.id FROM customer', manager))).toBe(
      'authorizationError USER_PERMISSION_DENIED',
    );
    expect(errorOf(await google.search(limited, closed, 'SELECT customer.id FROM customer', manager))).toBe(
      'authorizationError CUSTOMER_NOT_ENABLED',
    );
  });

  it('lists directly accessible accounts and the tree below a manager', async () => {
    expect((await google.accessible(demo)).body.resourceNames).toEqual([`customers/${manager}`, `customers/${outlet}`]);
    const clients = rowsOf(await google.search(demo, manager, tree, manager)).map((row) => row.customerClient);
    expect(clients.map((client) => client?.id)).toEqual([manager, de, us, jp]);
    expect(clients[0]).toMatchObject({ manager: true });
    expect(clients[3]).toMatchObject({ level: '1', currencyCode: 'JPY', timeZone: 'Asia/Tokyo', status: 'ENABLED' });
    const seen = rowsOf(await google.search(limited, manager, tree, manager)).map((row) => row.customerClient);
    expect(seen.at(-1)).toMatchObject({ id: closed, status: 'CANCELED' });
  });
});

describe('queries', () => {
  const day = daysAgo(10);
  it.each([
    ['an unknown field', `SELECT campaign.id, metrics.clickz FROM campaign`, 'UNRECOGNIZED_FIELD'],
    ['a name of JavaScript', `SELECT constructor FROM campaign`, 'UNRECOGNIZED_FIELD'],
    ['an unknown resource', `SELECT campaign.id FROM campaigns`, 'BAD_RESOURCE_TYPE_IN_FROM_CLAUSE'],
    ['no FROM', `SELECT campaign.id`, 'EXPECTED_FROM'],
    [
      'dates without an end',
      `SELECT segments.date, metrics.clicks FROM campaign WHERE segments.date >= '${day}'`,
      'EXPECTED_FILTERS_ON_DATE_RANGE',
    ],
    ['dates without a range', `SELECT segments.date, metrics.clicks FROM campaign`, 'EXPECTED_FILTERS_ON_DATE_RANGE'],
    ['a day that is none', `SELECT metrics.clicks FROM campaign WHERE segments.date = '2026-02-30'`, 'INVALID_DATE_FORMAT'],
    ['a range that runs backwards', campaignDaily('2026-05-02', '2026-05-01'), 'INVALID_VALUE_WITH_BETWEEN_OPERATOR'],
    ['ad groups in a campaign report', `SELECT ad_group.id FROM campaign`, 'PROHIBITED_RESOURCE_TYPE_IN_SELECT_CLAUSE'],
    [
      'a segment on conversion actions',
      `SELECT segments.device FROM conversion_action`,
      'PROHIBITED_SEGMENT_IN_SELECT_OR_WHERE_CLAUSE',
    ],
    [
      'a filter on an unselected segment',
      `SELECT metrics.clicks FROM campaign WHERE segments.device = 'MOBILE'`,
      'EXPECTED_REFERENCED_FIELD_IN_SELECT_CLAUSE',
    ],
    [
      'cost by conversion action',
      `SELECT segments.conversion_action, metrics.cost_micros FROM campaign`,
      'PROHIBITED_SEGMENT_WITH_METRIC_IN_SELECT_OR_WHERE_CLAUSE',
    ],
    ['text that does not end', `SELECT campaign.id FROM campaign WHERE campaign.name = 'x`, 'STRING_NOT_TERMINATED'],
    ['rest after the end', `SELECT campaign.id FROM campaign LIMIT 5 PLEASE`, 'UNEXPECTED_INPUT'],
  ])('rejects %s', async (_, query, code) => {
    const answer = await google.search(demo, outlet, query);
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toBe(`queryError ${code}`);
  });

  it('rejects a range that begins before the retention of 37 months', async () => {
    const answer = await google.search(demo, outlet, campaignDaily(daysAgo(1_200), daysAgo(10)));
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toBe('dateRangeError REQUESTED_DATE_GRANULARITY_NOT_SUPPORTED');
  });

  it('rejects metrics of a manager', async () => {
    expect(errorOf(await google.search(demo, manager, campaignDaily(day, day), manager))).toBe(
      'queryError REQUESTED_METRICS_FOR_MANAGER',
    );
  });

  it('wraps only the errors of a stream in an array', async () => {
    expect(Array.isArray((await google.stream(demo, outlet, 'SELECT x FROM campaign')).body)).toBe(true);
    expect(Array.isArray((await google.search(demo, outlet, 'SELECT x FROM campaign')).body)).toBe(false);
  });

  it('rejects a page size', async () => {
    expect(errorOf(await google.search(demo, outlet, 'SELECT campaign.id FROM campaign', undefined, { pageSize: 100 }))).toBe(
      'requestError PAGE_SIZE_NOT_SUPPORTED',
    );
  });

  it('rejects a page token of another query', async () => {
    const bench = (await google.signIn('bench@example.com')).access_token;
    const first = await google.search(bench, '9009000001', campaignDaily(daysAgo(60), daysAgo(30)));
    const pageToken = first.body.nextPageToken;
    const answer = await google.search(bench, '9009000001', campaignDaily(daysAgo(60), daysAgo(31)), undefined, { pageToken });
    expect(errorOf(answer)).toBe('requestError INVALID_PAGE_TOKEN');
  });

  it('filters, sorts and limits', async () => {
    const query = `SELECT campaign.name, campaign.status, metrics.clicks FROM campaign WHERE segments.date DURING LAST_30_DAYS AND campaign.status IN ('ENABLED') AND metrics.clicks > 0 ORDER BY metrics.clicks DESC LIMIT 3`;
    const rows = rowsOf(await google.search(demo, outlet, query));
    const clicks = rows.map((row) => Number(row.metrics?.clicks));
    expect(clicks).toHaveLength(3);
    expect(clicks).toEqual(clicks.toSorted((left, right) => right - left));
  });

  it('lists a campaign without traffic if nothing is segmented, and omits its zeros', async () => {
    const rows = rowsOf(
      await google.search(demo, outlet, `SELECT campaign.status, metrics.clicks FROM campaign WHERE segments.date = '${day}'`),
    );
    const removed = rows.find((row) => String(row.campaign?.status) === 'REMOVED');
    expect(removed?.metrics).toEqual({});
    const segmented = rowsOf(await google.search(demo, outlet, campaignDaily(day, day)));
    expect(segmented.every((row) => Number(row.metrics?.impressions) > 0)).toBe(true);
    expect(segmented.some((row) => String(row.campaign?.id) === String(removed?.campaign?.id))).toBe(false);
  });

  it('has a different conversion window per account, and a removed action with a longer one', async () => {
    const query = 'SELECT conversion_action.status, conversion_action.click_through_lookback_window_days FROM conversion_action';
    const lookback = async (customerId: string, login?: string): Promise<number> => {
      const actions = rowsOf(await google.search(demo, customerId, query, login)).map((row) => row.conversionAction);
      expect(
        actions.some((action) => String(action?.status) === 'REMOVED' && String(action?.clickThroughLookbackWindowDays) === '90'),
      ).toBe(true);
      const enabled = actions.filter((action) => String(action?.status) === 'ENABLED');
      return Math.max(...enabled.map((action) => Number(action?.clickThroughLookbackWindowDays)));
    };
    expect([
      await lookback(de, manager),
      await lookback(us, manager),
      await lookback(jp, manager),
      await lookback(outlet),
    ]).toEqual([30, 7, 14, 30]);
  });

  it('has a view-through window that is longer than the click-through windows in one account', async () => {
    const query = 'SELECT conversion_action.view_through_lookback_window_days FROM conversion_action';
    const longest = async (customerId: string): Promise<number> => {
      const rows = rowsOf(await google.search(demo, customerId, query, manager));
      return Math.max(...rows.map(({ conversionAction }) => Number(conversionAction?.viewThroughLookbackWindowDays)));
    };
    expect([await longest(de), await longest(us), await longest(jp)]).toEqual([1, 1, 21]);
  });
});
