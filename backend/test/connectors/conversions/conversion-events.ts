import type { ConversionEvent, ConversionPolicy, PreparedEvent, Preparation } from '../../../src/connectors/kit/conversion.js';

export const NOW = new Date('2026-11-22T12:00:00Z');

export const daysAgo = (days: number, from = NOW): Date => new Date(from.getTime() - days * 86_400_000);

export const policy: ConversionPolicy = { onUnknownConsent: 'block', defaultCountry: null, hashesExternalId: true };

/** A paid order of yesterday by a person with an e-mail address. */
export function anEvent(changes: Partial<ConversionEvent> = {}): ConversionEvent {
  return {
    id: 'A-1001',
    occurredAt: daysAgo(1),
    clickedAt: null,
    actionSource: 'website',
    sourceUrl: 'https://shop.example.com/thanks',
    value: '49.90',
    currency: 'EUR',
    orderId: null,
    identifiers: { email: 'jane.doe@example.com', userAgent: 'Mozilla/5.0' },
    hashedFields: [],
    consent: { adUserData: 'granted', adPersonalization: 'granted' },
    ...changes,
  };
}

export function eligible(preparation: Preparation): PreparedEvent {
  if (preparation.state !== 'eligible') throw new Error(`${preparation.reason}: ${preparation.message}`);
  return preparation;
}
