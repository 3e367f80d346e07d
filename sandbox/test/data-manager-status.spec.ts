import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { daysAgo, de, jp, manager, us, type Json } from './google.ts';
import {
  aDestination,
  daysAgoAt,
  hoursAgo,
  order,
  purchase,
  qualifiedLead,
  sha256,
  signedContract,
  startDataManager,
  violationsOf,
  type Body,
} from './data-manager.ts';

let google: Awaited<ReturnType<typeof startDataManager>>;
beforeEach(async () => void (google = await startDataManager()));
afterEach(() => google.close());

describe('the status of a request', () => {
  it.each(['', 'b7f9a1c0-0000-4000-8000-000000000000'])('is rejected for the unknown id "%s"', async (requestId) => {
    const answer = await google.status(requestId);
    expect(answer.status).toBe(400);
    expect(violationsOf(answer)).toEqual([`request_id ${requestId ? 'INVALID_REQUEST_ID' : 'REQUIRED_FIELD_MISSING'}`]);
  });

  it('is rejected if the request was only validated', async () => {
    const { body } = await google.ingestOne({}, { validateOnly: true });
    expect(violationsOf(await google.status(body.requestId))).toEqual(['request_id INVALID_REQUEST_ID']);
  });

  it('is forbidden to a user who cannot reach the account', async () => {
    const events = [await google.anEvent({ adIdentifiers: { gclid: await google.clickAt(daysAgoAt(2), us) } })];
    const { body } = await google.ingest(events, { destinations: [aDestination({ productDestinationId: '7010000124' }, us)] });
    const scope = 'https://www.googleapis.com/auth/datamanager';
    const limited = (await google.signIn('limited@example.com', [scope])).access_token;
    expect((await google.status(body.requestId, limited)).status).toBe(403);
    expect((await google.status(body.requestId)).status).toBe(200);
  });

  it('is PROCESSING until the processing ends', async () => {
    await google.admin('data-manager/settings', { processingSeconds: 1_200 });
    const answer = await google.ingestOne();
    expect(await google.outcomeOf(answer)).toBe('PROCESSING');
    await google.admin('clock', { offsetDays: 1 });
    expect(await google.outcomeOf(answer)).toBe('SUCCESS');
  });

  it('has one entry per destination in the order of the request, with counts as text', async () => {
    const destinations = [
      aDestination({ reference: 'leads', productDestinationId: qualifiedLead }),
      aDestination({ reference: 'orders' }),
    ];
    const events = await google.events(3);
    const toOrders = { ...(await google.anEvent({ transactionId: 'x-1', adIdentifiers: { gclid: 'unknown-'.repeat(4) } })) };
    const answer = await google.ingest([...events, { ...toOrders, destinationReferences: ['orders'] }], { destinations });
    const statuses = await google.statusesOf(answer);
    expect(statuses).toEqual([
      { destination: destinations[0], requestStatus: 'SUCCESS', eventsIngestionStatus: { recordCount: '3' } },
      {
        destination: destinations[1],
        requestStatus: 'PARTIAL_SUCCESS',
        errorInfo: { errorCounts: [{ recordCount: '1', reason: 'PROCESSING_ERROR_REASON_CLICK_NOT_FOUND' }] },
        eventsIngestionStatus: { recordCount: '4' },
      },
    ]);
  });

  it('counts each reason, and is FAILED if every event failed', async () => {
    const events = await google.events(3, { consent: { adUserData: 'CONSENT_DENIED' } });
    events.push(await google.anEvent({ transactionId: 'x', adIdentifiers: { gclid: '', wbraid: 'broken!' } }));
    const answer = await google.ingest(events);
    expect(await google.outcomeOf(answer)).toBe('FAILED DENIED_CONSENT 3 INVALID_WBRAID 1');
    expect((await google.received()).failures).toEqual({
      PROCESSING_ERROR_REASON_DENIED_CONSENT: 3,
      PROCESSING_ERROR_REASON_INVALID_WBRAID: 1,
    });
    expect(await google.conversions()).toEqual([]);
  });

  it('and the conversions survive a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const first = await startDataManager({ dataDir });
    const { body } = await first.ingestOne();
    await first.close();
    const second = await startDataManager({ dataDir });
    expect((await second.status(body.requestId)).status).toBe(200);
    await second.ingestOne({ conversionValue: 20 });
    await second.close();
    const third = await startDataManager({ dataDir });
    expect((await third.conversions()).map(({ value }) => value)).toEqual([20]);
    await third.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe('a click', () => {
  const outcome = async (overrides: Body, action = order): Promise<string> => {
    const destinations = [aDestination({ productDestinationId: action })];
    return google.outcomeOf(await google.ingestOne(overrides, { destinations }));
  };
  const clicked = async (at: string, customerId = de, kind = 'gclid'): Promise<Body> => ({
    adIdentifiers: { [kind]: await google.clickAt(at, customerId, kind) },
  });

  it.each(['gclid', 'gbraid', 'wbraid'])('with a %s that cannot be decoded fails', async (kind) => {
    expect(await outcome({ adIdentifiers: { [kind]: 'TEST' } })).toBe(`FAILED INVALID_${kind.toUpperCase()} 1`);
  });

  it('that did not happen fails', async () => {
    expect(await outcome({ adIdentifiers: { gclid: 'Cj0KCQabcdefghijklmnopqrstuvwxyz' } })).toBe('FAILED CLICK_NOT_FOUND 1');
  });

  it('of another account fails', async () => {
    expect(await outcome(await clicked(daysAgoAt(2), us))).toBe('FAILED INVALID_OPERATING_ACCOUNT_FOR_CLICK 1');
  });

  it('of a client account counts for the manager that owns its conversion actions', async () => {
    const events = [await google.anEvent(await clicked(daysAgoAt(2), jp))];
    const destinations = [aDestination({ productDestinationId: '7010000014' }, manager)];
    expect(await google.outcomeOf(await google.ingest(events, { destinations }))).toBe('SUCCESS');
  });

  it('after the conversion fails', async () => {
    expect(await outcome(await clicked(hoursAgo(12)))).toBe('FAILED CONVERSION_PRECEDES_CLICK 1');
  });

  it('less than six hours ago fails', async () => {
    const recent = { ...(await clicked(hoursAgo(5))), eventTimestamp: hoursAgo(1) };
    expect(await outcome(recent)).toBe('FAILED TOO_RECENT_CLICK 1');
    expect(await outcome({ ...(await clicked(hoursAgo(7))), eventTimestamp: hoursAgo(1) })).toBe('SUCCESS');
  });

  it("before the action's conversion window fails", async () => {
    expect(await outcome(await clicked(daysAgoAt(20)))).toBe('SUCCESS');
    expect(await outcome(await clicked(daysAgoAt(20)), qualifiedLead)).toBe('FAILED EVENT_TOO_OLD 1');
    expect(await outcome({ ...(await clicked(daysAgoAt(32))), transactionId: 'ord-2' })).toBe('FAILED EVENT_TOO_OLD 1');
  });

  it('more than 90 days ago fails', async () => {
    const old = { ...(await clicked(daysAgoAt(91))), eventTimestamp: daysAgoAt(89) };
    expect(await outcome(old)).toBe('FAILED EVENT_TOO_OLD 1');
  });

  it.each(['gbraid', 'wbraid'])('with a %s fails for an action that counts one per click', async (kind) => {
    const reason = 'ONE_PER_CLICK_CONVERSION_ACTION_NOT_PERMITTED_WITH_BRAID';
    expect(await outcome(await clicked(daysAgoAt(2), de, kind), qualifiedLead)).toBe(`FAILED ${reason} 1`);
    expect(await outcome(await clicked(daysAgoAt(2), de, kind))).toBe('SUCCESS');
  });

  it('is found by the hashed email address or phone number of the person', async () => {
    const person = (identifier: Body): Body => ({ adIdentifiers: {}, userData: { userIdentifiers: [identifier] } });
    const send = async (identifier: Body, transactionId: string) =>
      google.outcomeOf(await google.ingestOne({ ...person(identifier), transactionId }, { encoding: 'HEX' }));
    expect(await send({ emailAddress: sha256('unknown-person@example.com') }, 'a')).toBe('FAILED CLICK_NOT_FOUND 1');
    expect(await send({ emailAddress: sha256('shopper3@example.com') }, 'b')).toBe('SUCCESS');
    expect(await send({ phoneNumber: sha256('+12025550102') }, 'c')).toBe('SUCCESS');
    const ids = (await google.conversions()).map(({ clickId }) => String(clickId));
    expect(ids[0]).toBe(ids[1]);
  });

  it('is listed with its time and the person, the same in every sandbox', async () => {
    const path = `data-manager/clicks?customerId=${de}&date=${daysAgo(3)}`;
    const { clicks } = (await google.admin(path)).body;
    const other = await startDataManager();
    expect((await other.admin(path)).body.clicks).toEqual(clicks);
    await other.close();
    const list = clicks as unknown as Json[];
    expect(list).toHaveLength(20);
    expect(list[0]).toMatchObject({ kind: 'gclid', customerId: de, email: 'shopper1@example.com' });
    const adIdentifiers = { gclid: list[7]?.id };
    expect(await outcome({ adIdentifiers, transactionId: 'listed' })).toBe('SUCCESS');
  });

  it.each(['customerId=1&date=2026-01-01', `customerId=${de}&date=x`, `customerId=${de}&at=x`, `customerId=${de}&kind=x`])(
    'is not listed for %s',
    async (query) => {
      expect((await google.admin(`data-manager/clicks?${query}`)).status).toBe(400);
    },
  );
});

describe('consent', () => {
  const granted = { adUserData: 'CONSENT_GRANTED' };
  const denied = { adUserData: 'CONSENT_DENIED' };
  const unspecified = { adUserData: 'CONSENT_STATUS_UNSPECIFIED' };

  it.each<[string, Body | undefined, Body | undefined, string]>([
    ['denied by the event', denied, granted, 'FAILED DENIED_CONSENT 1'],
    ['denied by the request', undefined, denied, 'FAILED DENIED_CONSENT 1'],
    ['not given', undefined, undefined, 'FAILED UNKNOWN_CONSENT 1'],
    ['unspecified', unspecified, undefined, 'FAILED UNKNOWN_CONSENT 1'],
    ['granted by the event', granted, denied, 'SUCCESS'],
    ['granted by the request', unspecified, granted, 'SUCCESS'],
  ])('%s', async (_, event, request, expected) => {
    expect(await google.outcomeOf(await google.ingestOne({ consent: event }, { consent: request }))).toBe(expected);
  });

  it('is not needed outside of the EEA and the United Kingdom', async () => {
    const adIdentifiers = { gclid: await google.clickAt(daysAgoAt(2), us) };
    const events = [await google.anEvent({ adIdentifiers, consent: undefined })];
    const destinations = [aDestination({ productDestinationId: '7010000124' }, us)];
    expect(await google.outcomeOf(await google.ingest(events, { destinations }))).toBe('SUCCESS');
  });

  it.each([
    ['DENIED', 'FAILED DENIED_CONSENT 1', 'SUCCESS'],
    ['NONE', 'FAILED NO_CONSENT 1', 'FAILED NO_CONSENT 1'],
  ])('follows the account setting %s', async (consent, without, withConsent) => {
    await google.fault('account_consent', { consent, customerId: de });
    expect(await google.outcomeOf(await google.ingestOne({ consent: undefined }))).toBe(without);
    expect(await google.outcomeOf(await google.ingestOne({ consent: granted }))).toBe(withConsent);
  });
});

describe('a transaction id that is known to the conversion action', () => {
  it('replaces value and currency, and keeps one conversion with both versions', async () => {
    await google.ingestOne();
    const answer = await google.ingestOne({ conversionValue: 19.99, currency: 'USD' });
    expect(await google.outcomeOf(answer)).toBe('SUCCESS');
    const received = await google.received({ customerId: de });
    expect(received.conversionActions).toMatchObject([
      { conversionActionId: order, name: 'Order (import)', conversions: 1, values: { USD: '19.99' } },
    ]);
    const [conversion] = await google.conversions();
    expect(conversion?.versions).toMatchObject([
      { value: 30.03, currency: 'EUR' },
      { value: 19.99, currency: 'USD', requestId: answer.body.requestId },
    ]);
  });

  it('keeps the conversion counted when the value is 0', async () => {
    await google.ingestOne();
    await google.ingestOne({ conversionValue: 0 });
    expect((await google.received()).conversionActions).toMatchObject([{ conversions: 1, values: { EUR: '0' } }]);
  });

  it('keeps click and time, needs no click of its own, and adds user data only once', async () => {
    await google.ingestOne();
    const [before] = await google.conversions();
    const userData = { userIdentifiers: [{ emailAddress: sha256('unknown-person@example.com') }] };
    const later = { adIdentifiers: {}, userData, eventTimestamp: hoursAgo(1) };
    expect(await google.outcomeOf(await google.ingestOne(later, { encoding: 'HEX' }))).toBe('SUCCESS');
    const [after] = await google.conversions();
    expect([before?.hasUserData, after?.hasUserData]).toEqual([false, true]);
    expect(after).toMatchObject({ clickId: before?.clickId, eventTime: before?.eventTime });
  });

  it('still needs all required fields', async () => {
    await google.ingestOne();
    expect((await google.ingestOne({ eventTimestamp: undefined })).status).toBe(400);
  });

  it('is another conversion for another action', async () => {
    const destinations = [aDestination(), aDestination({ productDestinationId: purchase })];
    await google.ingestOne({}, { destinations });
    expect((await google.received()).conversionActions).toHaveLength(2);
  });

  it('fails as a duplicate if the fault is on, and the value stays', async () => {
    await google.ingestOne();
    await google.fault('duplicate_rejected', { times: 1 });
    const answer = await google.ingestOne({ conversionValue: 5 });
    expect(await google.outcomeOf(answer)).toBe('FAILED DUPLICATE_TRANSACTION_ID 1');
    expect((await google.conversions()).map(({ value }) => value)).toEqual([30.03]);
  });
});

describe('a conversion', () => {
  it('without a transaction id is identified by click and time', async () => {
    const event = await google.anEvent({ transactionId: undefined });
    expect(await google.outcomeOf(await google.ingest([event]))).toBe('SUCCESS');
    expect(await google.outcomeOf(await google.ingest([event]))).toBe('FAILED DUPLICATE_GCLID 1');
    const later = { ...event, eventTimestamp: hoursAgo(2) };
    expect(await google.outcomeOf(await google.ingest([later]))).toBe('SUCCESS');
    expect(await google.conversions()).toHaveLength(2);
  });

  it("without a value has the action's default value", async () => {
    await google.ingestOne({ conversionValue: undefined, currency: undefined });
    expect(await google.conversions()).toMatchObject([{ value: 1, currency: 'EUR' }]);
  });

  it('of an action with a fixed value always has that value', async () => {
    const destinations = [aDestination({ productDestinationId: signedContract })];
    await google.ingestOne({ conversionValue: 10 }, { destinations });
    await google.ingestOne({ conversionValue: 20 }, { destinations });
    expect(await google.conversions(signedContract)).toMatchObject([{ value: 50 }]);
  });

  it('is summed exactly, per currency', async () => {
    await google.ingest(await google.events(3, { conversionValue: 0.1 }));
    await google.ingestOne({ transactionId: 'usd', currency: 'USD' });
    expect((await google.received()).conversionActions?.[0]?.values).toEqual({ EUR: '0.3', USD: '30.03' });
  });

  it('is not received for an unknown account', async () => {
    expect((await google.admin('data-manager/received?customerId=1')).status).toBe(400);
  });
});
