import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { prepareGoogleEvent } from '../../../src/connectors/google-data-manager/event.js';
import { buildIngestRequest } from '../../../src/connectors/google-data-manager/request.js';
import { sha256 } from '../../../src/connectors/kit/identifiers.js';
import { conversionEvents } from './conversion-arbitraries.js';
import { anEvent, eligible, NOW, policy } from './conversion-events.js';
import { problemsOf } from '../proto-json.js';

const file = createRequire(import.meta.url).resolve('@google-ads/datamanager/build/protos/protos.json');
const root = protobuf.Root.fromJSON(JSON.parse(readFileSync(file, 'utf8')) as protobuf.INamespace);
const request = root.lookupType('google.ads.datamanager.v1.IngestEventsRequest');

const action = {
  accountId: '1234567890',
  loginAccountId: '5550001111',
  conversionActionId: '987654',
  transactionIdPrefix: 'ord-',
};

it('a body with unknown fields, wrong values or the wrong form of a time is not a message', () => {
  const events = [{ transactionID: 'A', eventTimestamp: '2026-11-21 12:00:00', conversionValue: '49.90', eventSource: 'SHOP' }];
  expect(problemsOf(request, { destinations: [], events, encoding: 'hex' })).toEqual([
    expect.stringContaining('transactionID is not in Event'),
    expect.stringContaining('eventTimestamp is not google.protobuf.Timestamp'),
    expect.stringContaining('conversionValue is "49.90", not double'),
    expect.stringContaining('eventSource is "SHOP"'),
    expect.stringContaining('encoding is "hex"'),
  ]);
});

it('each eligible event is a message of the API', () => {
  let count = 0;
  fc.assert(
    fc.property(
      conversionEvents,
      fc.constantFrom('block', 'send' as const),
      fc.boolean(),
      (event, onUnknownConsent, validateOnly) => {
        const prepared = prepareGoogleEvent(event, { ...policy, onUnknownConsent }, action, NOW);
        if (prepared.state === 'ineligible') return;
        count += 1;
        const body = buildIngestRequest(action, [prepared], validateOnly);
        expect(problemsOf(request, JSON.parse(JSON.stringify(body)))).toEqual([]);
        const { adIdentifiers = {}, userData = { userIdentifiers: [] } } = prepared.payload as {
          adIdentifiers?: object;
          userData?: { userIdentifiers: object[] };
        };
        expect(Object.keys(adIdentifiers).length).toBeLessThanOrEqual(1);
        expect(userData.userIdentifiers.length).toBeLessThanOrEqual(10);
        for (const identifier of userData.userIdentifiers) expect(Object.keys(identifier)).toHaveLength(1);
      },
    ),
    { numRuns: 1_000 },
  );
  expect(count).toBeGreaterThan(50);
});

describe('the body of events:ingest', () => {
  const person = { email: 'Jane.Doe+x@Gmail.com', phone: '+1 800-555-0100', firstName: 'Dr. Alex', lastName: 'Quinn, Jr.' };

  it('contains everything that is known about an event', () => {
    const event = anEvent({
      id: '1001',
      occurredAt: new Date('2026-11-21T08:30:00.250Z'),
      identifiers: {
        ...person,
        country: 'us',
        postalCode: ' 94045 ',
        gclid: ' EAIaIQ ',
        gbraid: '0AAAA',
        ipAddress: '192.0.2.1',
      },
      consent: { adUserData: 'granted', adPersonalization: 'denied' },
    });
    const prepared = eligible(prepareGoogleEvent(event, policy, action, NOW));
    expect(buildIngestRequest(action, [prepared])).toEqual({
      destinations: [
        {
          operatingAccount: { accountType: 'GOOGLE_ADS', accountId: '1234567890' },
          loginAccount: { accountType: 'GOOGLE_ADS', accountId: '5550001111' },
          productDestinationId: '987654',
        },
      ],
      events: [
        {
          transactionId: 'ord-1001',
          eventTimestamp: '2026-11-21T08:30:00.250Z',
          eventSource: 'WEB',
          conversionValue: 49.9,
          currency: 'EUR',
          adIdentifiers: { gclid: 'EAIaIQ' },
          userData: {
            userIdentifiers: [
              { emailAddress: sha256('janedoe@gmail.com') },
              { phoneNumber: sha256('+18005550100') },
              { address: { givenName: sha256('alex'), familyName: sha256('quinn'), regionCode: 'US', postalCode: '94045' } },
            ],
          },
          consent: { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' },
        },
      ],
      encoding: 'HEX',
    });
    expect(prepared).toMatchObject({ id: '1001', rulesVersion: 'google/1', notes: [] });
  });

  it('contains no empty part', () => {
    const event = anEvent({ value: null, currency: null, identifiers: { wbraid: 'CjwK' } });
    const direct = { ...action, loginAccountId: null };
    const body = buildIngestRequest(direct, [eligible(prepareGoogleEvent(event, policy, direct, NOW))], true);
    expect(body).toEqual({
      destinations: [
        { operatingAccount: { accountType: 'GOOGLE_ADS', accountId: '1234567890' }, productDestinationId: '987654' },
      ],
      events: [
        {
          transactionId: 'ord-A-1001',
          eventTimestamp: '2026-11-21T12:00:00.000Z',
          eventSource: 'WEB',
          adIdentifiers: { wbraid: 'CjwK' },
          consent: { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' },
        },
      ],
      encoding: 'HEX',
      validateOnly: true,
    });
  });

  it('contains no consent that is unknown', () => {
    const event = anEvent({ consent: { adUserData: 'unknown', adPersonalization: 'unknown' } });
    const { payload } = eligible(prepareGoogleEvent(event, { ...policy, onUnknownConsent: 'send' }, action, NOW));
    expect(payload['consent']).toEqual({});
  });

  it('contains no address whose country is a hash', () => {
    const identifiers = { ...person, country: sha256('us'), postalCode: '94045' };
    const { payload } = eligible(prepareGoogleEvent(anEvent({ identifiers, hashedFields: ['country'] }), policy, action, NOW));
    expect(JSON.stringify(payload)).not.toContain('address":{');
  });
});
