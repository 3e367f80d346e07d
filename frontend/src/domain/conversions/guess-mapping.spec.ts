import { describe, expect, test } from 'vitest';
import { mappingGroupsFor, mappingNeeds } from './event-fields';
import { completeMapping, guessHashedFields, guessMapping } from './guess-mapping';

const guess = (fields: string[], idField: string | null = null, timeField: string | null = null) =>
  guessMapping({ fields, idField, timeField });

describe('a guessed mapping', () => {
  test('leaves unknown fields unmapped', () => expect(guess(['color', 'size'])).toEqual({}));

  test('finds usual names with any separators and in nested objects', () =>
    expect(guess(['Order-ID', 'customer.email_address', 'customer.phoneNumber', 'created_at', 'Total'])).toEqual({
      id: { field: 'Order-ID' },
      orderId: { field: 'Order-ID' },
      occurredAt: { field: 'created_at' },
      value: { field: 'Total' },
      email: { field: 'customer.email_address' },
      phone: { field: 'customer.phoneNumber' },
    }));

  test('prefers a specific name to a general one', () =>
    expect(guess(['id', 'event_id', 'time', 'occurred_at'])).toMatchObject({
      id: { field: 'event_id' },
      occurredAt: { field: 'occurred_at' },
    }));

  test('uses the defaults of the source when no name fits', () =>
    expect(guess(['gclid', 'push.id', 'push.receivedAt'], 'push.id', 'push.receivedAt')).toEqual({
      gclid: { field: 'gclid' },
      id: { field: 'push.id' },
      occurredAt: { field: 'push.receivedAt' },
    }));

  test('takes the amount of a payment in the currency in which the customer paid', () =>
    expect(
      guess([
        ...['event_id', 'occurred_at', 'currency', 'amount_minor', 'charged_currency', 'customer_id', 'stripe_customer_id'],
        ...['payment_id', 'original_event_id', 'amount', 'email'],
      ]),
    ).toEqual({
      id: { field: 'event_id' },
      occurredAt: { field: 'occurred_at' },
      value: { field: 'amount' },
      currency: { field: 'charged_currency' },
      orderId: { field: 'payment_id' },
      adjusts: { field: 'original_event_id' },
      email: { field: 'email' },
      externalId: { field: 'stripe_customer_id' },
    }));

  test('uses one consent field for both kinds of consent', () =>
    expect(guess(['consent'])).toEqual({ adUserData: { field: 'consent' }, adPersonalization: { field: 'consent' } }));
});

describe('a mapping for a platform that takes msclkid and email', () => {
  const taken = ['msclkid', 'email'];
  const sample = { fields: ['order_id', 'gclid', 'msclkid', 'email_sha256'], idField: null, timeField: null };

  test('has no other identifiers, and the usual fields', () =>
    expect(completeMapping({ mapping: {}, hashedFields: [] }, sample, taken)).toEqual({
      mapping: {
        id: { field: 'order_id' },
        orderId: { field: 'order_id' },
        msclkid: { field: 'msclkid' },
        email: { field: 'email_sha256' },
      },
      hashedFields: ['email'],
    }));

  test('keeps what is mapped', () => {
    const mapping = { id: { field: 'number' }, email: { field: 'mail' }, gclid: { field: 'gclid' } };
    const completed = completeMapping({ mapping, hashedFields: ['email'] }, sample, taken);
    expect(completed).toMatchObject({ mapping: { id: { field: 'number' }, email: { field: 'mail' } }, hashedFields: ['email'] });
    expect(completed.mapping.gclid).toBeUndefined();
  });

  test('offers only these identifiers and the mapped ones', () => {
    const fieldsOf = (title: string) =>
      mappingGroupsFor(taken, { phone: { field: 'phone' } }).find((group) => group.title === title)?.fields;
    expect(fieldsOf('Click IDs')).toEqual(['msclkid']);
    expect(fieldsOf('Person')).toEqual(['email', 'phone']);
    expect(fieldsOf('Context')).toEqual(['clickedAt', 'actionSource', 'sourceUrl']);
  });
});

test('recognizes fields that are hashed already', () => {
  const mapping = guess(['email_sha256', 'phone']);
  expect(guessHashedFields(mapping)).toEqual(['email']);
});

test.each([
  [{}, 'Select the deduplication key'],
  [{ id: { field: 'a' } }, 'Select the time of the event'],
  [{ id: { field: 'a' }, occurredAt: { field: 'b' } }, 'Select at least one click ID or one field of the person'],
  [
    { id: { field: 'a' }, occurredAt: { field: 'b' }, email: { field: 'c' }, currency: { value: ' ' } },
    'Enter a constant for Currency',
  ],
  [{ id: { field: 'a' }, occurredAt: { field: 'b' }, gclid: { field: 'c' } }, null],
])('the mapping %j needs: %s', (mapping, missing) => expect(mappingNeeds(mapping)).toBe(missing));
