import { describe, expect, it } from 'vitest';
import { rules as google } from '../../../src/connectors/google-data-manager/identifiers.js';
import type { ConversionEvent } from '../../../src/connectors/kit/conversion.js';
import { hashIdentifiers, readHash, sha256 } from '../../../src/connectors/kit/identifiers.js';
import { rules as meta } from '../../../src/connectors/meta-conversions/identifiers.js';
import { rules as microsoft } from '../../../src/connectors/microsoft-conversions/identifiers.js';

const hashed = sha256('jane@example.com');
const noDefault = { defaultCountry: null };

const person = (
  identifiers: ConversionEvent['identifiers'],
  hashedFields: ConversionEvent['hashedFields'] = [],
): Pick<ConversionEvent, 'identifiers' | 'hashedFields'> => ({ identifiers, hashedFields });

describe('a value is not a hash', () => {
  it.each([
    ['MD5', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['SHA-256 in Base64', 'UJ6TMBm7KFoTSpM0uLtnnf950M4CPVKa9L10TUe0/Yo='],
    ['63 characters', hashed.slice(1)],
    ['65 characters', `${hashed}0`],
    ['a character that is not hexadecimal', `g${hashed.slice(1)}`],
    ['with the prefix 0x', `0x${hashed.slice(2)}`],
  ])('%s', (_, text) => {
    expect(readHash(text)).toBeNull();
  });
});

it('a field that is delivered as a hash is left out if it is not a hash, with a note without the value', () => {
  const { hashes, notes } = hashIdentifiers(
    person({ email: 'jane@example.com', phone: hashed }, ['email', 'phone']),
    google,
    noDefault,
  );
  expect(hashes).toEqual({ phone: hashed });
  expect(notes).toEqual([
    {
      code: 'email_not_a_hash',
      message: 'The e-mail address should already be a SHA-256 hash of 64 hexadecimal characters, but is not, so it is not sent.',
    },
  ]);
});

it('an identifier that cannot be used is left out with a note without the value', () => {
  const { hashes, notes } = hashIdentifiers(person({ email: 'jane@@example.com', firstName: 'Jane' }), meta, noDefault);
  expect(hashes).toEqual({ firstName: sha256('jane') });
  expect(notes).toEqual([{ code: 'email_unusable', message: 'The e-mail address is not valid, so it is not sent.' }]);
});

it('empty fields and fields without a rule are left out without a note', () => {
  const event = person({ email: ' ', city: 'Paris', phone: '+33 1 23 45 67 89' });
  expect(hashIdentifiers(event, microsoft, noDefault)).toEqual({ hashes: { phone: sha256('+33123456789') }, notes: [] });
});

describe('the country of a phone number without a country code is', () => {
  const hashPhone = (event: Parameters<typeof hashIdentifiers>[0], defaultCountry: string | null): string | undefined =>
    hashIdentifiers(event, google, { defaultCountry }).hashes.phone;

  it("the event's own country before the default of the conversion", () => {
    expect(hashPhone(person({ phone: '030 123456', country: 'de' }), 'US')).toBe(sha256('+4930123456'));
    expect(hashPhone(person({ phone: '030 123456' }), 'DE')).toBe(sha256('+4930123456'));
  });

  it('unknown if the country of the event is a hash or not valid', () => {
    expect(hashPhone(person({ phone: '030 123456', country: sha256('de') }, ['country']), null)).toBeUndefined();
    expect(hashPhone(person({ phone: '030 123456', country: 'Germany' }), null)).toBeUndefined();
  });
});

it.each([
  ['jane.doe+news@gmail.com', 'janedoe@gmail.com', 'jane.doe+news@gmail.com', 'janedoe@gmail.com'],
  ['Jane.Doe+news@example.com', 'jane.doe+news@example.com', 'jane.doe+news@example.com', 'janedoe@example.com'],
  ['jane.doe@googlemail.com', 'janedoe@googlemail.com', 'jane.doe@googlemail.com', 'janedoe@googlemail.com'],
])('%s is normalized by each platform’s own rules', (email, forGoogle, forMeta, forMicrosoft) => {
  const hashFor = (rules: Parameters<typeof hashIdentifiers>[1]) =>
    hashIdentifiers(person({ email }), rules, noDefault).hashes.email;
  expect(hashFor(google)).toBe(sha256(forGoogle));
  expect(hashFor(meta)).toBe(sha256(forMeta));
  expect(hashFor(microsoft)).toBe(sha256(forMicrosoft));
});
