import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  closed,
  daysAgo,
  de,
  errorOf,
  nc,
  outlet,
  pk,
  reportRequest,
  reportTime,
  startMicrosoft,
  sum,
  us,
  type Answer,
} from './microsoft.ts';

let microsoft: Awaited<ReturnType<typeof startMicrosoft>>;
let demo: string;
beforeAll(async () => {
  microsoft = await startMicrosoft();
  demo = (await microsoft.signIn()).access;
});
afterEach(async () => {
  await microsoft.admin('faults', undefined, 'DELETE');
  await microsoft.admin('clock', { offsetDays: 0 });
});
afterAll(() => microsoft.close());

const [from, to] = [daysAgo(20), daysAgo(10)];
const campaigns = (overrides: object = {}) =>
  reportRequest('CampaignPerformance', ['CampaignId', 'CampaignName', 'DeviceType', 'Impressions', 'Spend'], from, to, overrides);

describe('a call', () => {
  const path = 'Reporting/v13/GenerateReport/Submit';
  const headers = { customerid: '160100001', customeraccountid: de };

  it.each([
    ['without a token', { authorization: '' }, 401, '105 InvalidCredentials'],
    ['with a token of nobody', { authorization: 'Bearer x' }, 401, '105 InvalidCredentials'],
    ['without a developer token', { developertoken: '' }, 400, '116 RequestMissingHeaders'],
    ['with a wrong developer token', { developertoken: 'wrong' }, 401, '105 InvalidCredentials'],
    ['without the customer', { customerid: '' }, 400, '116 RequestMissingHeaders'],
    ['without the account', { customeraccountid: '' }, 400, '116 RequestMissingHeaders'],
    ['with a customer that does not own the account', { customerid: '160100002' }, 403, '106 UserIsNotAuthorized'],
    ['for an account of others', { customeraccountid: closed }, 403, '106 UserIsNotAuthorized'],
  ])('%s is rejected', async (_, overrides, status, error) => {
    const answer = await microsoft.call(demo, path, { ReportRequest: {} }, { ...headers, ...overrides });
    expect([answer.status, errorOf(answer)]).toEqual([status, error]);
    expect(answer.body.TrackingId).toBeDefined();
  });

  it('for a forbidden or closed account is rejected although both are listed', async () => {
    const { access } = await microsoft.signIn('limited@example.com');
    const { body } = await microsoft.accounts(access, '170900002');
    const listed = (body.Accounts as unknown as Record<string, string>[]).map((one) => [one.Id, one.AccountLifeCycleStatus]);
    expect(listed).toEqual([
      [de, 'Active'],
      [us, 'Active'],
      [closed, 'Inactive'],
    ]);
    expect(errorOf(await microsoft.submit(access, us, campaigns()))).toBe('106 UserIsNotAuthorized');
    const inactive = await microsoft.submit(access, closed, campaigns());
    expect(errorOf(inactive)).toBe('105 InvalidCredentials');
    expect(inactive.body.Errors?.[0]?.Detail).toBe('AccountInactive');
  });
});

describe('accounts', () => {
  const ids = (answer: Answer): string[] => (answer.body.Accounts as unknown as { Id: string }[]).map(({ Id }) => Id);

  it('are listed for the user, with ids as text and zones by name', async () => {
    const { body } = await microsoft.user(demo);
    expect(body.User).toMatchObject({ Id: '170900001', UserName: 'demo@example.com' });
    const accounts = await microsoft.accounts(demo, '170900001');
    expect(accounts.body.Accounts?.[0]).toMatchObject({
      Id: de,
      ParentCustomerId: '160100001',
      CurrencyCode: 'EUR',
      TimeZone: 'AmsterdamBerlinBernRomeStockholmVienna',
      AccountLifeCycleStatus: 'Active',
    });
    expect(ids(accounts)).toHaveLength(5);
  });

  it('belong to customers, whose names are in another call', async () => {
    const answer = await microsoft.call(demo, 'CustomerManagement/v13/CustomersInfo/Query', { CustomerNameFilter: '', TopN: 10 });
    expect(answer.body.CustomersInfo).toEqual([
      { Id: '160100001', Name: 'Northwind Group' },
      { Id: '160100002', Name: 'Northwind Outlet Ltd' },
    ]);
  });

  it('are listed in pages, of which only the size indicates the last', async () => {
    const { access } = await microsoft.signIn('agency@example.com');
    const pages = [];
    for (const index of [0, 1, 2]) pages.push(ids(await microsoft.accounts(access, '170900003', index, 100)));
    expect(pages.map((page) => page.length)).toEqual([100, 30, 0]);
    expect(new Set(pages.flat()).size).toBe(130);
  });

  it('contain a page twice with a fault', async () => {
    const { access } = await microsoft.signIn('agency@example.com');
    await microsoft.fault('repeat_page', { times: 1 });
    const [first, second] = [
      await microsoft.accounts(access, '170900003', 0, 100),
      await microsoft.accounts(access, '170900003', 1, 100),
    ];
    expect(ids(second)).toEqual(ids(first));
  });

  it('are empty for a user without accounts, and never those of another user', async () => {
    const { access } = await microsoft.signIn('nobody@example.com');
    expect(ids(await microsoft.accounts(access, '170900004'))).toEqual([]);
    expect(errorOf(await microsoft.accounts(access, '170900001'))).toBe('106 UserIsNotAuthorized');
  });
});

describe('conversion goals', () => {
  it('contain their windows, including paused ones', async () => {
    const body = { ConversionGoalIds: null, ConversionGoalTypes: 'Url, Event' };
    const answer = await microsoft.accountCall(demo, outlet, 'CampaignManagement/v13/ConversionGoals/QueryByIds', body);
    const goals = answer.body.ConversionGoals as unknown as Record<string, unknown>[];
    expect(goals.map((goal) => [goal.Status, goal.ConversionWindowInMinutes])).toEqual([
      ['Active', 64_800],
      ['Active', 10_080],
      ['Paused', 129_600],
    ]);
  });
});

describe('a report request', () => {
  it.each([
    ['without a report', { Type: undefined }, '2002 ReportingServiceUnknownReportType'],
    ['of an unknown type', { Type: 'MagicReportRequest' }, '2002 ReportingServiceUnknownReportType'],
    ['without columns', { Columns: [] }, '2014 ReportingServiceNullColumns'],
    ['with an unknown column', { Columns: ['TimePeriod', 'Magic', 'Clicks'] }, '100 NullRequest'],
    ['with a column of another report', { Columns: ['TimePeriod', 'SearchQuery', 'Clicks'] }, '100 NullRequest'],
    ['with a column twice', { Columns: ['TimePeriod', 'Clicks', 'Clicks'] }, '2016 ReportingServiceDuplicateColumns'],
    ['without TimePeriod', { Columns: ['CampaignId', 'Clicks'] }, '2015 ReportingServiceRequiredColumnsNotSelected'],
    ['without a measure', { Columns: ['TimePeriod', 'CampaignId'] }, '2017 ReportingServiceNoMeasureSelected'],
    [
      'with columns that exclude each other',
      { Columns: ['TimePeriod', 'BidMatchType', 'ImpressionSharePercent'] },
      '201 ApiInputValidationError',
    ],
    ['with TimePeriod in a summary', { Aggregation: 'Summary' }, '2034 ReportingServiceInvalidTimePeriodColumnForSummaryReport'],
    ['in another format', { Format: 'Parquet' }, '100 NullRequest'],
    ['without a time', { Time: null }, '2008 ReportingServiceInvalidReportTimeSelection'],
    [
      'with two times',
      { Time: { ...reportTime(from, to), PredefinedTime: 'Today' } },
      '2008 ReportingServiceInvalidReportTimeSelection',
    ],
    ['with days the wrong way round', { Time: reportTime(to, from) }, '2011 ReportingServiceEndDateBeforeStartDate'],
    [
      'with a day that is none',
      { Time: { ...reportTime(from, to), CustomDateRangeStart: { Day: 31, Month: 2, Year: 2026 } } },
      '2009 ReportingServiceInvalidCustomDateRangeStart',
    ],
    [
      'that begins before the retention of 36 months',
      { Time: reportTime(daysAgo(1_110), from) },
      '2009 ReportingServiceInvalidCustomDateRangeStart',
    ],
    ['that ends in the future', { Time: reportTime(daysAgo(3), daysAgo(-2)) }, '2010 ReportingServiceInvalidCustomDateRangeEnd'],
    ['of the future', { Time: reportTime(daysAgo(-5), daysAgo(-6)) }, '2041 ReportingServiceInvalidFutureStartDate'],
    ['in an IANA zone', { Time: reportTime(from, to, 'Europe/Berlin') }, '100 NullRequest'],
    [
      'in the zone as Customer Management calls it, where reporting calls it otherwise',
      { Time: reportTime(from, to, 'SolomonIslandNewCaledonia') },
      '100 NullRequest',
    ],
    [
      'of complete data for today',
      { ReturnOnlyCompleteData: true, Time: reportTime(from, daysAgo(-1)) },
      '2004 ReportingServiceNoCompleteDataAvaliable',
    ],
  ])('%s is rejected', async (_, overrides, error) => {
    const answer = await microsoft.submit(demo, de, campaigns(overrides));
    expect([answer.status, errorOf(answer)]).toEqual([400, error]);
  });

  it('with the Reporting service’s zone name is accepted', async () => {
    const time = reportTime(from, to, 'MagadanSolomonIslandNewCaledonia');
    expect((await microsoft.submit(demo, nc, campaigns({ Time: time }))).status).toBe(200);
  });

  it('in Karachi is spelled differently for an account than for a report', async () => {
    const { access } = await microsoft.signIn('karachi@example.com');
    const { body } = await microsoft.accounts(access, '170900005');
    expect(body.Accounts?.[0]).toMatchObject({ Id: pk, TimeZone: 'IslamabadKarachiTashkent' });
    const submit = (zone: string) => microsoft.submit(access, pk, campaigns({ Time: reportTime(from, to, zone) }));
    expect((await submit('IslamabadKarachiTashkent')).status).toBe(400);
    expect((await submit('IslandamabadKarachiTashkent')).status).toBe(200);
  });
});

describe('a report', () => {
  it('is pending first, then a ZIP with one CSV with byte order mark, header, row count and footer', async () => {
    const submitted = await microsoft.submit(demo, de, campaigns());
    expect(String(submitted.body.ReportRequestId)).toMatch(/^30000\d+$/);
    expect(await microsoft.finish(demo, de, String(submitted.body.ReportRequestId))).toMatchObject({
      polls: 3,
      status: 'Success',
    });
    const file = await microsoft.report(demo, de, campaigns());
    expect([...file.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(file.header[0]).toBe('Report Name: a "report"');
    expect(file.header).toContain('Report Aggregation: Daily');
    expect(file.header).toContain(`Rows: ${file.rows.length}`);
    expect(file.text.endsWith('Microsoft Corporation. All rights reserved. "\r\n')).toBe(true);
    expect(file.columns).toEqual(['TimePeriod', 'CampaignId', 'CampaignName', 'DeviceType', 'Impressions', 'Spend']);
    expect(file.rows.every((row) => /^\d{4}-\d{2}-\d{2}$/.test(row.TimePeriod ?? ''))).toBe(true);
    expect(new Set(file.rows.map((row) => row.CampaignName)).has('Tiny test\r\nÎle-de-France')).toBe(true);
  });

  it('has no header, footer and column names when excluded', async () => {
    const bare = { ExcludeReportHeader: true, ExcludeReportFooter: true, ExcludeColumnHeaders: true };
    const [whole, plain] = [await microsoft.report(demo, de, campaigns()), await microsoft.report(demo, de, campaigns(bare))];
    const first = whole.rows[0] ?? {};
    expect(plain.text.startsWith(`"${first.TimePeriod}","${first.CampaignId}"`)).toBe(true);
    expect(plain.text).not.toContain('Rows: ');
    expect(plain.text).not.toContain('Corporation');
  });

  it('groups thousands in format 1.0, the default', async () => {
    const request = (overrides: object) =>
      reportRequest(
        'AccountPerformance',
        ['AccountId', 'Revenue', 'Spend', 'Ctr', 'ImpressionSharePercent'],
        from,
        to,
        overrides,
      );
    const old = (await microsoft.report(demo, de, request({ FormatVersion: undefined }))).rows;
    const now = (await microsoft.report(demo, de, request({}))).rows;
    expect(old.map((row) => row.Revenue?.replaceAll(',', ''))).toEqual(now.map((row) => row.Revenue));
    expect(old.some((row) => row.Revenue?.includes(','))).toBe(true);
    expect(old.map((row) => row.Spend)).toEqual(now.map((row) => row.Spend));
    expect([now[0]?.Ctr, now[0]?.ImpressionSharePercent, old[0]?.ImpressionSharePercent]).toEqual([
      expect.stringMatching(/^\d+\.\d\d%$/),
      '43.21%',
      '43%',
    ]);
  });

  it('has two dashes for missing values, and rows with conversions but no impressions', async () => {
    const columns = ['CampaignId', 'DeviceType', 'Network', 'Impressions', 'Ctr', 'ConversionsQualified'];
    const { rows } = await microsoft.report(demo, de, reportRequest('CampaignPerformance', columns, daysAgo(90), daysAgo(10)));
    const unseen = rows.filter((row) => row.Impressions === '0');
    expect(unseen.length).toBeGreaterThan(0);
    expect(unseen.every((row) => row.Ctr === '--' && Number(row.ConversionsQualified) > 0)).toBe(true);
  });

  it('without rows is a success without an address', async () => {
    const time = reportTime(daysAgo(800), daysAgo(790));
    const { body } = await microsoft.submit(demo, de, campaigns({ Time: time }));
    expect(await microsoft.finish(demo, de, String(body.ReportRequestId))).toMatchObject({ status: 'Success', url: null });
  });

  it('is created again for an equal request, and found only by its owner, for a day', async () => {
    const id = String((await microsoft.submit(demo, de, campaigns())).body.ReportRequestId);
    expect((await microsoft.submit(demo, de, campaigns())).body.ReportRequestId).not.toBe(id);
    const { access } = await microsoft.signIn('limited@example.com');
    const notFound = '2101 ReportingServiceReportNotFound';
    expect(errorOf(await microsoft.poll(access, de, id))).toBe(notFound);
    expect(errorOf(await microsoft.poll(demo, de, 'x'))).toBe('2100 ReportingServiceInvalidReportId');
    await microsoft.admin('clock', { offsetDays: 2 });
    expect(errorOf(await microsoft.poll(demo, de, id))).toBe(notFound);
  });

  it('has a signed address that expires after five minutes; polling returns a fresh one', async () => {
    const id = String((await microsoft.submit(demo, de, campaigns())).body.ReportRequestId);
    const { url } = await microsoft.finish(demo, de, id);
    if (!url) throw new Error('No address');
    const status = async (address: string) => (await fetch(address)).status;
    expect(await status(url)).toBe(200);
    expect(await status(url.replace(/se=\d/, 'se=9'))).toBe(403);
    await microsoft.admin('clock', { offsetDays: 1 });
    expect(await status(url)).toBe(403);
    await microsoft.admin('clock', { offsetDays: 0 });
    await microsoft.fault('expired_url', { times: 1 });
    expect(await status(url)).toBe(403);
    expect(await status(String((await microsoft.finish(demo, de, id)).url))).toBe(200);
  });

  it('is rejected while five others of the user are in progress', async () => {
    const { access } = await microsoft.signIn('agency@example.com');
    const account = '180700001';
    const submit = () =>
      microsoft.call(
        access,
        'Reporting/v13/GenerateReport/Submit',
        { ReportRequest: { ...campaigns(), Scope: { AccountIds: [account] } } },
        { customerid: '160100003', customeraccountid: account },
      );
    const answers = [];
    for (let report = 0; report < 6; report++) answers.push(await submit());
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 400]);
    expect(errorOf(answers[5]!)).toBe('207 ConcurrentRequestOverLimit');
  });
});

describe('numbers', () => {
  const metrics = ['Impressions', 'Clicks', 'Spend', 'AllConversionsQualified', 'AllRevenue'];

  it.each([de, us, outlet])('of account %s agree between reports of every grain that knows all traffic', async (accountId) => {
    const read = async (type: string, columns: string[]) =>
      (await microsoft.report(demo, accountId, reportRequest(type, [...columns, ...metrics], daysAgo(60), daysAgo(2)))).rows;
    const whole = await read('AccountPerformance', ['AccountId']);
    const sums = (rows: typeof whole) => metrics.map((metric) => sum(rows, metric));
    expect(sums(whole)[2]).toBeGreaterThan(1_000);
    expect(sums(await read('CampaignPerformance', ['CampaignId', 'Network']))).toEqual(sums(whole));
    expect(sums(await read('AdGroupPerformance', ['AdGroupId', 'DeviceType']))).toEqual(sums(whole));
    expect(sums(await read('AdPerformance', ['AdId']))).toEqual(sums(whole));
    expect(sums(await read('GeographicPerformance', ['LocationId', 'Country']))).toEqual(sums(whole));
    const keywords = sums(await read('KeywordPerformance', ['KeywordId']));
    expect(keywords[2]).toBeLessThan(sums(whole)[2] ?? 0);
    expect(sums(await read('SearchQueryPerformance', ['SearchQuery']))[0]).toBeLessThan(keywords[0] ?? 0);
  });

  it('of goals add up to all conversions', async () => {
    const columns = ['Goal', 'GoalId', 'AllConversionsQualified'];
    const goals = await microsoft.report(demo, de, reportRequest('GoalsAndFunnels', columns, from, to));
    const whole = await microsoft.report(
      demo,
      de,
      reportRequest('AccountPerformance', ['AccountId', 'AllConversionsQualified'], from, to),
    );
    expect(new Set(goals.rows.map((row) => row.Goal))).toEqual(new Set(['Purchase, "all"', 'Newsletter sign-up']));
    expect(sum(goals.rows, 'AllConversionsQualified')).toBe(sum(whole.rows, 'AllConversionsQualified'));
  });

  it('of totals are those of the reports', async () => {
    const { body } = await microsoft.admin(`microsoft-ads/totals?accountId=${de}&from=${from}&to=${to}`);
    const columns = ['CampaignId', 'DeviceType', 'Network', ...metrics];
    const { rows } = await microsoft.report(demo, de, reportRequest('CampaignPerformance', columns, from, to));
    expect(body.streams?.campaign_daily).toEqual({
      rows: rows.length,
      costMicros: String(Math.round(sum(rows, 'Spend') * 1_000_000)),
      clicks: sum(rows, 'Clicks'),
      impressions: sum(rows, 'Impressions'),
    });
    expect(rows.length / 11).toBeGreaterThan(20);
    expect(rows.length / 11).toBeLessThan(60);
    expect(Object.keys(body.streams ?? {})).toHaveLength(9);
    expect((await microsoft.admin(`microsoft-ads/totals?accountId=1&from=${from}&to=${to}`)).status).toBe(400);
  });

  it('are restated automatically: recent days lose clicks and gain conversions, old ones are final', async () => {
    const read = async (day: string) => {
      const request = reportRequest('AccountPerformance', ['AccountId', 'Clicks', 'Spend', 'ConversionsQualified'], day, day);
      const { rows } = await microsoft.report(demo, us, request);
      return { clicks: sum(rows, 'Clicks'), spend: sum(rows, 'Spend'), conversions: sum(rows, 'ConversionsQualified') };
    };
    const [young, old] = [await read(daysAgo(2)), await read(daysAgo(12))];
    await microsoft.admin('clock', { offsetDays: 10 });
    const [aged, older] = [await read(daysAgo(2)), await read(daysAgo(12))];
    expect(aged.clicks).toBeLessThan(young.clicks);
    expect(aged.spend).toBeLessThan(young.spend);
    expect(aged.conversions).toBeGreaterThan(young.conversions);
    expect(older).toEqual(old);
  });

  it('are restated by a fault: rows are removed and added only in the given days', async () => {
    const [first, last] = [daysAgo(50), daysAgo(44)];
    const read = async (start: string, end: string) => {
      const columns = ['CampaignId', 'DeviceType', 'Network', 'Spend'];
      return (await microsoft.report(demo, de, reportRequest('CampaignPerformance', columns, start, end))).rows;
    };
    const keys = (rows: Record<string, string>[]) => new Set(rows.map((row) => JSON.stringify({ ...row, Spend: '' })));
    const [before, outside] = [await read(first, last), await read(daysAgo(43), daysAgo(40))];
    expect((await microsoft.fault('restate', { accountId: de, from: first, to: last })).status).toBe(201);
    const after = await read(first, last);
    expect(keys(before).difference(keys(after)).size).toBeGreaterThan(0);
    expect(keys(after).difference(keys(before)).size).toBeGreaterThan(0);
    expect(sum(after, 'Spend')).not.toBe(sum(before, 'Spend'));
    expect(await read(daysAgo(43), daysAgo(40))).toEqual(outside);
  });
});
