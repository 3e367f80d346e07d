import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rowMeanings } from '../../../src/connectors/google-data-manager/upload/row-errors.js';
import { readUploadAnswer } from '../../../src/connectors/google-data-manager/upload/answer.js';
import type { Preparation, PreparedEvent } from '../../../src/connectors/kit/conversion.js';
import type { Adjustment, ConversionTarget } from '../../../src/connectors/kit/conversion-target.js';
import { aContext } from '../context.js';
import { daysAgo, eligible } from '../conversions/conversion-events.js';
import { altered, anOrder, countStates, prepared, preparedMany, unreachableTokens } from '../conversions/sending.js';
import { errorCodesOf, messageOf } from '../google-ads/protos.js';
import { problemsOf } from '../proto-json.js';
import { startGoogleSandbox, type GoogleSandbox } from './google-sandbox.js';

let sandbox: GoogleSandbox;
let gclid: string;
let target: ConversionTarget;
beforeAll(async () => {
  sandbox = await startGoogleSandbox();
  gclid = await sandbox.gclid('9001000012');
  target = await sandbox.target({ api: 'google_ads_upload' });
});
beforeEach(() => allow());
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.stop());

const fault = (name: string, parameters: object = {}) => sandbox.addFault({ provider: 'google-ads', fault: name, ...parameters });
const allow = () => fault('allow_click_uploads');
const clicked = () => ({ identifiers: { gclid } });
const order = (id: string) => prepared(target, id, clicked());
/** As if the order were some days old. The click is as old, too. */
const olderOrder = async (id: string, days: number): Promise<PreparedEvent> => {
  const at = daysAgo(days + 1, new Date()).toISOString();
  const { clicks } = await sandbox.admin<{ clicks: { id: string }[] }>(`data-manager/clicks?customerId=9001000012&at=${at}`);
  const event = anOrder(id, { identifiers: { gclid: clicks[0]?.id ?? '' }, occurredAt: daysAgo(days, new Date()) });
  return eligible(target.prepare(event, new Date()));
};
const adjust = (original: PreparedEvent, value: string, days: number): Preparation => {
  const adjustment: Adjustment = {
    ...{ id: `refund-${original.id}-${value}`, original, originalOccurredAt: daysAgo(days, new Date()) },
    ...{ occurredAt: new Date(), value, currency: 'EUR' },
  };
  return target.prepareAdjustment!(adjustment, new Date());
};
const storedValue = async (id: string) =>
  (await sandbox.stored(`ord-${id}`)).map(({ value, isRetracted }) => [value, isRetracted]);

describe('an installation that Google does not allow to upload clicks', () => {
  it('gets the one action, and sends nothing', async () => {
    await sandbox.clearFaults();
    expect(await target.send(aContext(), [order('closed')])).toMatchObject({
      outcomes: [{ state: 'not_sent' }],
      stoppedBy: {
        name: 'FixSettings',
        code: 'google_ads_upload.not_allowlisted',
        failureClass: 'config',
        action: 'Use the Data Manager API',
        providerRequestId: expect.any(String),
      },
    });
    expect(await sandbox.stored('ord-closed')).toEqual([]);
  });

  it.each([
    ['authorizationError', 'DEVELOPER_TOKEN_NOT_APPROVED'],
    ['authorizationError', 'DEVELOPER_TOKEN_PROHIBITED'],
    ['authorizationError', 'CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION'],
    ['authorizationError', 'SERVICE_ACCESS_DENIED'],
    ['authenticationError', 'DEVELOPER_TOKEN_INVALID'],
    ['authenticationError', 'ORGANIZATION_NOT_APPROVED'],
    ['authenticationError', 'ORGANIZATION_NOT_ASSOCIATED_WITH_DEVELOPER_TOKEN'],
    ['quotaError', 'ACCESS_PROHIBITED'],
    ['errorInfo', 'SERVICE_DISABLED'],
    ['errorInfo', 'CONSUMER_SUSPENDED'],
    ['errorInfo', 'USER_PROJECT_DENIED'],
    ['errorInfo', 'A_REASON_OF_TOMORROW'],
  ])('because of %s %s has to contact the operator, and needs no new sign-in', async (category, code) => {
    await fault('refuse_project', { category, code });
    const { outcomes, stoppedBy } = await target.send(aContext(), [order('token')]);
    expect(outcomes).toEqual([{ state: 'not_sent' }]);
    expect(stoppedBy).toMatchObject({
      name: 'FixSettings',
      code: 'google_ads_upload.access_level',
      action: 'Contact the operator of this installation',
    });
  });

  it.each([
    ['throttle', { name: 'RetryLater', failureClass: 'quota' }, 'not_sent'],
    ['unavailable', { name: 'RetryLater', failureClass: 'transient' }, 'unknown'],
    ['revoke', { name: 'ReconnectNeeded' }, 'not_sent'],
  ])('after %s keeps its events', async (name, error, state) => {
    const own = await startGoogleSandbox();
    const other = await own.target({ api: 'google_ads_upload' });
    await own.addFault({ provider: 'google-ads', fault: name });
    const result = await other.send(aContext(), [prepared(other, name, clicked())]);
    await own.stop();
    expect(result).toMatchObject({ outcomes: [{ state }], stoppedBy: error });
  });
});

describe('rows of an upload', () => {
  it('have their own outcomes, and valid ones are stored although others are not', async () => {
    const duplicate = order('first');
    expect(countStates(await target.send(aContext(), [duplicate]))).toEqual({ accepted: 1 });
    const rows = [
      duplicate,
      order('good'),
      prepared(target, 'nobody', { identifiers: { email: 'unknown.buyer@shop.example' } }),
      altered(order('currency'), { currency: 'XYZ' }),
      prepared(target, 'click', { identifiers: { gclid: 'TEST' } }),
      prepared(target, 'early', { ...clicked(), occurredAt: daysAgo(30, new Date()) }),
    ];
    const { outcomes, stoppedBy } = await target.send(aContext(), rows);
    expect(stoppedBy).toBeNull();
    expect(outcomes.map((one) => [one.state, 'code' in one ? one.code : ''])).toEqual([
      ['accepted', ''],
      ['accepted', ''],
      ['unmatched', 'google_ads_upload.click_not_found'],
      ['rejected', 'google_ads_upload.unsupported'],
      ['rejected', 'google_ads_upload.unparseable_gclid'],
      ['rejected', 'google_ads_upload.conversion_precedes_event'],
    ]);
    expect(outcomes[0]).toMatchObject({ notes: [{ code: 'google_ads_upload.order_id_already_in_use' }] });
    expect(await sandbox.stored('ord-good')).toHaveLength(1);
    expect(await sandbox.stored('ord-first')).toHaveLength(1);
  });

  it('that fail because of Google are retried, not given up', async () => {
    await fault('fail_conversions', { everyNth: 2 });
    const { outcomes } = await target.send(aContext(), preparedMany(target, 'nth', 4, clicked()));
    expect(outcomes.map((one) => [one.state, 'isRetryable' in one && one.isRetryable])).toEqual([
      ['accepted', false],
      ['rejected', true],
      ['accepted', false],
      ['rejected', true],
    ]);
  });

  it.each([
    ['internalError', 'TRANSIENT_ERROR'],
    ['databaseError', 'CONCURRENT_MODIFICATION'],
  ])('with %s %s are retried', (category, code) => {
    const location = { fieldPathElements: [{ fieldName: 'conversions', index: 0 }] };
    const body = { partialFailureError: { details: [{ errors: [{ errorCode: { [category]: code }, location }] }] } };
    expect(readUploadAnswer(body, null, 1).outcomes).toMatchObject([{ state: 'rejected', isRetryable: true }]);
  });

  it.each([
    ['is not sent at all', { drop: true }],
    ['is a server error', {}],
  ])('whose answer %s after they were stored are stored once after a second attempt', async (name, parameters) => {
    const events = preparedMany(target, name.replaceAll(' ', ''), 5, clicked());
    await fault('fail_after_upload', { ...parameters, times: 1 });
    expect(countStates(await target.send(aContext(), events))).toEqual({ unknown: 5 });
    expect(countStates(await target.send(aContext(), events))).toEqual({ accepted: 5 });
    expect(await sandbox.stored(`ord-${name.replaceAll(' ', '')}`)).toHaveLength(5);
  });

  it('do not count as sent if the access token could not be renewed', async () => {
    const failing = await sandbox.target({ api: 'google_ads_upload', tokens: unreachableTokens });
    expect(await failing.send(aContext(), [order('offline')])).toMatchObject({ outcomes: [{ state: 'not_sent' }] });
  });

  it('are checked without being stored by a validation', async () => {
    const rows = [order('dry'), altered(order('dry-bad'), { currency: 'XYZ' })];
    expect(countStates(await target.validate!(aContext(), rows))).toEqual({ accepted: 1, rejected: 1 });
    expect(await sandbox.stored('ord-dry')).toEqual([]);
  });

  it('with only an address are ineligible, because uploads take no addresses', () => {
    const address = { firstName: 'Jane', lastName: 'Doe', country: 'DE', postalCode: '10115' };
    expect(target.prepare(anOrder('address', { identifiers: address }), new Date())).toMatchObject({
      state: 'ineligible',
      reason: 'missing_identifiers',
    });
  });

  it('that were prepared for the other API are sent, and stored once by both', async () => {
    const dataManager = await sandbox.target();
    const event = prepared(dataManager, 'switched', clicked());
    expect(countStates(await target.send(aContext(), [event]))).toEqual({ accepted: 1 });
    expect(countStates(await dataManager.send(aContext(), [order('switched')]))).toEqual({ pending: 1 });
    expect(await sandbox.stored('ord-switched')).toHaveLength(1);
  });
});

describe('adjustments', () => {
  it('lower the value, and remove the conversion of a full refund', async () => {
    const [partly, fully] = [await olderOrder('partly', 3), await olderOrder('fully', 3)];
    expect(countStates(await target.send(aContext(), [partly, fully]))).toEqual({ accepted: 2 });
    const adjustments = [eligible(adjust(partly, '10.5', 3)), eligible(adjust(fully, '0', 3))];
    expect(countStates(await target.sendAdjustments!(aContext(), adjustments))).toEqual({ accepted: 2 });
    expect(await storedValue('partly')).toEqual([[10.5, false]]);
    expect(await storedValue('fully')).toEqual([[49.9, true]]);
    const again = await target.sendAdjustments!(aContext(), [eligible(adjust(fully, '0', 3))]);
    expect(again.outcomes).toMatchObject([
      { state: 'accepted', notes: [{ code: 'google_ads_upload.conversion_already_retracted' }] },
    ]);
    // As after a refund that failed: Google does not restore a conversion.
    const restored = await target.sendAdjustments!(aContext(), [eligible(adjust(fully, '49.9', 3))]);
    expect(restored.outcomes).toMatchObject([
      { state: 'rejected', code: 'google_ads_upload.conversion_already_retracted', isRetryable: false },
    ]);
  });

  it('of an order of today wait, of an unknown one are rejected, and of one before 54 days are not sent', async () => {
    const today = order('today');
    await target.send(aContext(), [today]);
    const { outcomes } = await target.sendAdjustments!(aContext(), [
      eligible(adjust(today, '10', 0)),
      eligible(adjust(order('nothing'), '10', 0)),
    ]);
    expect(outcomes).toMatchObject([
      { state: 'rejected', code: 'google_ads_upload.too_recent_conversion', isRetryable: true },
      { state: 'rejected', code: 'google_ads_upload.conversion_not_found', isRetryable: false },
    ]);
    expect(adjust(today, '10', 55)).toMatchObject({ state: 'ineligible', reason: 'too_old' });
  });
});

describe("Google's protos agree with", () => {
  it('the requests', async () => {
    const events = [
      order('proto'),
      prepared(target, 'proto-mail', { identifiers: { email: 'a@b.example', phone: '+491711234567' } }),
    ];
    const adjustments = [eligible(adjust(events[0]!, '10', 1)), eligible(adjust(events[0]!, '0', 1))];
    const request = (name: string) => messageOf(`services.${name}`);
    expect(problemsOf(request('UploadClickConversionsRequest'), target.buildRequest(events))).toEqual([]);
    const json = { conversionAdjustments: adjustments.map(({ payload }) => payload), partialFailure: true };
    expect(problemsOf(request('UploadConversionAdjustmentsRequest'), json)).toEqual([]);
    expect(problemsOf(request('UploadClickConversionsRequest'), { ...target.buildRequest(events), gclids: [] })).not.toEqual([]);
  });

  it.each(Object.keys(rowMeanings))('the code of %s', (name) => {
    const [category = '', code] = name.split('.');
    expect(errorCodesOf(category)).toContain(code);
  });
});

describe('an answer that cannot be read', () => {
  const error = (index?: number) => ({
    errorCode: { conversionUploadError: 'UNPARSEABLE_GCLID' },
    location: { fieldPathElements: [{ fieldName: 'conversions', ...(index !== undefined && { index }) }] },
  });
  const answer = (...errors: object[]) => ({ partialFailureError: { code: 3, details: [{ errors }] }, results: [{}, {}] });

  it.each([
    ['is no JSON', undefined, ['unknown', 'unknown']],
    ['names a row that was not sent', answer(error(7)), ['unknown', 'unknown']],
    ['names no row', answer({ errorCode: { internalError: 'INTERNAL_ERROR' } }), ['unknown', 'unknown']],
    ['has a failure without errors', answer(), ['unknown', 'unknown']],
    ['omits the index 0', answer(error()), ['rejected', 'accepted']],
  ])('%s', (_, body, states) => expect(readUploadAnswer(body, null, 2).outcomes.map(({ state }) => state)).toEqual(states));
});
