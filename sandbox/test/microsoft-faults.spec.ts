import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { daysAgo, de, errorOf, outlet, readFile, reportRequest, startMicrosoft, us } from './microsoft.ts';

let microsoft: Awaited<ReturnType<typeof startMicrosoft>>;
let demo: string;
beforeAll(async () => {
  microsoft = await startMicrosoft();
  demo = (await microsoft.signIn()).access;
});
afterEach(() => microsoft.admin('faults', undefined, 'DELETE'));
afterAll(() => microsoft.close());

const campaigns = reportRequest('CampaignPerformance', ['CampaignId', 'Spend'], daysAgo(20), daysAgo(10));
const ads = reportRequest('AdPerformance', ['AdId', 'Spend'], daysAgo(20), daysAgo(10));
const goals = (accountId: string) =>
  microsoft.accountCall(demo, accountId, 'CampaignManagement/v13/ConversionGoals/QueryByIds', { ConversionGoalTypes: 'Url' });
const submit = async (request: object) => String((await microsoft.submit(demo, de, request)).body.ReportRequestId);

describe('calls', () => {
  it('are throttled as often as configured', async () => {
    await microsoft.fault('throttle', { times: 2 });
    const answers = [];
    for (let call = 0; call < 3; call++) answers.push(await microsoft.user(demo));
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(errorOf(answers[0]!)).toBe('117 CallRateExceeded');
  });

  it.each([
    ['server_error', 500],
    ['unavailable', 503],
  ])('fail with %s', async (fault, status) => {
    await microsoft.fault(fault, { event: 'user' });
    const answer = await microsoft.user(demo);
    expect([answer.status, errorOf(answer)]).toEqual([status, '0 InternalError']);
    expect((await goals(de)).status).toBe(200);
  });

  it('are late, or end without an answer', async () => {
    await microsoft.fault('slow', { delayMs: 150, times: 1 });
    const startedAt = performance.now();
    await microsoft.user(demo);
    expect(performance.now() - startedAt).toBeGreaterThan(140);
    await microsoft.fault('drop_connection');
    await expect(microsoft.user(demo)).rejects.toThrow();
  });

  it.each([
    ['permission', '106 UserIsNotAuthorized'],
    ['account_inactive', '105 InvalidCredentials'],
  ])('are rejected for one account: %s', async (fault, error) => {
    await microsoft.fault(fault, { accountId: outlet });
    expect(errorOf(await goals(outlet))).toBe(error);
    expect((await goals(us)).status).toBe(200);
  });

  it('cannot submit while others run, with a fault', async () => {
    await microsoft.fault('concurrent_limit', { times: 1 });
    expect(errorOf(await microsoft.submit(demo, de, campaigns))).toBe('207 ConcurrentRequestOverLimit');
    expect((await microsoft.submit(demo, de, campaigns)).status).toBe(200);
  });
});

describe('a report', () => {
  it('of one type never finishes until the fault is cleared', async () => {
    const { body } = await microsoft.fault('never_finishes', { resource: 'AdPerformance' });
    const [stuck, other] = [await submit(ads), await submit(campaigns)];
    for (let poll = 0; poll < 6; poll++)
      expect((await microsoft.poll(demo, de, stuck)).body.ReportRequestStatus?.Status).toBe('Pending');
    expect((await microsoft.finish(demo, de, other)).status).toBe('Success');
    await microsoft.admin(`faults/${String(body.id)}`, undefined, 'DELETE');
    expect((await microsoft.finish(demo, de, stuck)).status).toBe('Success');
  });

  it('takes longer', async () => {
    await microsoft.fault('slow_report', { polls: 7 });
    expect(await microsoft.finish(demo, de, await submit(campaigns))).toMatchObject({ polls: 8, status: 'Success' });
  });

  it('ends with an error, once', async () => {
    await microsoft.fault('report_error', { times: 1 });
    expect(await microsoft.finish(demo, de, await submit(campaigns))).toMatchObject({ status: 'Error', url: null });
    expect((await microsoft.finish(demo, de, await submit(campaigns))).status).toBe('Success');
  });

  it('is lost', async () => {
    const id = await submit(campaigns);
    await microsoft.fault('lost_report', { times: 1 });
    expect(errorOf(await microsoft.poll(demo, de, id))).toBe('2101 ReportingServiceReportNotFound');
  });

  it.each([false, true])('has a truncated file (connection broken: %s)', async (abort) => {
    const url = await microsoft.address(demo, de, campaigns);
    await microsoft.fault('truncate_zip', { abort, times: 1 });
    await expect(fetch(url).then(readFile)).rejects.toThrow();
    expect((await readFile(await fetch(url))).rows.length).toBeGreaterThan(0);
  });

  it.each([
    ['truncate_rows', -3],
    ['repeat_rows', 3],
  ])('is damaged by %s while its row count stays correct', async (fault, difference) => {
    const whole = await microsoft.report(demo, de, campaigns);
    await microsoft.fault(fault, { rows: 3 });
    const damaged = await microsoft.report(demo, de, campaigns);
    expect(damaged.rows.length).toBe(whole.rows.length + difference);
    expect(damaged.header).toContain(`Rows: ${whole.rows.length}`);
  });

  it.each([
    ['server_error', 500],
    ['unavailable', 503],
  ])('cannot be downloaded temporarily: %s', async (fault, status) => {
    const url = await microsoft.address(demo, de, campaigns);
    await microsoft.fault(fault, { endpoint: 'download', times: 1 });
    expect((await fetch(url)).status).toBe(status);
    expect((await fetch(url)).status).toBe(200);
  });
});

describe('the request log', () => {
  it('contains requests with the fault and without secrets', async () => {
    const url = new URL(await microsoft.address(demo, de, campaigns));
    await fetch(url);
    await microsoft.fault('throttle', { times: 1 });
    await microsoft.user(demo);
    const { body } = await microsoft.admin('requests?provider=microsoft-ads&limit=20');
    const requests = body.requests as unknown as Record<string, unknown>[];
    expect(requests.at(-1)).toMatchObject({
      path: '/microsoft-ads/CustomerManagement/v13/User/Query',
      status: 429,
      fault: 'throttle',
    });
    expect(requests.at(-2)).toMatchObject({ method: 'GET', path: url.pathname, status: 200 });
    const text = JSON.stringify(requests);
    for (const secret of [demo, url.searchParams.get('sig') ?? 'none']) expect(text).not.toContain(secret);
  });
});

it('an account is listed with a time zone that no published list has', async () => {
  await microsoft.fault('new_time_zone', { accountId: us });
  const { body } = await microsoft.accounts(demo, '170900001');
  const zones = (body.Accounts as unknown as { Id: string; TimeZone: string }[]).map(({ Id, TimeZone }) => [Id, TimeZone]);
  expect(zones).toContainEqual([us, 'Kiritimati']);
  expect(zones).toContainEqual([de, 'AmsterdamBerlinBernRomeStockholmVienna']);
});
