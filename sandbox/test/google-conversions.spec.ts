import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adsScope, de, errorOf, jp, manager, outlet, rowsOf, us, type Json } from './google.ts';
import { aDestination, daysAgoAt, order, qualifiedLead, startDataManager, type Body } from './data-manager.ts';

let google: Awaited<ReturnType<typeof startDataManager>>;
beforeEach(async () => void (google = await startDataManager()));
afterEach(() => google.close());

const search = (customerId: string, query: string, login = manager) =>
  google.search(google.accessToken, customerId, query, login);

describe('conversion actions', () => {
  const query =
    'SELECT conversion_action.id, conversion_action.name, conversion_action.type, conversion_action.status, conversion_action.counting_type, conversion_action.owner_customer, conversion_action.primary_for_goal, conversion_action.value_settings.default_value, conversion_action.value_settings.always_use_default_value FROM conversion_action';
  const actionsOf = async (customerId: string): Promise<Json[]> =>
    rowsOf(await search(customerId, query)).map((row) => row.conversionAction as Json);

  it('for uploads are listed with their type and value', async () => {
    const uploads = (await actionsOf(de)).filter(({ type }) => String(type) === 'UPLOAD_CLICKS');
    expect(uploads.map(({ id, name, countingType }) => [id, name, countingType])).toEqual([
      [order, 'Order (import)', 'MANY_PER_CLICK'],
      [qualifiedLead, 'Qualified lead (import)', 'ONE_PER_CLICK'],
      ['7010000116', 'Signed contract (import)', 'MANY_PER_CLICK'],
    ]);
    expect(uploads.at(-1)).toMatchObject({ valueSettings: { defaultValue: 50, alwaysUseDefaultValue: true } });
  });

  it('belong to the manager with cross-account conversion tracking', async () => {
    const [own, shared] = [await actionsOf(us), await actionsOf(jp)];
    const ownersOf = (actions: Json[], type: string): string[] => [
      ...new Set(actions.filter((one) => String(one.type) === type).map((one) => String(one.ownerCustomer))),
    ];
    expect(ownersOf(own, 'UPLOAD_CLICKS')).toEqual([`customers/${us}`]);
    expect(ownersOf(shared, 'UPLOAD_CLICKS')).toEqual([`customers/${manager}`]);
    expect(ownersOf(shared, 'WEBPAGE')).toEqual([`customers/${jp}`]);
  });

  it('have ids that are unique in all accounts', async () => {
    const lists = await Promise.all([de, us, jp].map(actionsOf));
    const ids = lists.flat().map(({ id, ownerCustomer }) => `${String(ownerCustomer)} ${String(id)}`);
    expect(new Set(ids).size).toBe(new Set(ids.map((id) => id.split(' ')[1])).size);
  });

  it.each([
    [de, de, true, true],
    [jp, manager, true, true],
    [outlet, outlet, true, undefined],
  ])('of %s are owned by %s, with the terms of that account', async (customerId, owner, terms, leads) => {
    const fields = ['google_ads_conversion_customer', 'accepted_customer_data_terms', 'enhanced_conversions_for_leads_enabled'];
    const select = fields.map((field) => `customer.conversion_tracking_setting.${field}`).join(', ');
    const login = customerId === outlet ? outlet : manager;
    const [row] = rowsOf(await search(customerId, `SELECT ${select} FROM customer`, login));
    expect(row?.customer?.conversionTrackingSetting).toEqual({
      googleAdsConversionCustomer: `customers/${owner}`,
      acceptedCustomerDataTerms: terms,
      enhancedConversionsForLeadsEnabled: leads,
    });
  });
});

describe('the summary of uploads', () => {
  const resource = 'offline_conversion_upload_conversion_action_summary';
  const names = ['client', 'status', 'conversion_action_id', 'conversion_action_name', 'total_event_count'];
  const counts = [
    'successful_event_count',
    'pending_event_count',
    'last_upload_date_time',
    'daily_summaries',
    'job_summaries',
    'alerts',
  ];
  const query = `SELECT ${[...names, ...counts].map((name) => `${resource}.${name}`).join(', ')} FROM ${resource}`;
  const summary = async (): Promise<Json | undefined> =>
    rowsOf(await search(de, query))[0]?.offlineConversionUploadConversionActionSummary as Json | undefined;

  it.each(['WHERE', 'ORDER BY'])('cannot be used in %s by its lists', async (clause) => {
    const condition = clause === 'WHERE' ? `${resource}.alerts = 'x'` : `${resource}.alerts`;
    const code = `PROHIBITED_FIELD_IN_${clause.replace(' ', '_')}_CLAUSE`;
    expect(errorOf(await search(de, `${query} ${clause} ${condition}`))).toBe(`queryError ${code}`);
  });

  it('does not exist without uploads', async () => {
    expect(await summary()).toBeUndefined();
  });

  it('counts successful and failed events, by day and by job, with alerts', async () => {
    await google.ingest(await google.events(3));
    await google.ingestOne({ transactionId: 'x', adIdentifiers: { gclid: 'Cj0KCQabcdefghijklmnopqrstuvwxyz' } });
    const body = await summary();
    expect(body).toMatchObject({
      resourceName: `customers/${de}/offlineConversionUploadConversionActionSummaries/${order}~ADS_DATA_CONNECTOR`,
      client: 'ADS_DATA_CONNECTOR',
      status: 'NEEDS_ATTENTION',
      conversionActionId: order,
      conversionActionName: 'Order (import)',
      totalEventCount: '4',
      successfulEventCount: '3',
      dailySummaries: [{ successfulCount: '3', failedCount: '1' }],
      jobSummaries: [{ successfulCount: '3' }, { failedCount: '1' }],
      alerts: [{ error: { conversionUploadError: 'CLICK_NOT_FOUND' }, errorPercentage: 0.25 }],
    });
    expect(String(body?.lastUploadDateTime)).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
    expect(body).not.toHaveProperty('pendingEventCount');
  });

  it('counts events as pending while they are processed', async () => {
    await google.admin('data-manager/settings', { processingSeconds: 1_200 });
    await google.ingest(await google.events(2));
    expect(await summary()).toMatchObject({ totalEventCount: '2', pendingEventCount: '2', status: 'EXCELLENT' });
    await google.admin('clock', { offsetDays: 1 });
    expect(await summary()).toMatchObject({ successfulEventCount: '2' });
  });

  it('is EXCELLENT without failures, and NO_RECENT_UPLOAD after 28 days', async () => {
    await google.ingestOne();
    expect((await summary())?.status).toBe('EXCELLENT');
    await google.admin('clock', { offsetDays: 30 });
    expect((await summary())?.status).toBe('NO_RECENT_UPLOAD');
  });

  it('exists per client too', async () => {
    await google.ingest(await google.events(2));
    const client = 'offline_conversion_upload_client_summary';
    const [row] = rowsOf(await search(de, `SELECT ${client}.success_rate, ${client}.total_event_count FROM ${client}`));
    expect(row?.offlineConversionUploadClientSummary).toMatchObject({ successRate: 1, totalEventCount: '2' });
  });
});

const dateTime = (at: string): string => `${at.slice(0, 19).replace('T', ' ')}+00:00`;
const action = (id: string): string => `customers/${de}/conversionActions/${id}`;

async function aConversion(overrides: Body = {}, daysOld = 2): Promise<Body> {
  return {
    gclid: await google.clickAt(daysAgoAt(daysOld + 1)),
    conversionAction: action(order),
    conversionDateTime: dateTime(daysAgoAt(daysOld)),
    conversionValue: 30,
    currencyCode: 'EUR',
    orderId: 'ord-1',
    ...overrides,
  };
}

const upload = async (path: string, body: Body, token = 'sandbox-allow-listed') => {
  const answer = await fetch(`${google.url}/google-ads/v25/customers/${de}:${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${google.accessToken}`,
      'content-type': 'application/json',
      'login-customer-id': manager,
      'developer-token': token,
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Json, headers: answer.headers };
};
const uploadClicks = (conversions: Body[], more: Body = {}, token?: string) =>
  upload('uploadClickConversions', { conversions, partialFailure: true, ...more }, token);
const adjust = (conversionAdjustments: Body[], more: Body = {}) =>
  upload('uploadConversionAdjustments', { conversionAdjustments, partialFailure: true, ...more });

/** The errors of rows: '1 conversionUploadError EXPIRED_EVENT'. */
function rowErrors({ body }: { body: Json }): string[] {
  const errors = (body.partialFailureError?.details?.[0]?.errors ?? []) as unknown as Json[];
  return errors.map(({ errorCode, location }) => {
    const [category, code] = Object.entries(errorCode ?? {})[0] ?? [];
    return `${String(location?.fieldPathElements?.[0]?.index)} ${category} ${String(code)}`;
  });
}

describe('an upload of clicks', () => {
  it('is closed to developers that are not allow-listed', async () => {
    const answer = await uploadClicks([await aConversion()], {}, 'some-token');
    expect(answer.status).toBe(403);
    expect(errorOf(answer)).toBe('notAllowlistedError CUSTOMER_NOT_ALLOWLISTED_FOR_THIS_FEATURE');
    expect(await google.conversions()).toEqual([]);
  });

  it.each([
    ['allow_click_uploads', 'some-token', 200, 1],
    ['reject_uploads', 'sandbox-allow-listed', 403, 0],
    ['fail_after_upload', 'sandbox-allow-listed', 500, 1],
  ])('with the fault %s and the token %s answers %i and stores %i', async (fault, token, status, stored) => {
    await google.admin('faults', { provider: 'google-ads', fault });
    expect((await uploadClicks([await aConversion()], {}, token)).status).toBe(status);
    expect(await google.conversions()).toHaveLength(stored);
  });

  it.each<[string, Body, string]>([
    ['partialFailure', { partialFailure: false }, 'partialFailureError PARTIAL_FAILURE_MODE_REQUIRED'],
    ['conversions', { conversions: [] }, 'requestError REQUIRED_FIELD_MISSING'],
    ['2,000 rows', { conversions: Array(2_001).fill({}) }, 'conversionUploadError TOO_MANY_CONVERSIONS_IN_REQUEST'],
    ['a job id below 2^31', { jobId: 2 ** 31 }, 'conversionUploadError INVALID_JOB_ID'],
  ])('needs %s', async (_, more, error) => {
    const answer = await uploadClicks([await aConversion()], more);
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toBe(error);
  });

  it('records valid rows, and reports the others by index with an empty result', async () => {
    const rows = [await aConversion(), await aConversion({ gclid: 'TEST', orderId: 'b' }), await aConversion({ orderId: 'c' })];
    const answer = await uploadClicks(rows, { jobId: 7 });
    expect(answer.status).toBe(200);
    const [first, second, third] = rows;
    const resultOf = (row: Body | undefined): Body => ({
      gclid: row?.gclid,
      conversionAction: row?.conversionAction,
      conversionDateTime: row?.conversionDateTime,
    });
    expect(answer.body.results).toEqual([resultOf(first), {}, resultOf(third)]);
    expect(answer.body.jobId).toBe('7');
    expect(answer.body.partialFailureError).toMatchObject({ code: 3 });
    expect(rowErrors(answer)).toEqual(['1 conversionUploadError UNPARSEABLE_GCLID']);
    expect(second?.orderId).toBe('b');
    expect((await google.conversions()).map(({ transactionId }) => String(transactionId))).toEqual(['ord-1', 'c']);
  });

  it('returns no results and stores nothing if it is only validated', async () => {
    const { body } = await uploadClicks([await aConversion()], { validateOnly: true });
    expect(body).not.toHaveProperty('results');
    expect(await google.conversions()).toEqual([]);
  });

  const hashed = { hashedEmail: 'a'.repeat(64) };
  it.each<[string, Body, string]>([
    ['without an action', { conversionAction: undefined }, 'fieldError REQUIRED'],
    ['for an unknown action', { conversionAction: action('42') }, 'conversionUploadError NO_CONVERSION_ACTION_FOUND'],
    [
      'for an action of the website',
      { conversionAction: action('7010000111') },
      'conversionUploadError INVALID_CONVERSION_ACTION_TYPE',
    ],
    ['without a zone', { conversionDateTime: '2026-01-01 00:00:00' }, 'dateError INVALID_STRING_DATE_TIME_SECONDS_WITH_OFFSET'],
    ['in the future', { conversionDateTime: dateTime(daysAgoAt(-2)) }, 'dateError LATER_THAN_MAXIMUM_DATE'],
    ['before the click', { conversionDateTime: dateTime(daysAgoAt(5)) }, 'conversionUploadError CONVERSION_PRECEDES_EVENT'],
    ['of a click that did not happen', { gclid: 'x'.repeat(30) }, 'conversionUploadError EVENT_NOT_FOUND'],
    ['with two braids', { gclid: undefined, gbraid: 'a', wbraid: 'b' }, 'conversionUploadError GBRAID_WBRAID_BOTH_SET'],
    ['without an identifier', { gclid: undefined }, 'fieldError REQUIRED'],
    ['of an unknown person', { gclid: undefined, userIdentifiers: [hashed] }, 'conversionUploadError CLICK_NOT_FOUND'],
    ['with six identifiers', { userIdentifiers: Array(6).fill(hashed) }, 'collectionSizeError TOO_MANY'],
    ['with an address', { userIdentifiers: [{ addressInfo: {} }] }, 'conversionUploadError UNSUPPORTED_USER_IDENTIFIER'],
    [
      'with a plain email address',
      { userIdentifiers: [{ hashedEmail: 'a@b.de' }] },
      'conversionUploadError INVALID_USER_IDENTIFIER',
    ],
    ['with an unknown currency', { currencyCode: 'XYZ' }, 'currencyCodeError UNSUPPORTED'],
  ])('rejects a row %s', async (_, overrides, error) => {
    expect(rowErrors(await uploadClicks([await aConversion(overrides)]))).toEqual([`0 ${error}`]);
  });

  it.each<[Body, string, string]>([
    [{ orderId: 'a' }, 'DUPLICATE_ORDER_ID', 'ORDER_ID_ALREADY_IN_USE'],
    [{ orderId: undefined }, 'DUPLICATE_CLICK_CONVERSION_IN_REQUEST', 'CLICK_CONVERSION_ALREADY_EXISTS'],
  ])('rejects repeated rows with %j', async (overrides, repeated, known) => {
    const row = await aConversion(overrides);
    expect(rowErrors(await uploadClicks([row, row]))).toEqual([`1 conversionUploadError ${repeated}`]);
    expect(rowErrors(await uploadClicks([row]))).toEqual([`0 conversionUploadError ${known}`]);
  });

  it('fails single rows with a transient error by a fault', async () => {
    await google.admin('faults', { provider: 'google-ads', fault: 'fail_conversions', everyNth: 2 });
    const rows = [await aConversion(), await aConversion({ orderId: 'b' })];
    expect(rowErrors(await uploadClicks(rows))).toEqual(['1 internalError INTERNAL_ERROR']);
  });

  it('is in the summary under its own client', async () => {
    await uploadClicks([await aConversion()], { jobId: 7 });
    const resource = 'offline_conversion_upload_conversion_action_summary';
    const rows = rowsOf(await search(de, `SELECT ${resource}.client, ${resource}.job_summaries FROM ${resource}`));
    expect(rows.map((row) => row.offlineConversionUploadConversionActionSummary)).toMatchObject([
      { client: 'GOOGLE_ADS_API', jobSummaries: [{ successfulCount: '1', jobId: '7' }] },
    ]);
  });

  it('raises alerts in the summary, with category and code', async () => {
    await uploadClicks([
      await aConversion(),
      await aConversion({ conversionDateTime: 'x' }),
      await aConversion({ gclid: 'TEST' }),
    ]);
    const resource = 'offline_conversion_upload_conversion_action_summary';
    const [row] = rowsOf(await search(de, `SELECT ${resource}.alerts FROM ${resource}`));
    const alerts = row?.offlineConversionUploadConversionActionSummary?.alerts as unknown as { error: Json }[];
    expect(alerts.map(({ error }) => error)).toEqual([
      { dateError: 'INVALID_STRING_DATE_TIME_SECONDS_WITH_OFFSET' },
      { conversionUploadError: 'UNPARSEABLE_GCLID' },
    ]);
  });

  it('and the Data Manager find each other’s conversions', async () => {
    await uploadClicks([await aConversion()]);
    await google.ingestOne({ conversionValue: 12, consent: { adUserData: 'CONSENT_GRANTED' } });
    expect(await google.conversions()).toMatchObject([{ value: 12, versions: [{ value: 30 }, { value: 12 }] }]);
  });
});

describe('an adjustment', () => {
  const restate = (overrides: Body = {}): Body => ({
    conversionAction: action(order),
    adjustmentType: 'RESTATEMENT',
    adjustmentDateTime: dateTime(daysAgoAt(1)),
    orderId: 'ord-1',
    restatementValue: { adjustedValue: 10, currencyCode: 'EUR' },
    ...overrides,
  });
  const retract = (): Body => restate({ adjustmentType: 'RETRACTION', restatementValue: undefined });
  const code = (name: string): string => `0 conversionAdjustmentUploadError ${name}`;

  it('replaces the value', async () => {
    await uploadClicks([await aConversion()]);
    const answer = await adjust([restate()]);
    expect(answer.body).not.toHaveProperty('partialFailureError');
    expect(answer.body.results).toMatchObject([{ orderId: 'ord-1', adjustmentType: 'RESTATEMENT' }]);
    expect(await google.conversions()).toMatchObject([{ value: 10 }]);
  });

  it('needs a newer time than the one before', async () => {
    await uploadClicks([await aConversion()]);
    await adjust([restate()]);
    expect(rowErrors(await adjust([restate()]))).toEqual([code('RESTATEMENT_ALREADY_EXISTS')]);
    const earlier = restate({ adjustmentDateTime: dateTime(daysAgoAt(1.5)) });
    expect(rowErrors(await adjust([earlier]))).toEqual([code('MORE_RECENT_RESTATEMENT_FOUND')]);
    expect(rowErrors(await adjust([restate({ adjustmentDateTime: dateTime(daysAgoAt(0.5)) })]))).toEqual([]);
  });

  it('is rejected if the request repeats it', async () => {
    await uploadClicks([await aConversion()]);
    const errors = rowErrors(await adjust([restate(), restate()]));
    expect(errors).toEqual(['1 conversionAdjustmentUploadError DUPLICATE_ADJUSTMENT_IN_REQUEST']);
  });

  it('retracts: the conversion is no longer counted, and cannot be adjusted', async () => {
    await uploadClicks([await aConversion()]);
    expect(rowErrors(await adjust([restate({ adjustmentType: 'RETRACTION' })]))).toEqual(['0 fieldError VALUE_MUST_BE_UNSET']);
    expect(rowErrors(await adjust([retract()]))).toEqual([]);
    expect((await google.received()).conversionActions).toMatchObject([{ conversions: 0, values: {} }]);
    expect(rowErrors(await adjust([restate()]))).toEqual([code('CONVERSION_ALREADY_RETRACTED')]);
  });

  it('finds a conversion without order id by click and time', async () => {
    const row = await aConversion({ orderId: undefined });
    await uploadClicks([row]);
    const pair = { gclid: row.gclid, conversionDateTime: row.conversionDateTime };
    expect(rowErrors(await adjust([restate({ orderId: undefined, gclidDateTimePair: pair })]))).toEqual([]);
    expect(await google.conversions()).toMatchObject([{ value: 10 }]);
  });

  it.each<[string, number, Body, string]>([
    ['of a conversion that does not exist', 2, { orderId: 'other' }, 'CONVERSION_NOT_FOUND'],
    ['of a conversion younger than a day', 0.5, {}, 'TOO_RECENT_CONVERSION'],
    ['from before the conversion', 2, { adjustmentDateTime: dateTime(daysAgoAt(3)) }, 'ADJUSTMENT_PRECEDES_CONVERSION'],
    ['with two identifiers', 2, { gclidDateTimePair: { gclid: 'a' } }, 'GCLID_DATE_TIME_PAIR_AND_ORDER_ID_BOTH_SET'],
    ['of an unknown action', 2, { conversionAction: action('42') }, 'NO_CONVERSION_ACTION_FOUND'],
    ['of calls', 2, { conversionAction: action('7010000117') }, 'INVALID_CONVERSION_ACTION_TYPE'],
    [
      'of the website without order id',
      2,
      { conversionAction: action('7010000111'), orderId: '' },
      'MISSING_ORDER_ID_FOR_WEBPAGE',
    ],
    ['that adds user data to an upload', 2, { adjustmentType: 'ENHANCEMENT' }, 'INVALID_CONVERSION_ACTION_TYPE'],
  ])('is rejected %s', async (_, daysOld, overrides, name) => {
    await uploadClicks([await aConversion({}, daysOld)]);
    expect(rowErrors(await adjust([restate(overrides)]))).toEqual([code(name)]);
  });

  it('is rejected for an action with a fixed value', async () => {
    await uploadClicks([await aConversion({ conversionAction: action('7010000116') })]);
    const answer = await adjust([restate({ conversionAction: action('7010000116') })]);
    const name = 'CANNOT_RESTATE_CONVERSION_ACTION_THAT_ALWAYS_USES_DEFAULT_CONVERSION_VALUE';
    expect(rowErrors(answer)).toEqual([code(name)]);
  });

  it('is rejected 54 days after the conversion', async () => {
    await uploadClicks([await aConversion()]);
    await google.admin('clock', { offsetDays: 54 });
    expect(rowErrors(await adjust([retract()]))).toEqual([code('CONVERSION_EXPIRED')]);
  });

  it('adds user data to a conversion of the website once', async () => {
    const destinations = [aDestination({ productDestinationId: '7010000111' })];
    await google.ingestOne({}, { destinations });
    const enhance = { conversionAction: action('7010000111'), adjustmentType: 'ENHANCEMENT', orderId: 'ord-1' };
    const row = { ...enhance, userIdentifiers: [{ hashedEmail: 'a'.repeat(64) }] };
    expect(rowErrors(await adjust([row, row]))).toEqual(['1 conversionAdjustmentUploadError DUPLICATE_ENHANCEMENT_IN_REQUEST']);
    expect(rowErrors(await adjust([row]))).toEqual([code('CONVERSION_ALREADY_ENHANCED')]);
  });
});

it('needs the scope of Google Ads for uploads', async () => {
  google.accessToken = (await google.signIn('demo@example.com', ['https://www.googleapis.com/auth/datamanager'])).access_token;
  expect((await adjust([])).status).toBe(403);
  google.accessToken = (await google.signIn('demo@example.com', [adsScope])).access_token;
  expect((await adjust([])).status).toBe(400);
});
