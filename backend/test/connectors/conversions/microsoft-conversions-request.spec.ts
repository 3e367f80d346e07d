import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { sha256 } from '../../../src/connectors/kit/identifiers.js';
import { buildOfflineRequest, prepareOfflineEvent } from '../../../src/connectors/microsoft-conversions/offline-event.js';
import { buildUetRequest, prepareUetEvent } from '../../../src/connectors/microsoft-conversions/uet-event.js';
import { conversionEvents } from './conversion-arbitraries.js';
import { anEvent, eligible, NOW, policy } from './conversion-events.js';

const goal = { windowDays: 30, hasEnhancedConversions: true };
const clickId = 'b171a9b06ce011ecafcd1b209be8601b';
const identifiers = { email: 'user.name+NYC@Example.com', phone: '+1 425 555 1234', msclkid: clickId };

describe('the body of OfflineConversions/Apply', () => {
  it('contains everything that is known about an event', () => {
    const event = anEvent({ occurredAt: new Date('2026-11-21T08:30:00.250Z'), identifiers });
    const prepared = eligible(prepareOfflineEvent(event, policy, goal, NOW));
    expect(buildOfflineRequest('Sale', [prepared])).toEqual({
      OfflineConversions: [
        {
          MicrosoftClickId: clickId,
          ConversionName: 'Sale',
          ConversionTime: '2026-11-21T08:30:00.250Z',
          ConversionValue: 49.9,
          ConversionCurrencyCode: 'EUR',
          HashedEmailAddress: sha256('username@example.com'),
          HashedPhoneNumber: sha256('+14255551234'),
        },
      ],
    });
    expect(prepared).toMatchObject({ rulesVersion: 'microsoft/1', notes: [] });
  });

  it('contains no value without one, and a note says that the value of the goal is used', () => {
    const prepared = eligible(prepareOfflineEvent(anEvent({ value: null, identifiers }), policy, goal, NOW));
    expect(prepared.payload).not.toHaveProperty('ConversionValue');
    expect(prepared.payload).not.toHaveProperty('ConversionCurrencyCode');
    expect(prepared.notes).toEqual([
      { code: 'goal_value_used', message: 'The event has no value, so Microsoft Advertising uses the value of the goal.' },
    ]);
  });
});

describe('the body of a POST to UET events', () => {
  it('contains everything that is known about an event', () => {
    const known = {
      ...identifiers,
      anonymousId: 'visitor-1',
      externalId: 'user-42',
      ipAddress: '192.0.2.1',
      userAgent: 'Mozilla/5.0',
    };
    const event = anEvent({ occurredAt: new Date('2026-11-21T08:30:00.900Z'), identifiers: known });
    const prepared = eligible(prepareUetEvent(event, policy, NOW));
    expect(buildUetRequest('purchase', [prepared])).toEqual({
      data: [
        {
          eventType: 'custom',
          eventId: 'A-1001',
          eventName: 'purchase',
          eventTime: Date.parse('2026-11-21T08:30:00Z') / 1000,
          eventSourceUrl: 'https://shop.example.com/thanks',
          adStorageConsent: 'G',
          userData: {
            em: sha256('username@example.com'),
            ph: sha256('+14255551234'),
            msclkid: clickId,
            anonymousId: 'visitor-1',
            externalId: sha256('user-42'),
            clientUserAgent: 'Mozilla/5.0',
            clientIpAddress: '192.0.2.1',
          },
          customData: { transactionId: 'A-1001', value: 49.9, currency: 'EUR' },
        },
      ],
      continueOnValidationError: false,
      dataProvider: 'tributary',
    });
    expect(prepared.notes).toEqual([]);
  });

  it('contains no consent that is unknown', () => {
    const event = anEvent({ consent: { adUserData: 'unknown', adPersonalization: 'unknown' } });
    const { payload } = eligible(prepareUetEvent(event, { ...policy, onUnknownConsent: 'send' }, NOW));
    expect(payload).not.toHaveProperty('adStorageConsent');
  });

  it('contains an external id as it is only if it is not an e-mail address', () => {
    const plain = { ...policy, hashesExternalId: false };
    const prepare = (externalId: string) =>
      eligible(prepareUetEvent(anEvent({ identifiers: { externalId, msclkid: clickId } }), plain, NOW));
    expect(prepare('user-42').payload['userData']).toMatchObject({ externalId: 'user-42' });
    expect(prepare('jane@example.com').payload['userData']).toEqual({ msclkid: clickId });
  });
});

it('an eligible event always has an identifier, and its parts are never empty', () => {
  const userKeys = ['em', 'ph', 'msclkid', 'anonymousId', 'externalId'];
  const offlineKeys = ['MicrosoftClickId', 'HashedEmailAddress', 'HashedPhoneNumber'];
  let count = 0;
  fc.assert(
    fc.property(conversionEvents, (event) => {
      for (const [prepared, keys] of [
        [prepareOfflineEvent(event, policy, goal, NOW), offlineKeys],
        [prepareUetEvent(event, policy, NOW), userKeys],
      ] as const) {
        if (prepared.state === 'ineligible') continue;
        count += 1;
        const found = (prepared.payload['userData'] ?? prepared.payload) as Record<string, unknown>;
        expect(keys.some((key) => key in found)).toBe(true);
        expect(JSON.stringify(prepared.payload)).not.toMatch(/null|""|\[\]|\{\}/);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(count).toBeGreaterThan(50);
});
