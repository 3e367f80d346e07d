import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { CustomData, ServerEvent, UserData } from 'facebook-nodejs-business-sdk';
import type { ConversionEvent } from '../../../src/connectors/kit/conversion.js';
import { sha256 } from '../../../src/connectors/kit/identifiers.js';
import { prepareMetaEvent } from '../../../src/connectors/meta-conversions/event.js';
import { buildEventsRequest, PARTNER_AGENT } from '../../../src/connectors/meta-conversions/request.js';
import { conversionEvents } from './conversion-arbitraries.js';
import { anEvent, eligible, NOW, policy } from './conversion-events.js';

const dataset = { datasetId: '4242', eventName: 'Purchase', testEventCode: null };

/** The same event in Meta's own SDK. Values that the SDK normalizes differently are given in Meta's published form. */
function fromSdk(event: ConversionEvent, payload: Record<string, unknown>): Record<string, unknown> {
  const { identifiers } = event;
  const person = new UserData();
  const found = payload['user_data'] as Record<string, string | string[]>;
  if (found['em']) person.setEmail(identifiers.email ?? '');
  // The SDK does not know the country of a number.
  if (found['ph']) person.setPhone((identifiers.phone ?? '').replace(/^030/, '+49 30'));
  if (identifiers.firstName) person.setFirstName(identifiers.firstName);
  if (identifiers.lastName) person.setLastName(identifiers.lastName);
  if (identifiers.gender) person.setGender(identifiers.gender);
  if (identifiers.dateOfBirth) person.setDateOfBirth(identifiers.dateOfBirth);
  if (identifiers.city) person.setCity(identifiers.city);
  if (identifiers.state) person.setState(identifiers.state);
  if (identifiers.postalCode) person.setZip(identifiers.postalCode);
  if (identifiers.country) person.setCountry(identifiers.country);
  if (identifiers.externalId) person.setExternalId(sha256(identifiers.externalId));
  if (identifiers.ipAddress) person.setClientIpAddress(identifiers.ipAddress);
  if (identifiers.userAgent) person.setClientUserAgent(identifiers.userAgent);
  if (identifiers.fbp) person.setFbp(identifiers.fbp);
  if (identifiers.fbclid) person.setFbc(`fb.1.${(event.clickedAt ?? event.occurredAt).getTime()}.${identifiers.fbclid}`);
  const custom = new CustomData();
  if (event.value) custom.setValue(Number(event.value)).setCurrency(event.currency ?? '');
  if (event.orderId) custom.setOrderId(event.orderId);
  const server = new ServerEvent()
    .setEventName('Purchase' as Parameters<ServerEvent['setEventName']>[0])
    .setEventTime(event.occurredAt.getTime() / 1000)
    .setEventId(event.id)
    .setActionSource(event.actionSource)
    .setUserData(person)
    .setCustomData(custom);
  if (event.sourceUrl?.startsWith('https:')) server.setEventSourceUrl(event.sourceUrl);
  if (event.consent.adPersonalization !== 'granted') server.setOptOut(true);
  return server.normalize();
}

it("each eligible event equals the event of Meta's own SDK", () => {
  let count = 0;
  // The SDK does not round values to the decimals of their currency.
  const events = conversionEvents.map((event) => ({ ...event, value: event.value && Number(event.value).toFixed(2) }));
  fc.assert(
    fc.property(events, (event) => {
      const prepared = prepareMetaEvent(event, policy, dataset, NOW);
      if (prepared.state === 'ineligible') return;
      count += 1;
      expect(buildEventsRequest(dataset, [prepared])['data']).toEqual([fromSdk(event, prepared.payload)]);
    }),
    { numRuns: 3_000 },
  );
  expect(count).toBeGreaterThan(50);
});

describe('the body of a POST to /events', () => {
  it('contains everything that is known about an event', () => {
    const event = anEvent({
      occurredAt: new Date('2026-11-21T08:30:00.900Z'),
      orderId: ' 1001 ',
      identifiers: {
        email: 'Jane.Doe+x@Gmail.com',
        phone: '+1 (650) 555-1212',
        externalId: 'user-42',
        fbclid: 'AbC',
        fbc: 'fb.1.1554763741205.XyZ.AQ',
        ipAddress: '192.0.2.1',
        userAgent: 'Mozilla/5.0',
      },
    });
    const prepared = eligible(prepareMetaEvent(event, policy, dataset, NOW));
    expect(buildEventsRequest({ ...dataset, testEventCode: 'TEST42' }, [prepared])).toEqual({
      data: [
        {
          event_name: 'Purchase',
          event_time: Date.parse('2026-11-21T08:30:00Z') / 1000,
          event_id: 'A-1001',
          action_source: 'website',
          event_source_url: 'https://shop.example.com/thanks',
          user_data: {
            em: [sha256('jane.doe+x@gmail.com')],
            ph: [sha256('16505551212')],
            external_id: [sha256('user-42')],
            fbc: 'fb.1.1554763741205.XyZ.AQ',
            client_ip_address: '192.0.2.1',
            client_user_agent: 'Mozilla/5.0',
          },
          custom_data: { value: 49.9, currency: 'EUR', order_id: '1001' },
        },
      ],
      partner_agent: PARTNER_AGENT,
      test_event_code: 'TEST42',
    });
    expect(prepared).toMatchObject({ rulesVersion: 'meta/1', notes: [] });
  });

  it('contains no test code without a test', () => {
    expect(buildEventsRequest(dataset, [])).toEqual({ data: [], partner_agent: PARTNER_AGENT });
  });

  it('names the sender in the form that Meta requires', () => {
    expect(PARTNER_AGENT.length).toBeLessThan(23);
    expect(PARTNER_AGENT).toMatch(/[a-z].*[a-z]/);
  });
});

describe('an external id', () => {
  const plain = { ...policy, hashesExternalId: false };
  const userData = (externalId: string) => {
    const event = anEvent({ identifiers: { externalId, fbp: 'fb.1.1554763741205.1', userAgent: 'Mozilla/5.0' } });
    return eligible(prepareMetaEvent(event, plain, dataset, NOW));
  };

  it('is sent as it is if the other channels send it so', () => {
    expect(userData('user-42').payload['user_data']).toMatchObject({ external_id: ['user-42'] });
  });

  it('is never an e-mail address in clear text', () => {
    const { payload, notes } = userData('jane@example.com');
    expect(payload['user_data']).not.toHaveProperty('external_id');
    expect(notes).toContainEqual(expect.objectContaining({ code: 'externalId_is_email' }));
  });
});

it('an event of a website without user agent or page address is sent with a note', () => {
  const event = anEvent({ sourceUrl: 'not an address', identifiers: { email: 'jane@example.com' } });
  const { notes, payload } = eligible(prepareMetaEvent(event, policy, dataset, NOW));
  expect(notes.map(({ code }) => code)).toEqual(['source_url_unusable', 'user_agent_missing', 'source_url_missing']);
  expect(payload).not.toHaveProperty('event_source_url');
  const inStore = eligible(prepareMetaEvent({ ...event, actionSource: 'physical_store', sourceUrl: null }, policy, dataset, NOW));
  expect(inStore.notes).toEqual([]);
});
