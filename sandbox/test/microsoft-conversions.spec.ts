import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  de,
  errorOf,
  johnsEmail,
  johnsPhone,
  minutesAgo,
  partialErrorsOf,
  startMicrosoft,
  us,
  type Answer,
} from './microsoft.ts';

let microsoft: Awaited<ReturnType<typeof startMicrosoft>>;
let demo: string;
beforeAll(async () => {
  microsoft = await startMicrosoft();
  demo = (await microsoft.signIn()).access;
});
afterEach(() => microsoft.admin('faults', undefined, 'DELETE'));
afterAll(() => microsoft.close());

const day = 24 * 60;
const unknownClick = 'dd4afccc-b1c9-4a4c-ad95-44dd7e5006ab';

/** A new click on an ad of the account. Returns its id. */
async function click(overrides: object = {}): Promise<string> {
  return String((await microsoft.admin('microsoft-ads/clicks', { accountId: de, ...overrides })).body.id);
}

const call = (path: string, body: object, accountId = de): Promise<Answer> =>
  microsoft.accountCall(demo, accountId, `CampaignManagement/v13/${path}`, body);
const apply = (rows: unknown): Promise<Answer> => call('OfflineConversions/Apply', { OfflineConversions: rows });
const adjust = (rows: unknown): Promise<Answer> =>
  call('OfflineConversionAdjustments/Apply', { OfflineConversionAdjustments: rows });

const deal = (MicrosoftClickId: string, overrides: object = {}): Record<string, unknown> => ({
  MicrosoftClickId,
  ConversionName: 'Closed deal',
  ConversionTime: minutesAgo(30),
  ConversionValue: 12.5,
  ConversionCurrencyCode: 'USD',
  ...overrides,
});

interface Row {
  kind: string;
  outcome: string;
  reason: string | null;
  isCounted: boolean;
  isRetracted: boolean;
  value: number | null;
  currency: string | null;
}

/** The last rows that the sandbox received. */
async function lastRows(count = 1): Promise<Row[]> {
  const { rows } = (await microsoft.admin(`microsoft-ads/received?accountId=${de}&limit=${count}`)).body;
  return rows as unknown as Row[];
}

const outcomes = async (count: number): Promise<string[]> =>
  (await lastRows(count)).map(({ outcome, reason }) => reason ?? outcome);

describe('an upload is rejected as a whole', () => {
  it.each([
    ['no list', undefined, '5600 OfflineConversionsNullOrEmpty'],
    ['an empty list', [], '5600 OfflineConversionsNullOrEmpty'],
    ['more than 1,000 rows', Array.from({ length: 1_001 }, () => deal(unknownClick)), '5601 OfflineConversionsLimitExceeded'],
    ['a time that cannot be read', [deal(unknownClick), deal(unknownClick, { ConversionTime: '1 Nov' })], '100 NullRequest'],
    ['a value that is a text', [deal(unknownClick, { ConversionValue: '12.50' })], '100 NullRequest'],
  ])('with %s', async (_, rows, error) => {
    const answer = await apply(rows);
    expect([answer.status, errorOf(answer)]).toEqual([400, error]);
    expect(errorOf(await adjust(rows === undefined || rows.length !== 1 ? rows : [{ AdjustmentValue: '1' }]))).toBe(error);
  });

  it('without access to the account', async () => {
    await microsoft.fault('permission', { accountId: us });
    expect(errorOf(await call('OfflineConversions/Apply', { OfflineConversions: [deal(unknownClick)] }, us))).toBe(
      '106 UserIsNotAuthorized',
    );
  });
});

describe('a row is rejected', () => {
  const rejected: [string, object | null, string][] = [
    ['that is null', null, '5602 OfflineConversionIsNull'],
    ['without a click id or a person', { MicrosoftClickId: '' }, '5603 OfflineConversionMicrosoftClickIdNullOrEmpty'],
    ['with a click id that is no UUID', { MicrosoftClickId: 'abc' }, '5604 OfflineConversionMicrosoftClickIdInvalid'],
    ['without a goal', { ConversionName: null }, '5605 OfflineConversionNameNullOrEmpty'],
    ['for a goal of another kind', { ConversionName: 'Newsletter sign-up' }, '5606 OfflineConversionNameInvalid'],
    ['with a time that is no real one', { ConversionTime: '0001-01-01T00:00:00' }, '5607 OfflineConversionTimeInvalid'],
    ['without a time', { ConversionTime: null }, '5608 OfflineConversionTimeNullOrEmpty'],
    ['older than 90 days', { ConversionTime: minutesAgo(90 * day + 1) }, '5609 OfflineConversionTimeOutOfWindow'],
    ['with a negative value', { ConversionValue: -1 }, '5610 OfflineConversionValueInvalid'],
    ['with an unknown currency', { ConversionCurrencyCode: 'XXY' }, '5611 OfflineConversionCurrencyCodeInvalid'],
    ['in the future', { ConversionTime: minutesAgo(-60) }, '5614 FutureConversionTimeCannotBeSet'],
    ['with a plain email address', { HashedEmailAddress: 'john@contoso.com' }, '5692 ConversionEmailAddressIsNotHashed'],
    ['with a plain phone number', { HashedPhoneNumber: '+14255551234' }, '5693 ConversionPhoneNumberIsNotHashed'],
    [
      'with a person alone, for a goal without enhanced conversions',
      { MicrosoftClickId: null, HashedEmailAddress: johnsEmail, ConversionName: 'Qualified lead' },
      '5691 NotEligibleForEnhancedConversions',
    ],
    ['with external attribution', { ExternalAttributionCredit: 0.5 }, '5694 GoalNotEligibleForExternalAttribution'],
  ];

  it.each(rejected)('%s', async (_, overrides, error) => {
    const answer = await apply([overrides === null ? null : deal(unknownClick, overrides)]);
    expect([answer.status, partialErrorsOf(answer)]).toEqual([200, [`0:${error}`]]);
    expect(await outcomes(1)).toEqual(['rejected']);
  });

  it.each([
    ['before its click', 30, '5616 ConversionTimeEarlierThanClickTime'],
    ['later than the window of its goal', 40 * day, '5617 ClickIdDateTimeOutsideGoalConversionWindow'],
  ])('that happened %s', async (_, clickAge, error) => {
    const id = await click({ minutesAgo: clickAge });
    expect(partialErrorsOf(await apply([deal(id, { ConversionTime: minutesAgo(60) })]))).toEqual([`0:${error}`]);
  });

  it('while its goal is younger than two hours', async () => {
    const id = await click();
    await microsoft.admin('microsoft-ads/goals', { accountId: de, name: 'Demo held', minutesAgo: 119 });
    await microsoft.admin('microsoft-ads/goals', { accountId: de, name: 'Demo booked', minutesAgo: 121 });
    const answer = await apply([deal(id, { ConversionName: 'Demo held' }), deal(id, { ConversionName: 'Demo booked' })]);
    expect(partialErrorsOf(answer)).toEqual(['0:5615 OfflineConversionNotAcceptedForGoal']);
  });

  it('with two errors, which are not in the order of the rows', async () => {
    const id = await click();
    const answer = await apply([
      deal(id, { ConversionName: 'Unknown' }),
      deal(id),
      deal(id, { ConversionValue: -1, ConversionCurrencyCode: 'euro' }),
    ]);
    expect(partialErrorsOf(answer)).toEqual([
      '2:5611 OfflineConversionCurrencyCodeInvalid',
      '2:5610 OfflineConversionValueInvalid',
      '0:5606 OfflineConversionNameInvalid',
    ]);
    expect(answer.body.PartialErrors?.[0]).toEqual({
      Code: 5_611,
      Details: null,
      ErrorCode: 'OfflineConversionCurrencyCodeInvalid',
      FieldPath: null,
      ForwardCompatibilityMap: null,
      Index: 2,
      Message: expect.any(String) as string,
      Type: 'BatchError',
    });
    expect(await outcomes(3)).toEqual(['rejected', 'attributed', 'rejected']);
  });
});

describe('an accepted row', () => {
  it('is attributed to its click, with and without hyphens', async () => {
    const id = await click();
    const { body } = await microsoft.admin(`microsoft-ads/clicks?accountId=${de}`);
    const seeded = (body.clicks as unknown as { id: string; clickedAt: number }[]).at(-10)!;
    const seededTime = new Date(seeded.clickedAt + 60_000).toISOString();
    const answer = await apply([
      deal(id.toUpperCase()),
      deal(seeded.id, { ConversionTime: seededTime }),
      deal(seeded.id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), {
        ConversionTime: seededTime,
        HashedEmailAddress: johnsEmail,
      }),
    ]);
    expect([answer.body, await outcomes(3)]).toEqual([{ PartialErrors: [] }, ['attributed', 'attributed', 'attributed']]);
  });

  it.each([
    ['whose click is unknown', deal(unknownClick), 'NoMatchingClickFound'],
    ['whose person is unknown', deal('', { HashedPhoneNumber: johnsPhone }), 'MissingMatchIdentifiers'],
    ['of a paused goal', deal(unknownClick, { ConversionName: 'Closed deal (old)' }), 'GoalNotFoundOrInactive'],
  ])('is not attributed: one %s', async (_, row, reason) => {
    expect((await apply([row])).body).toEqual({ PartialErrors: [] });
    expect(await outcomes(1)).toEqual([reason]);
  });

  it('is not attributed to a click of another account, or to one outside the window', async () => {
    const other = await click({ accountId: us });
    const email = 'a'.repeat(64);
    await click({ minutesAgo: 40 * day, hashedEmailAddress: email });
    await apply([deal(other), deal('', { HashedEmailAddress: email })]);
    expect(await outcomes(2)).toEqual(['AccountMismatch', 'OutsideGoalLookbackWindow']);
    await apply([deal('', { HashedEmailAddress: email, ConversionTime: minutesAgo(50 * day) })]);
    expect(await outcomes(1)).toEqual(['ClickTimestampAfterConversion']);
  });

  it('is attributed to the latest earlier click of the person', async () => {
    await click({ minutesAgo: 100, hashedPhoneNumber: 'b'.repeat(64) });
    await click({ minutesAgo: 5, hashedPhoneNumber: 'b'.repeat(64) });
    await apply([deal('', { HashedPhoneNumber: 'b'.repeat(64) })]);
    expect(await outcomes(1)).toEqual(['attributed']);
  });

  it('is ignored without an error when all five parts of its key are known', async () => {
    const id = await click();
    const row = deal(id);
    const answers = [await apply([row, row]), await apply([{ ...row, ConversionValue: 99 }])];
    expect(answers.map(({ body }) => body)).toEqual([{ PartialErrors: [] }, { PartialErrors: [] }]);
    expect(await outcomes(3)).toEqual(['attributed', 'DuplicateConversionKey', 'DuplicateConversionKey']);
    await apply([
      { ...row, HashedEmailAddress: johnsEmail },
      { ...row, HashedPhoneNumber: johnsPhone },
      { ...row, ConversionTime: minutesAgo(29) },
      { ...row, ConversionName: 'Qualified lead' },
    ]);
    expect(await outcomes(4)).toEqual(['attributed', 'attributed', 'attributed', 'attributed']);
  });

  it('counts once a click, for a goal that counts so', async () => {
    const id = await click();
    const rows = [40, 30, 20].map((age) => deal(id, { ConversionName: 'Qualified lead', ConversionTime: minutesAgo(age) }));
    await apply(rows);
    expect((await lastRows(3)).map(({ isCounted }) => isCounted)).toEqual([true, false, false]);
  });

  it.each([
    ['its own value', 'Closed deal', {}, [12.5, 'USD']],
    [
      'the value of the goal, if it has none',
      'Closed deal',
      { ConversionValue: null, ConversionCurrencyCode: null },
      [25, 'EUR'],
    ],
    ['a value of zero', 'Closed deal', { ConversionValue: 0 }, [0, 'USD']],
    ['its own value instead of a fixed one', 'Qualified lead', {}, [12.5, 'USD']],
    ['no value, for a goal without revenue', 'Renewal', {}, [null, null]],
  ])('is booked with %s', async (_, name, overrides, booked) => {
    await apply([deal(await click(), { ConversionName: name, ...overrides })]);
    expect((await lastRows()).map(({ value, currency }) => [value, currency])).toEqual([booked]);
  });
});

describe('an adjustment', () => {
  const restatement = { AdjustmentType: 'Restate', AdjustmentValue: 5, AdjustmentCurrencyCode: 'EUR' };
  const of = (row: Record<string, unknown>, overrides: object): Record<string, unknown> => ({
    MicrosoftClickId: row.MicrosoftClickId,
    ConversionName: row.ConversionName,
    ConversionTime: row.ConversionTime,
    AdjustmentTime: minutesAgo(1),
    ...overrides,
  });

  it.each([
    ['of an unknown type', { ...restatement, AdjustmentType: 'Delete' }, '5618 OfflineConversionInvalidAdjustmentType'],
    ['without a time', { ...restatement, AdjustmentTime: null }, '5619 OfflineConversionAdjustmentTimeNullOrEmpty'],
    [
      'before its conversion',
      { ...restatement, AdjustmentTime: minutesAgo(31) },
      '5620 OfflineConversionAdjustmentTimeEarlierThanConversionTime',
    ],
    [
      'with a time that is no real one',
      { ...restatement, AdjustmentTime: '0001-01-01T00:00:00Z' },
      '5621 OfflineConversionAdjustmentTimeInvalid',
    ],
    [
      'in the future',
      { ...restatement, AdjustmentTime: minutesAgo(-60) },
      '5622 OfflineConversionFutureAdjustmentTimeCannotBeSet',
    ],
    [
      'older than 90 days',
      { ...restatement, AdjustmentTime: minutesAgo(91 * day) },
      '5623 OfflineConversionAdjustmentTimeOutOfWindow',
    ],
    [
      'that retracts, with a value',
      { AdjustmentType: 'Retract', AdjustmentValue: 0 },
      '5624 OfflineConversionAdjustmentValueNotExpected',
    ],
    ['without a value', { ...restatement, AdjustmentValue: null }, '5625 OfflineConversionAdjustmentValueRequired'],
    ['without a currency', { ...restatement, AdjustmentCurrencyCode: null }, '5626 OfflineConversionCurrencyValueRequired'],
  ])('is rejected: one %s', async (_, overrides, error) => {
    expect(partialErrorsOf(await adjust([of(deal(await click()), overrides)]))).toEqual([`0:${error}`]);
  });

  it('is rejected for a goal whose conversions cannot be adjusted', async () => {
    const answer = await adjust([of(deal(await click(), { ConversionName: 'Renewal' }), restatement)]);
    expect(partialErrorsOf(answer)).toEqual(['0:5627 OfflineConversionRestateRetractNotSupported']);
  });

  it('without an original is accepted and has no effect', async () => {
    const answer = await adjust([of(deal(unknownClick), restatement)]);
    expect([answer.body, await outcomes(1)]).toEqual([{ PartialErrors: [] }, ['AdjustmentOriginalNotFound']]);
  });

  it('restates, retracts once, and is accepted without effect afterwards', async () => {
    const row = deal(await click());
    await apply([row]);
    await adjust([of(row, restatement)]);
    expect((await lastRows(2))[0]).toMatchObject({ value: 5, currency: 'EUR', isCounted: true });
    expect((await adjust([of(row, { AdjustmentType: 'Retract' })])).body).toEqual({ PartialErrors: [] });
    expect((await lastRows(3))[0]).toMatchObject({ isCounted: false, isRetracted: true });
    const again = await adjust([of(row, { AdjustmentType: 'Retract' }), of(row, restatement)]);
    expect(again.body).toEqual({ PartialErrors: [] });
    expect(await outcomes(2)).toEqual(['ConversionAlreadyRetracted', 'ConversionAlreadyRetracted']);
  });

  it('does not reach a click older than 90 days', async () => {
    const row = deal(await click({ minutesAgo: 80 * day }), { ConversionTime: minutesAgo(60 * day) });
    await apply([row]);
    await microsoft.admin('clock', { offsetDays: 11 });
    await adjust([of(row, restatement)]);
    await microsoft.admin('clock', { offsetDays: 0 });
    expect(await outcomes(2)).toEqual(['attributed', 'HistoricalClickDataExpired']);
  });
});

describe('what was received', () => {
  it('is still known after a restart, with its adjustments', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const first = await startMicrosoft({ dataDir });
    const { access } = await first.signIn();
    const id = String((await first.admin('microsoft-ads/clicks', { accountId: de })).body.id);
    const row = deal(id);
    const path = 'CampaignManagement/v13/OfflineConversion';
    await first.accountCall(access, de, `${path}s/Apply`, { OfflineConversions: [row] });
    const retraction = { ...row, AdjustmentType: 'Retract', AdjustmentTime: minutesAgo(1) };
    await first.accountCall(access, de, `${path}Adjustments/Apply`, { OfflineConversionAdjustments: [retraction] });
    const before = (await first.admin('microsoft-ads/received')).body;
    await first.close();
    const second = await startMicrosoft({ dataDir });
    expect((await second.admin('microsoft-ads/received')).body).toEqual(before);
    expect(before.totals).toMatchObject({ received: 2, attributed: 2, counted: 0 });
    await second.close();
    rmSync(dataDir, { recursive: true });
  });

  it.each([
    ['received?accountId=1', undefined],
    ['received?tagId=1', undefined],
    ['received?limit=0', undefined],
    ['clicks', {}],
    ['clicks', { accountId: de, clickId: 'abc' }],
    ['goals', { accountId: de }],
    ['goals', { accountId: de, name: 'A goal', minutesAgo: 'two' }],
    ['uet-events', {}],
  ])('cannot be asked for with %s %o', async (path, body) => {
    expect((await microsoft.admin(`microsoft-ads/${path}`, body)).status).toBe(400);
  });
});
