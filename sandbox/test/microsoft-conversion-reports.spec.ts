import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { de, errorOf, minutesAgo, outlet, partialErrorsOf, startMicrosoft, us, type Answer, type Json } from './microsoft.ts';

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

const day = 24 * 60;
const unknownClick = 'dd4afccc-b1c9-4a4c-ad95-44dd7e5006ab';
const range = (days: number): object => ({ StartDateUtc: minutesAgo(days * day), EndDateUtc: minutesAgo(-1) });

const call = (accountId: string, path: string, body: object): Promise<Answer> =>
  microsoft.accountCall(demo, accountId, `CampaignManagement/v13/${path}`, body);
const byGoal = (accountId: string, body: object): Promise<Answer> =>
  call(accountId, 'OfflineConversionReport/QueryByGoalIds', body);
const goalId = (accountId: string, index: number): string => `${accountId.slice(-6)}${index}`;

async function click(accountId: string): Promise<string> {
  return String((await microsoft.admin('microsoft-ads/clicks', { accountId })).body.id);
}

/** Uploads a conversion for each click. The times make them different. */
async function upload(accountId: string, clicks: string[], overrides: object = {}): Promise<Answer> {
  const rows = clicks.map((MicrosoftClickId, index) => ({
    MicrosoftClickId,
    ConversionName: 'Closed deal',
    ConversionTime: minutesAgo(50 - index),
    ...overrides,
  }));
  return call(accountId, 'OfflineConversions/Apply', { OfflineConversions: rows });
}

const totals = async (accountId: string): Promise<Json | undefined> =>
  (await microsoft.admin(`microsoft-ads/received?accountId=${accountId}`)).body.totals;

describe('a report by goal', () => {
  it.each([
    ['no goals', { GoalIds: null, ...range(7) }],
    ['more than 20 goals', { GoalIds: Array.from({ length: 21 }, () => goalId(de, 4)), ...range(7) }],
    ['more than seven days', { GoalIds: [goalId(de, 4)], ...range(8) }],
    ['no range', { GoalIds: [goalId(de, 4)] }],
  ])('is rejected with %s', async (_, body) => {
    const answer = await byGoal(de, body);
    expect([answer.status, errorOf(answer)]).toEqual([400, '201 ApiInputValidationError']);
  });

  it('has an error for an unknown goal, in the place of the goal', async () => {
    const answer = await byGoal(us, { GoalIds: [goalId(us, 4), '1'], ...range(1) });
    expect(partialErrorsOf(answer)).toEqual(['1:5314 InvalidConversionGoalId']);
    expect(answer.body.OfflineGoalConversionSummaries?.[1]).toBeNull();
  });

  it('reports why accepted conversions were not attributed, and leaves rejected ones out', async () => {
    const id = await click(de);
    await upload(de, [id, unknownClick, unknownClick]);
    await upload(de, [id], { ConversionTime: minutesAgo(-60) });
    await upload(de, [unknownClick], { ConversionTime: minutesAgo(20) });
    await upload(de, [unknownClick], { ConversionName: 'Qualified lead' });
    const answer = await byGoal(de, { GoalIds: [goalId(de, 4)], ...range(6) });
    const alerts = [{ Count: '3', UnattributedReason: 'NoMatchingClickFound' }];
    expect(answer.body).toEqual({
      OfflineGoalConversionSummaries: [
        {
          ConversionName: 'Closed deal',
          DailySummaries: [
            {
              Alerts: alerts,
              GoalId: goalId(de, 4),
              SuccessCount: 1,
              SuccessRate: 0.25,
              UnattributedCount: 3,
              UploadDate: `${new Date().toISOString().slice(0, 10)}T00:00:00`,
            },
          ],
          GoalId: goalId(de, 4),
          OverallAlerts: alerts,
          OverallSuccessCount: '1',
          OverallSuccessRate: 0.25,
          OverallUnattributedCount: '3',
        },
      ],
      PartialErrors: [],
    });
  });

  it('is days late, with a fault', async () => {
    await upload(us, [await click(us)]);
    await microsoft.fault('late_conversion_report', { days: 2 });
    const countAfter = async (days: number): Promise<string> => {
      await microsoft.admin('clock', { offsetDays: days });
      const body = { StartDateUtc: minutesAgo(day), EndDateUtc: minutesAgo(-day), GoalIds: [goalId(us, 4)] };
      return String((await byGoal(us, body)).body.OfflineGoalConversionSummaries?.[0]?.OverallSuccessCount);
    };
    expect([await countAfter(0), await countAfter(1), await countAfter(3)]).toEqual(['0', '0', '1']);
  });
});

describe('a daily report', () => {
  it('counts accepted and rejected rows', async () => {
    await upload(outlet, [await click(outlet), unknownClick, 'abc']);
    const answer = await call(outlet, 'OfflineConversionReports/Query', range(3));
    expect(answer.body.DailySummaries).toEqual([
      {
        FailureCount: 1,
        FileUrl: null,
        FileUrlExpiryTimeUtc: null,
        SuccessCount: 2,
        UploadDate: `${new Date().toISOString().slice(0, 10)}T00:00:00`,
      },
    ]);
    expect(
      (await call(outlet, 'OfflineConversionReports/Query', { StartDateUtc: minutesAgo(3), EndDateUtc: minutesAgo(2) })).body,
    ).toEqual({ DailySummaries: [] });
  });
});

describe('with a fault', () => {
  it('conversions are accepted without an error, and are in no report', async () => {
    const before = await totals('180500013');
    await microsoft.fault('drop_conversions', { everyNth: 2 });
    const clicks = [await click('180500013'), await click('180500013')];
    expect((await upload('180500013', clicks)).body).toEqual({ PartialErrors: [] });
    expect(await totals('180500013')).toMatchObject({ received: 2, lost: 1, stored: 1, counted: 1 });
    expect(before).toMatchObject({ received: 0 });
    const report = await call('180500013', 'OfflineConversionReports/Query', range(3));
    expect(report.body.DailySummaries?.[0]?.SuccessCount).toBe(1);
  });

  it.each([
    [{ everyNth: 2 }, ['1:5612 OfflineConversionsApplyFailed']],
    [
      { errorCode: 'OfflineConversionPilotNotEnabledForCustomer' },
      ['1:5613 OfflineConversionPilotNotEnabledForCustomer', '0:5613 OfflineConversionPilotNotEnabledForCustomer'],
    ],
  ])('rows are rejected: %o', async (parameters, errors) => {
    await microsoft.fault('reject_conversions', { event: 'offline_conversions', ...parameters });
    expect(partialErrorsOf(await upload(outlet, [await click(outlet), await click(outlet)]))).toEqual(errors);
  });

  it.each([{}, { drop: true }])('conversions are stored although the answer is lost %o', async (parameters) => {
    const before = Number((await totals(de))?.counted);
    await microsoft.fault('fail_after_applying', { accountId: de, ...parameters });
    const answer = await upload(de, [await click(de)]).catch(() => null);
    if ('drop' in parameters) expect(answer).toBeNull();
    else expect([answer?.status, errorOf(answer!)]).toEqual([500, '0 InternalError']);
    expect(Number((await totals(de))?.counted)).toBe(before + 1);
  });

  it('only the named operation is throttled', async () => {
    await microsoft.fault('throttle', { event: 'offline_conversions' });
    expect(errorOf(await upload(de, [unknownClick]))).toBe('117 CallRateExceeded');
    expect((await call(de, 'OfflineConversionReports/Query', range(1))).status).toBe(200);
  });
});

describe('goals of offline conversions', () => {
  it('are listed with their revenue and whether they accept persons', async () => {
    await microsoft.admin('microsoft-ads/goals', { accountId: outlet, name: 'Showroom visit', isEnhanced: true });
    const body = { ConversionGoalIds: null, ConversionGoalTypes: 'OfflineConversion' };
    const requested = { ...body, ReturnAdditionalFields: 'IsEnhancedConversionsEnabled' };
    const answer = await call(outlet, 'ConversionGoals/QueryByIds', requested);
    const goals = answer.body.ConversionGoals as unknown as Record<string, unknown>[];
    expect(
      goals.map(({ Id, Name, Status, Revenue, IsEnhancedConversionsEnabled }) => [
        Id,
        Name,
        Status,
        Revenue,
        IsEnhancedConversionsEnabled,
      ]),
    ).toEqual([
      [goalId(outlet, 4), 'Closed deal', 'Active', { CurrencyCode: 'GBP', Type: 'VariableValue', Value: 25 }, true],
      [goalId(outlet, 5), 'Qualified lead', 'Active', { CurrencyCode: 'GBP', Type: 'FixedValue', Value: 10 }, false],
      [goalId(outlet, 6), 'Closed deal (old)', 'Paused', { CurrencyCode: 'GBP', Type: 'VariableValue', Value: 25 }, false],
      [goalId(outlet, 7), 'Renewal', 'Active', { CurrencyCode: null, Type: 'NoValue', Value: null }, false],
      [goalId(outlet, 8), 'Showroom visit', 'Active', { CurrencyCode: 'GBP', Type: 'VariableValue', Value: 25 }, true],
    ]);
    const one = await call(outlet, 'ConversionGoals/QueryByIds', { ...body, ConversionGoalIds: [goalId(outlet, 5)] });
    expect(one.body.ConversionGoals).toMatchObject([
      { Name: 'Qualified lead', CountType: 'Unique', Type: 'OfflineConversion', IsEnhancedConversionsEnabled: null },
    ]);
  });
});
