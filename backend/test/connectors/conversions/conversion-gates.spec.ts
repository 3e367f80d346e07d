import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ineligibleReasons, type ConversionEvent, type Preparation } from '../../../src/connectors/kit/conversion.js';
import { readAmount } from '../../../src/connectors/kit/conversion-gates.js';
import { prepareOfflineAdjustment } from '../../../src/connectors/microsoft-conversions/adjustments.js';
import { prepareGoogleEvent } from '../../../src/connectors/google-data-manager/event.js';
import { prepareMetaEvent } from '../../../src/connectors/meta-conversions/event.js';
import { prepareOfflineEvent } from '../../../src/connectors/microsoft-conversions/offline-event.js';
import { prepareUetEvent } from '../../../src/connectors/microsoft-conversions/uet-event.js';
import { anEvent, daysAgo, NOW, policy } from './conversion-events.js';

const action = { accountId: '1234567890', loginAccountId: null, conversionActionId: '987', transactionIdPrefix: 'ord-' };
const goal = { windowDays: 30, hasEnhancedConversions: true };

type Prepare = (event: ConversionEvent, policyOfEvent?: typeof policy, now?: Date) => Preparation;

const google: Prepare = (event, used = policy, now = NOW) => prepareGoogleEvent(event, used, action, now);
const meta: Prepare = (event, used = policy, now = NOW) =>
  prepareMetaEvent(event, used, { datasetId: '1', eventName: 'Purchase', testEventCode: null }, now);
const offline: Prepare = (event, used = policy, now = NOW) => prepareOfflineEvent(event, used, goal, now);
const uet: Prepare = (event, used = policy, now = NOW) => prepareUetEvent(event, used, now);

const networks: [string, Prepare][] = [
  ['Google', google],
  ['Meta', meta],
  ['Microsoft offline', offline],
  ['Microsoft UET', uet],
];

const reasonOf = (preparation: Preparation): string =>
  preparation.state === 'ineligible' ? preparation.reason : preparation.state;

describe.each(networks)('%s does not receive an event', (_, prepare) => {
  it('of a person who denied consent', () => {
    const event = anEvent({ consent: { adUserData: 'denied', adPersonalization: 'granted' } });
    expect(prepare(event)).toEqual({
      state: 'ineligible',
      reason: 'consent_denied',
      message: 'The person has not consented to sending data to ad platforms.',
    });
    expect(reasonOf(prepare(event, { ...policy, onUnknownConsent: 'send' }))).toBe('consent_denied');
  });

  it('of unknown consent, unless the conversion sends such events', () => {
    const event = anEvent({ consent: { adUserData: 'unknown', adPersonalization: 'unknown' } });
    expect(reasonOf(prepare(event))).toBe('consent_unknown');
    expect(reasonOf(prepare(event, { ...policy, onUnknownConsent: 'send' }))).toBe('eligible');
  });

  it('without the id that identifies it', () => {
    expect(reasonOf(prepare(anEvent({ id: ' ' })))).toBe('id_missing');
  });

  it('without identifiers', () => {
    expect(reasonOf(prepare(anEvent({ identifiers: {} })))).toBe('missing_identifiers');
  });

  it('whose only identifier is not valid', () => {
    expect(reasonOf(prepare(anEvent({ identifiers: { email: 'jane', phone: '030 123456' } })))).toBe('missing_identifiers');
  });

  it.each([
    ['12,50', 'EUR', 'value_malformed'],
    ['1,234.50', 'EUR', 'value_malformed'],
    ['1e3', 'EUR', 'value_malformed'],
    ['NaN', 'EUR', 'value_malformed'],
    ['€12', 'EUR', 'value_malformed'],
    ['1234567890123', 'EUR', 'value_malformed'],
    ['-12.50', 'EUR', 'value_negative'],
    ['12.50', null, 'currency_missing'],
    ['12.50', ' ', 'currency_missing'],
    ['12.50', 'EURO', 'currency_unknown'],
    ['12.50', 'XYZ', 'currency_unknown'],
    ['12.50', 'JPY', 'value_has_fraction'],
    ['12.001', 'ISK', 'value_has_fraction'],
  ])('with the value %s %s: %s', (value, currency, reason) => {
    expect(reasonOf(prepare(anEvent({ value, currency })))).toBe(reason);
  });
});

describe('an event of a person who denied personalized ads', () => {
  const event = anEvent({ consent: { adUserData: 'granted', adPersonalization: 'denied' } });

  it.each([
    ['offline', offline],
    ['UET', uet],
  ])('is not sent to Microsoft (%s), which has no field for it', (_, prepare) => {
    expect(prepare(event)).toEqual({
      state: 'ineligible',
      reason: 'personalization_denied',
      message:
        'The person has not consented to personalized ads, and Microsoft Advertising cannot use an event for measurement only.',
    });
  });

  it('is sent to Google and Meta with that restriction', () => {
    expect(google(event)).toMatchObject({
      payload: { consent: { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' } },
    });
    expect(meta(event)).toMatchObject({ payload: { opt_out: true } });
  });
});

describe('the oldest event that is sent', () => {
  const MINUTE_MS = 60_000;

  it.each<[string, Prepare, Partial<ConversionEvent>, number]>([
    ['Google', google, {}, 90],
    ['Meta', meta, {}, 7],
    ['Meta, in a store', meta, { actionSource: 'physical_store' }, 62],
    ['Microsoft offline', offline, {}, 90],
    ['Microsoft UET', uet, {}, 7],
  ])('%s', (_, prepare, changes, maxDays) => {
    const oldest = daysAgo(maxDays).getTime();
    const at = (time: number) => prepare(anEvent({ ...changes, occurredAt: new Date(time) }));
    expect(reasonOf(at(oldest))).toBe('too_old');
    expect(reasonOf(at(oldest + 5 * MINUTE_MS))).toBe('too_old');
    const last = at(oldest + 6 * MINUTE_MS);
    expect(last).toMatchObject({ state: 'eligible', expiresAt: new Date(NOW.getTime() + MINUTE_MS) });
  });

  it('is named in the reason', () => {
    expect(meta(anEvent({ occurredAt: daysAgo(8) }))).toMatchObject({
      message: 'Meta accepts events for 7 days. This event is older.',
    });
  });
});

describe('an event in the future', () => {
  const future = anEvent({ occurredAt: new Date(NOW.getTime() + 600_000) });

  it.each<[string, string, Prepare]>([
    ['Google', 'in_future', google],
    ['Microsoft offline', 'in_future', offline],
    ['Meta', 'eligible', meta],
    ['Microsoft UET', 'eligible', uet],
  ])('%s: %s', (_, reason, prepare) => {
    expect(reasonOf(prepare(future))).toBe(reason);
  });

  it('is not one whose time differs by a few minutes', () => {
    expect(reasonOf(google(anEvent({ occurredAt: new Date(NOW.getTime() + 240_000) })))).toBe('eligible');
  });
});

describe('the click', () => {
  it.each<[string, number, string, Prepare]>([
    ['Google', -1, 'before_click', google],
    ['Google', 91, 'click_too_old', google],
    ['Google', 90, 'eligible', google],
    ['Microsoft offline', -1, 'before_click', offline],
    ['Microsoft offline', 31, 'click_too_old', offline],
    ['Microsoft offline', 30, 'eligible', offline],
    ['Meta', 91, 'eligible', meta],
  ])('%s, %s days before the event: %s', (_, days, reason, prepare) => {
    const occurredAt = daysAgo(1);
    expect(reasonOf(prepare(anEvent({ occurredAt, clickedAt: daysAgo(days, occurredAt) })))).toBe(reason);
  });
});

describe('Google', () => {
  it('does not receive an id of digits only', () => {
    const noPrefix = { ...action, transactionIdPrefix: '' };
    expect(prepareGoogleEvent(anEvent({ id: '1001' }), policy, noPrefix, NOW)).toEqual({
      state: 'ineligible',
      reason: 'id_numeric',
      message: 'Google Ads rejects order ids that contain only digits. Set a prefix for the ids.',
    });
    expect(prepareGoogleEvent(anEvent({ id: 'A1001' }), policy, noPrefix, NOW)).toMatchObject({
      payload: { transactionId: 'A1001' },
    });
    expect(google(anEvent({ id: '1001' }))).toMatchObject({ payload: { transactionId: 'ord-1001' } });
  });

  it('does not receive an address without one of its four parts', () => {
    const address = { firstName: 'Jane', lastName: 'Doe', country: 'US', postalCode: '94045' };
    for (const part of Object.keys(address)) {
      const identifiers = Object.fromEntries(Object.entries(address).filter(([name]) => name !== part));
      expect(reasonOf(google(anEvent({ identifiers })))).toBe('missing_identifiers');
    }
    expect(reasonOf(google(anEvent({ identifiers: address })))).toBe('eligible');
  });
});

describe('Meta', () => {
  it('does not receive a Purchase without a value, but other events', () => {
    expect(reasonOf(meta(anEvent({ value: null })))).toBe('value_missing');
    const lead = { datasetId: '1', eventName: 'Lead', testEventCode: null };
    expect(reasonOf(prepareMetaEvent(anEvent({ value: null }), policy, lead, NOW))).toBe('eligible');
  });

  it('does not receive events of business messaging', () => {
    expect(reasonOf(meta(anEvent({ actionSource: 'business_messaging' })))).toBe('action_source_unsupported');
  });

  const place = { city: 'Paris', country: 'FR', state: 'IDF', postalCode: '75001', gender: 'f', userAgent: 'Mozilla/5.0' };

  it.each([
    [place],
    [{ userAgent: 'Mozilla/5.0' }],
    [{ city: 'Paris', country: 'FR' }],
    [{ dateOfBirth: '19970216', userAgent: 'Mozilla/5.0' }],
    [{ firstName: 'Jane', gender: 'f' }],
    [{ lastName: 'Doe' }],
    [{ lastName: 'Doe', gender: 'f' }],
  ])('does not receive an event that has only %j', (identifiers) => {
    expect(reasonOf(meta(anEvent({ identifiers })))).toBe('identifiers_too_thin');
  });

  it.each([
    [{ ...place, dateOfBirth: '19970216' }],
    [{ firstName: 'Jane', lastName: 'Doe' }],
    [{ dateOfBirth: '19970216', gender: 'f' }],
    [{ ...place, ipAddress: '192.0.2.1' }],
    [{ fbclid: 'AbC' }],
    [{ externalId: 'user-42' }],
  ])('receives an event that has %j', (identifiers) => {
    expect(reasonOf(meta(anEvent({ identifiers })))).toBe('eligible');
  });
});

describe('Microsoft', () => {
  it('does not receive hashes for a goal without enhanced conversions', () => {
    const plain = { ...goal, hasEnhancedConversions: false };
    expect(reasonOf(prepareOfflineEvent(anEvent(), policy, plain, NOW))).toBe('missing_identifiers');
    const clicked = anEvent({ identifiers: { email: 'jane@example.com', msclkid: 'b171a9b06ce011ecafcd1b209be8601b' } });
    const prepared = prepareOfflineEvent(clicked, policy, plain, NOW);
    expect(prepared).toMatchObject({ state: 'eligible', payload: { MicrosoftClickId: 'b171a9b06ce011ecafcd1b209be8601b' } });
    expect(prepared).not.toHaveProperty('payload.HashedEmailAddress');
  });

  it('does not receive a click id in UET that is not a UUID, which would reject the event', () => {
    expect(reasonOf(uet(anEvent({ identifiers: { msclkid: 'abc' } })))).toBe('missing_identifiers');
    const prepared = uet(anEvent({ identifiers: { msclkid: 'abc', email: 'jane@example.com' } }));
    expect(prepared).toMatchObject({ state: 'eligible', notes: [{ code: 'click_id_unusable' }] });
    expect(prepared).not.toHaveProperty('payload.userData.msclkid');
  });
});

describe('an amount', () => {
  it.each([
    ['49.9', 'eur', 49.9],
    ['0', 'USD', 0],
    ['1.005', 'USD', 1.01],
    ['19.989999999999998', 'USD', 19.99],
    ['0.30000000000000004', 'USD', 0.3],
    ['999.995', 'EUR', 1000],
    ['5000', 'JPY', 5000],
    ['5000.00', 'JPY', 5000],
    ['1.2345', 'KWD', 1.235],
    ['1.5', 'BHD', 1.5],
    ['5', 'UGX', 5],
    ['999999999999.99', 'USD', 999_999_999_999.99],
    ['12345678.90', 'HUF', 12_345_678.9],
  ])('%s %s is sent as %s', (value, currency, sent) => {
    expect(readAmount({ value, currency })).toEqual({ value: sent, currency: currency.toUpperCase() });
  });

  it('without a value is left out', () => {
    expect(readAmount({ value: null, currency: 'EUR' })).toBeNull();
    expect(readAmount({ value: ' ', currency: null })).toBeNull();
  });

  it('of whole cents is sent unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999_999 }), (cents) => {
        const value = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        expect(readAmount({ value, currency: 'EUR' })).toEqual({ value: Number(value), currency: 'EUR' });
      }),
    );
  });
});

it('no reason or note contains personal data', () => {
  const text = fc
    .string({ minLength: 4, maxLength: 12, unit: fc.constantFrom(...'qzwxjkvQZWXJKV@') })
    .map((part) => `qz!${part}!zq`);
  const field = fc.constantFrom('email', 'phone', 'gender', 'country', 'dateOfBirth', 'msclkid', 'externalId');
  fc.assert(
    fc.property(field, text, fc.constantFrom(...networks), fc.boolean(), (name, secret, [, prepare], isHashed) => {
      const hashedFields = isHashed && name !== 'msclkid' ? [name as 'email'] : [];
      const event = anEvent({ id: 'A', identifiers: { [name]: secret }, hashedFields, value: secret, sourceUrl: secret });
      for (const value of [secret, '1']) {
        const prepared = prepare({ ...event, value }, { ...policy, hashesExternalId: true });
        const shown = JSON.stringify(prepared.state === 'ineligible' ? prepared : prepared.notes);
        expect(shown).not.toContain(secret);
      }
    }),
  );
});

it('all reasons are used', () => {
  const used = new Set(networks.flatMap(([, prepare]) => provoking.map((changes) => reasonOf(prepare(anEvent(changes))))));
  used.add(reasonOf(prepareGoogleEvent(anEvent({ id: '1' }), policy, { ...action, transactionIdPrefix: '' }, NOW)));
  const adjustment = {
    id: '1',
    original: { id: '2', payload: {} },
    originalOccurredAt: NOW,
    occurredAt: NOW,
    value: '1',
    currency: 'EUR',
  };
  used.add(reasonOf(prepareOfflineAdjustment({ ...adjustment, isRemoved: true }, 'Purchase', NOW)));
  expect([...ineligibleReasons].filter((reason) => !used.has(reason))).toEqual([]);
});

const provoking: Partial<ConversionEvent>[] = [
  { consent: { adUserData: 'denied', adPersonalization: 'denied' } },
  { consent: { adUserData: 'unknown', adPersonalization: 'denied' } },
  { consent: { adUserData: 'granted', adPersonalization: 'denied' } },
  { occurredAt: daysAgo(100) },
  { occurredAt: daysAgo(-1) },
  { clickedAt: NOW },
  { clickedAt: daysAgo(95) },
  { id: '' },
  { identifiers: {} },
  { identifiers: { lastName: 'Doe' } },
  { actionSource: 'business_messaging' },
  { value: null },
  { value: 'x' },
  { value: '-1' },
  { value: '1.5', currency: 'JPY' },
  { currency: null },
  { currency: 'XYZ' },
];
