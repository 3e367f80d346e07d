import fc from 'fast-check';
import { actionSources, type ConversionEvent } from '../../../src/connectors/kit/conversion.js';
import { sha256 } from '../../../src/connectors/kit/identifiers.js';
import { daysAgo } from './conversion-events.js';

const identifiers: Record<string, fc.Arbitrary<string>> = {
  email: fc.constantFrom('jane.doe+x@gmail.com', ' JOHN@Contoso.com ', 'jane', sha256('jane@example.com'), ''),
  phone: fc.constantFrom('+1 (650) 555-1212', '0044 844 412 4653', '030 123456', 'none'),
  firstName: fc.constantFrom('Jane', ' Valéry ', 'Mary'),
  lastName: fc.constantFrom('Doe', 'Quinn', 'Müller'),
  gender: fc.constantFrom('f', 'Male'),
  dateOfBirth: fc.constantFrom('19970216', '20000229'),
  city: fc.constantFrom('São Paulo', 'Menlo Park'),
  state: fc.constantFrom('CA', 'Bavaria'),
  postalCode: fc.constantFrom('94035-1234', 'SW1A 1AA'),
  country: fc.constantFrom('us', 'DE'),
  externalId: fc.constantFrom('user-42', '7'),
  gclid: fc.constantFrom('EAIaIQ-abc_123'),
  gbraid: fc.constantFrom('0AAAA'),
  wbraid: fc.constantFrom('CjwK'),
  fbclid: fc.constantFrom('IwAR2F4-dbP0'),
  fbp: fc.constantFrom('fb.1.1554763741205.1098115397'),
  msclkid: fc.constantFrom('b171a9b06ce011ecafcd1b209be8601b', 'not a uuid'),
  anonymousId: fc.constantFrom('b171a9b0-6ce0-11ec-afcd-1b209be8601b'),
  ipAddress: fc.constantFrom('192.0.2.1', '2001:db8::1'),
  userAgent: fc.constantFrom('Mozilla/5.0'),
};

const consentStatus = fc.constantFrom('granted', 'denied', 'unknown' as const);

/** Conversion events with any combination of fields. Not all of them are eligible. */
export const conversionEvents: fc.Arbitrary<ConversionEvent> = fc.record({
  id: fc.constantFrom('A-1001', '1001', 'ord 7', '注文-1'),
  occurredAt: fc.integer({ min: 0, max: 80 }).map((days) => daysAgo(days)),
  clickedAt: fc.option(fc.integer({ min: 80, max: 95 }).map((days) => daysAgo(days))),
  actionSource: fc.constantFrom(...actionSources),
  sourceUrl: fc.constantFrom('https://shop.example.com/thanks?order=1', 'no address', null),
  value: fc.constantFrom('49.90', '0', '1234567.891', null),
  currency: fc.constantFrom('EUR', 'usd', 'KWD'),
  orderId: fc.constantFrom('1001', null),
  identifiers: fc.record(identifiers, { requiredKeys: [] }),
  hashedFields: fc.constant([]),
  consent: fc.record({ adUserData: consentStatus, adPersonalization: consentStatus }),
});
