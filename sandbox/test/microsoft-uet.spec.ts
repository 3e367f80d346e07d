import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { de, errorOf, johnsEmail, minutesAgo, outlet, partialErrorsOf, startMicrosoft, us } from './microsoft.ts';
import type { Answer, Json } from './microsoft.ts';

let microsoft: Awaited<ReturnType<typeof startMicrosoft>>;
let demo: string;
let key: string;
let clickId: string;
beforeAll(async () => {
  microsoft = await startMicrosoft();
  demo = (await microsoft.signIn()).access;
  key = String((await keyOf(de, { UetTagId: tag })).body.UetTagAuthKey);
  const { id } = (await microsoft.admin('microsoft-ads/clicks', { accountId: de, hashedEmailAddress: johnsEmail })).body;
  clickId = String(id).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
});
afterEach(() => microsoft.admin('faults', undefined, 'DELETE'));
afterAll(() => microsoft.close());

const tag = de.slice(1);
const outletTag = outlet.slice(1);

const keyOf = (accountId: string, body: object): Promise<Answer> =>
  microsoft.accountCall(demo, accountId, 'CampaignManagement/v13/UetTagAuthKey/Query', body);

interface Sending {
  tagId?: string;
  token?: string;
  more?: object;
}

async function send(data: unknown, { tagId = tag, token = key, more = {} }: Sending = {}): Promise<Answer> {
  const answer = await fetch(`${microsoft.url}/microsoft-ads/uet/v1/${tagId}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data, ...more }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? { text } : JSON.parse(text)) as Json };
}

const lenient = { more: { continueOnValidationError: true } };
const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1_000) - seconds;

/** Ids are unique per test, because one sandbox serves them all. */
let ids = 0;
const newId = (): string => `event-${(ids += 1)}`;

function purchase(overrides: object = {}): Record<string, unknown> {
  return {
    eventType: 'custom',
    eventId: newId(),
    eventName: 'purchase',
    eventTime: secondsAgo(60),
    userData: { msclkid: clickId },
    customData: { value: 12.5, currency: 'USD', transactionId: newId() },
    ...overrides,
  };
}

interface Row {
  outcome: string;
  isCounted: boolean;
  value: number | null;
  currency: string | null;
  removed: string[];
}

async function lastRows(count = 1): Promise<Row[]> {
  const { rows } = (await microsoft.admin(`microsoft-ads/received?tagId=${tag}&limit=${count}`)).body;
  return rows as unknown as Row[];
}

const outcomes = async (count: number): Promise<string[]> => (await lastRows(count)).map(({ outcome }) => outcome);

/** 'data[0].eventTime InvalidEventTime', with '(removed)' for a warning. */
function problemsOf({ body }: Answer): string[] {
  const details = (body.error?.details ?? []) as unknown as { propertyName: string; errorCode: string; isWarning: boolean }[];
  return details.map(({ propertyName, errorCode, isWarning }) => `${propertyName} ${errorCode}${isWarning ? ' (removed)' : ''}`);
}

describe('the key of a tag', () => {
  it('is not given for a missing, unknown or invisible tag', async () => {
    const answers = [await keyOf(de, {}), await keyOf(de, { UetTagId: '1' }), await keyOf(outlet, { UetTagId: tag })];
    expect(answers.map(partialErrorsOf)).toEqual([
      ['0:5312 UetTagIdIsNull'],
      ['0:5300 InvalidUetTagId'],
      ['0:5300 InvalidUetTagId'],
    ]);
    expect(answers.map(({ body }) => body.UetTagAuthKey)).toEqual([null, null, null]);
  });

  it('is created by the owner only, and then readable where the tag is shared', async () => {
    expect(errorOf(await keyOf(us, { UetTagId: outletTag }))).toBe('106 UserIsNotAuthorized');
    const created = await keyOf(outlet, { UetTagId: Number(outletTag) });
    expect(created.body.UetTagAuthKey).toMatch(/^[\da-f-]{36}$/);
    expect((await keyOf(us, { UetTagId: outletTag })).body).toEqual(created.body);
  });

  it('has other names in the guide, by a fault', async () => {
    await microsoft.fault('guide_key_format');
    expect((await keyOf(de, { TagId: tag })).body).toEqual({ TagAuthKey: { AuthKey: key }, PartialErrors: [] });
    expect(partialErrorsOf(await keyOf(de, { UetTagId: tag }))).toEqual(['0:5312 UetTagIdIsNull']);
  });

  it('belongs to one of the tags that can be listed', async () => {
    const list = (body: object): Promise<Answer> =>
      microsoft.accountCall(demo, us, 'CampaignManagement/v13/UetTags/QueryByIds', body);
    const all = (await list({ TagIds: null })).body.UetTags as unknown as Record<string, unknown>[];
    expect(all.map(({ Id }) => Id)).toEqual(expect.arrayContaining([tag, us.slice(1), outletTag]));
    const some = await list({ TagIds: [outletTag, '1'] });
    expect(partialErrorsOf(some)).toEqual(['1:5300 InvalidUetTagId']);
    expect(some.body.UetTags).toMatchObject([
      { Name: 'Northwind Outlet site', CustomerShare: { OwnerCustomerId: '160100002' } },
      null,
    ]);
  });
});

describe('a request is rejected', () => {
  const unauthorized = { error: { code: 'Unauthorized', message: 'You are not authorized to access this resource.' } };

  it('without the key of the tag', async () => {
    const answers = [
      await send([purchase()], { token: 'wrong' }),
      await send([purchase()], { token: demo }),
      await send([purchase()], { tagId: us.slice(1) }),
      await send([purchase()], { tagId: '1' }),
    ];
    expect(answers).toEqual(Array.from({ length: 4 }, () => ({ status: 401, body: unauthorized })));
  });

  it('with the old key, after the key was renewed', async () => {
    await microsoft.fault('renew_key', { tagId: tag });
    expect((await send([purchase()])).status).toBe(401);
    key = String((await keyOf(de, { UetTagId: tag })).body.UetTagAuthKey);
    expect((await send([purchase()])).status).toBe(200);
  });

  it.each([
    ['no events', [], 'data Empty'],
    ['no list', undefined, 'data Empty'],
    ['more than 1,000 events', Array.from({ length: 1_001 }, () => ({})), 'data TooManyEvents'],
  ])('with %s', async (_, data, problem) => {
    const answer = await send(data);
    expect([answer.status, problemsOf(answer)]).toEqual([400, [problem]]);
  });
});

describe('an event is invalid', () => {
  const invalid: [string, object, string][] = [
    ['of an unknown type', { eventType: 'purchase' }, 'eventType InvalidEnumValue'],
    ['without a time', { eventTime: null }, 'eventTime Empty'],
    ['older than seven days', { eventTime: secondsAgo(7 * 86_400 + 60) }, 'eventTime InvalidEventTime'],
    ['in the future', { eventTime: secondsAgo(-600) }, 'eventTime InvalidEventTime'],
    ['with a time in milliseconds', { eventTime: Date.now() }, 'eventTime InvalidEventTime'],
    ['without any identifier', { userData: { clientUserAgent: 'a', clientIpAddress: '203.0.113.7', em: '' } }, 'userData Empty'],
    ['of a page without an address', { eventType: 'pageLoad' }, 'eventSourceUrl Empty'],
    ['of a page with a wrong address', { eventType: 'pageLoad', eventSourceUrl: 'shop' }, 'eventSourceUrl InvalidUrl'],
  ];

  it.each(invalid)('%s, and refuses its batch', async (_, overrides, problem) => {
    const answer = await send([purchase(), purchase(overrides)]);
    expect([answer.status, problemsOf(answer)]).toEqual([400, [`data[1].${problem}`]]);
    expect(answer.body.error?.code).toBe('ValidationError');
    expect(await outcomes(2)).toEqual(['rejected', 'rejected']);
  });

  it('and only that one is skipped with continueOnValidationError', async () => {
    const answer = await send([purchase({ eventTime: 1 }), purchase(), purchase()], lenient);
    expect([answer.status, answer.body.eventsReceived]).toEqual([200, 2]);
    expect(answer.body.error).toEqual({
      code: 'ValidationError',
      message: expect.stringContaining('only the first 10 errors and warnings are shown') as string,
      details: [
        {
          index: 0,
          propertyName: 'data[0].eventTime',
          attemptedValue: 1,
          errorMessage: expect.any(String) as string,
          errorCode: 'InvalidEventTime',
          isWarning: false,
        },
      ],
    });
    expect(await outcomes(3)).toEqual(['rejected', 'attributed', 'attributed']);
    expect((await send([purchase({ eventTime: 1 })], lenient)).status).toBe(400);
  });

  it('as 12 of 20, and only the first ten are listed', async () => {
    const data = Array.from({ length: 20 }, (_, index) => purchase(index < 12 ? { eventTime: 1 } : {}));
    const answer = await send(data, lenient);
    expect([answer.status, answer.body.eventsReceived, problemsOf(answer).length]).toEqual([200, 8, 10]);
    await microsoft.fault('reject_events', { endpoint: 'uet', times: 1 });
    const byFault = await send(
      Array.from({ length: 20 }, () => purchase()),
      lenient,
    );
    expect([byFault.body.eventsReceived, problemsOf(byFault).length]).toEqual([8, 10]);
  });
});

describe('a property with a warning is removed and its event received', () => {
  const warned: [string, object, string][] = [
    ['referrerUrl', { referrerUrl: 'shop' }, 'referrerUrl InvalidUrl'],
    ['eventSourceUrl of a custom event', { eventSourceUrl: 'shop' }, 'eventSourceUrl InvalidUrl'],
    ['pageLoadId', { pageLoadId: '1' }, 'pageLoadId InvalidUuid'],
    ['adStorageConsent', { adStorageConsent: 'granted' }, 'adStorageConsent InvalidEnumValue'],
    ['currency', { customData: { value: 1, currency: 'euro' } }, 'customData.currency InvalidCurrency'],
    ['pageType', { customData: { pageType: 'checkout' } }, 'customData.pageType InvalidEnumValue'],
    ['value', { customData: { value: '12.50' } }, 'customData.value InvalidNumber'],
    ['price of an item', { customData: { items: [{ id: 'a' }] } }, 'customData.items[0].price Empty'],
    ['msclkid, the only identifier', { userData: { msclkid: 'abc' } }, 'userData.msclkid InvalidUuid'],
    ['em, the only identifier', { userData: { em: 'john@contoso.com' } }, 'userData.em InvalidSha256'],
    ['ph in upper case', { userData: { msclkid: clickId, ph: johnsEmail.toUpperCase() } }, 'userData.ph InvalidSha256'],
  ];

  it.each(warned)('%s', async (_, overrides, problem) => {
    const answer = await send([purchase(overrides)]);
    expect([answer.status, answer.body.eventsReceived]).toEqual([200, 1]);
    expect(problemsOf(answer)).toEqual([`data[0].${problem} (removed)`]);
    expect(answer.body.error?.code).toBe('ValidationWarning');
    expect((await lastRows())[0]?.removed).toEqual([`data[0].${problem.split(' ')[0]}`]);
  });

  it('so that an event can lose its currency, or its only identifier and its attribution', async () => {
    await send([purchase({ customData: { value: 12.5, currency: 'euro' } }), purchase({ userData: { em: 'john@contoso.com' } })]);
    expect(await lastRows(2)).toMatchObject([
      { outcome: 'attributed', value: 12.5, currency: null },
      { outcome: 'unattributed', isCounted: false },
    ]);
  });
});

describe('a received event', () => {
  it('has an answer without details', async () => {
    expect((await send([purchase(), purchase()])).body).toEqual({ eventsReceived: 2 });
  });

  it.each([
    ['by its click', { msclkid: '' }, 'attributed'],
    ['by the email address of a click', { em: johnsEmail }, 'attributed'],
    ['not by a visitor’s id', { anonymousId: 'b171a9b06ce011ecafcd1b209be8601b' }, 'unattributed'],
    ['not by an unknown click', { msclkid: 'dd4afccc-b1c9-4a4c-ad95-44dd7e5006ab' }, 'unattributed'],
  ])('is attributed %s', async (_, userData, outcome) => {
    const user = 'msclkid' in userData && userData.msclkid === '' ? { msclkid: clickId } : userData;
    await send([purchase({ userData: user, eventTime: secondsAgo(30) })]);
    expect(await outcomes(1)).toEqual([outcome]);
  });

  it('without consent is used for nothing, and without a statement counts as granted', async () => {
    await send([purchase({ adStorageConsent: 'D' }), purchase({ adStorageConsent: 'G' }), purchase()]);
    expect(await outcomes(3)).toEqual(['unattributed', 'attributed', 'attributed']);
  });

  it('has no revenue if a page was loaded', async () => {
    await send([purchase({ eventType: 'pageLoad', eventSourceUrl: 'https://shop.example/' })]);
    expect((await lastRows())[0]).toMatchObject({ outcome: 'attributed', isCounted: false, value: null });
  });

  it('counts once with the same tag, name and id, from the server and the browser', async () => {
    const [event, other] = [purchase(), purchase()];
    await microsoft.admin('microsoft-ads/uet-events', { tagId: tag, eventId: other.eventId, eventName: 'purchase' });
    await send([event, event, other, { ...event, eventName: 'sign-up' }, { ...event, eventId: undefined }]);
    expect(await outcomes(6)).toEqual(['attributed', 'attributed', 'duplicate', 'duplicate', 'attributed', 'attributed']);
    await microsoft.fault('count_repeated_events', { endpoint: 'uet' });
    await send([event]);
    expect(await outcomes(1)).toEqual(['attributed']);
  });
});

describe('an online adjustment', () => {
  const adjust = (rows: object[]): Promise<Answer> =>
    microsoft.accountCall(demo, de, 'CampaignManagement/v13/OnlineConversionAdjustments/Apply', {
      OnlineConversionAdjustments: rows,
    });
  const lastAdjustments = async (count: number): Promise<Json[]> => {
    const { rows } = (await microsoft.admin(`microsoft-ads/received?accountId=${de}&limit=${count}`)).body;
    return rows as unknown as Json[];
  };
  const row = (TransactionId: unknown, overrides: object = {}): object => ({
    AdjustmentType: 'Restate',
    AdjustmentTime: minutesAgo(0),
    AdjustmentValue: 3,
    AdjustmentCurrencyCode: 'EUR',
    ConversionName: 'Purchase, "all"',
    TransactionId,
    ...overrides,
  });

  it('is checked like those of offline conversions', async () => {
    const answer = await adjust([
      row('a', { ConversionName: 'Closed deal' }),
      row('a', { AdjustmentType: 'Retract' }),
      row('a', { AdjustmentCurrencyCode: null, AdjustmentTime: null }),
    ]);
    expect(partialErrorsOf(answer)).toEqual([
      '2:5626 OfflineConversionCurrencyValueRequired',
      '2:5619 OfflineConversionAdjustmentTimeNullOrEmpty',
      '1:5624 OfflineConversionAdjustmentValueNotExpected',
      '0:5606 OfflineConversionNameInvalid',
    ]);
  });

  it('finds its original by the transaction id', async () => {
    const transactionId = newId();
    await send([purchase({ customData: { value: 12.5, currency: 'USD', transactionId } })]);
    expect((await adjust([row(transactionId), row('unknown'), row(null)])).body).toEqual({ PartialErrors: [] });
    expect((await lastAdjustments(3)).map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      'attributed',
      'AdjustmentOriginalNotFound',
      'AdjustmentOriginalNotFound',
    ]);
    expect((await lastRows())[0]).toMatchObject({ value: 3, currency: 'EUR', isCounted: true });
    const retraction = row(transactionId, { AdjustmentType: 'Retract', AdjustmentValue: null, AdjustmentCurrencyCode: null });
    await adjust([retraction, retraction]);
    expect((await lastAdjustments(2)).map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      'attributed',
      'ConversionAlreadyRetracted',
    ]);
    expect((await lastRows())[0]).toMatchObject({ isCounted: false, isRetracted: true });
  });
});

describe('with a fault', () => {
  const onUet = (fault: string, parameters: object = {}): Promise<Answer> =>
    microsoft.fault(fault, { endpoint: 'uet', ...parameters });

  it.each([
    ['throttle', 429],
    ['server_error', 500],
    ['unavailable', 503],
  ])('the answer has no body: %s', async (fault, status) => {
    await onUet(fault, { times: 1 });
    expect(await send([purchase()])).toEqual({ status, body: { text: '' } });
    expect((await send([purchase()])).status).toBe(200);
  });

  it('the answer is late, or missing', async () => {
    await onUet('slow', { delayMs: 150, times: 1 });
    const startedAt = performance.now();
    await send([purchase()]);
    expect(performance.now() - startedAt).toBeGreaterThan(140);
    await onUet('drop_connection');
    await expect(send([purchase()])).rejects.toThrow();
  });

  it('fewer events are received than were sent', async () => {
    await onUet('fewer_events_received', { missing: 2 });
    expect((await send([purchase(), purchase(), purchase()])).body).toEqual({ eventsReceived: 1 });
    expect(await outcomes(3)).toEqual(['lost', 'lost', 'attributed']);
  });

  it.each([{}, { drop: true }])('events are stored although the answer is lost %o', async (parameters) => {
    await onUet('fail_after_applying', parameters);
    const event = purchase();
    const answer = await send([event]).catch(() => null);
    expect(answer?.status).toBe('drop' in parameters ? undefined : 500);
    await microsoft.admin('faults', undefined, 'DELETE');
    await send([event]);
    expect(await outcomes(2)).toEqual(['attributed', 'duplicate']);
  });
});
