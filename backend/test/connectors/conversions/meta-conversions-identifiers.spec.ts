import { describe, expect, it } from 'vitest';
import { UserData } from 'facebook-nodejs-business-sdk';
import fc from 'fast-check';
import { getCountries, getExampleNumber } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min';
import examples from 'libphonenumber-js/mobile/examples';
import { hashIdentifier, sha256 } from '../../../src/connectors/kit/identifiers.js';
import { rules, toClickId } from '../../../src/connectors/meta-conversions/identifiers.js';

type Field = keyof typeof rules;

const hash = (field: Field, text: string, country: string | null = null): string | null =>
  hashIdentifier(text, rules[field], country);

describe('Meta receives no', () => {
  it.each<[Field, string]>([
    ['email', 'jane doe@example.com'],
    ['email', 'jane'],
    ['email', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['phone', '650-555-1212'],
    ['phone', '1.650.555.1212'],
    ['phone', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['firstName', ' -. '],
    ['gender', 'other'],
    ['gender', ''],
    ['dateOfBirth', '1997-02-30'],
    ['dateOfBirth', '16.02.1997'],
    ['dateOfBirth', '1997'],
    ['city', '12-34'],
    ['postalCode', '9'],
    ['country', 'USA'],
    ['country', 'XX'],
    ['externalId', ' '],
  ])('%s from %j', (field, text) => {
    expect(hash(field, text)).toBeNull();
  });
});

describe('Meta receives the published hash of', () => {
  it.each<[Field, string, string]>([
    ['email', ' John_Smith@gmail.com ', '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f'],
    ['email', 'Jane.Doe+x@Gmail.com', '3eebe8d734dcf3f0bec40704e5ca2c3e48b513ad4af65ed70dcd168f425f4f4c'],
    ['phone', '+1 (650) 555-1212', 'e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176'],
    ['phone', '0044 844 412 4653', 'dc008fda46e2e64002cf2f82a4906236282d431c4f75e5b60bfe79fc48546383'],
    ['firstName', '정', '8fa8cd9c440be61d0151429310034083132b35975c4bea67fdd74158eb51db14'],
    ['firstName', 'Valéry', '08e1996b5dd49e62a4b4c010d44e4345592a863bb9f8e3976219bac29417149c'],
    ['firstName', 'Mary', '6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec'],
    ['firstName', 'Mary-Ann', '16b3f07f0ec2f9dd127b71dc2e6c791b7d93116a1c3bc99d057eaa7a8a077e73'],
    ['city', 'São Paulo', '3eda1428ae1aece064071f8d40f08fe2bc59ffa66c171a163caf15122ec4d7f0'],
    ['postalCode', '94035-1234', '1794327a4d443904421f5ca1f3d72d0a62ba2f0770d80755ec2220fc0efb052e'],
    ['country', 'us', '79adb2a2fce5c6ba215fe5f27f532d4e7edbac4b6a5e09e1ef3a08084a904621'],
    ['gender', 'Female', '252f10c83610ebca1a059c0bae8255eba2f95be4d1d7bcfa89d7248a82d9f111'],
    ['dateOfBirth', '19970216', '01acdbf6ec7b4f478a225f1a246e5d6767eeab1a7ffa17f025265b5b94f40f0c'],
  ])('%s %j', (field, text, published) => {
    expect(hash(field, text)).toBe(published);
  });
});

describe('Meta receives', () => {
  it.each<[Field, string, string]>([
    ['email', 'jane.doe@googlemail.com', 'jane.doe@googlemail.com'],
    ['lastName', " O'Brien-Größe ", 'obriengröße'],
    ['lastName', 'van der Berg', 'van der berg'],
    ['gender', ' M ', 'm'],
    ['dateOfBirth', ' 1997-02-16 ', '19970216'],
    ['city', "St. John's", 'stjohns'],
    ['state', ' CA ', 'ca'],
    ['state', 'New York', 'newyork'],
    ['postalCode', 'SW1A 1AA', 'sw1a1aa'],
    ['externalId', ' User-42 ', 'User-42'],
  ])('%s %j as %j', (field, text, normalized) => {
    expect(hash(field, text)).toBe(sha256(normalized));
  });

  it('phone numbers with the country code, without plus and trunk zero', () => {
    expect(hash('phone', '+44 (0)844 412 4653')).toBe(sha256('448444124653'));
    expect(hash('phone', '1.650.555.1212', 'US')).toBe(sha256('16505551212'));
    expect(hash('phone', '0844 412 4653', 'GB')).toBe(sha256('448444124653'));
  });

  it('a value that already is a SHA-256 in lowercase', () => {
    const hashed = sha256('jane@example.com');
    for (const field of Object.keys(rules) as Field[]) expect(hash(field, hashed.toUpperCase())).toBe(hashed);
  });

  it('a click id with its time and its case', () => {
    expect(toClickId('IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk', new Date(1_554_763_741_205))).toBe(
      'fb.1.1554763741205.IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk',
    );
  });
});

/** What Meta's own SDK sends; undefined if the SDK rejects the value. */
function fromSdk(field: Field, text: string): unknown {
  try {
    const [value] = Object.values(setters[field](new UserData(), text).normalize());
    return Array.isArray(value) ? (value as unknown[])[0] : value;
  } catch {
    return undefined;
  }
}

const setters: Record<Field, (person: UserData, text: string) => UserData> = {
  email: (person, text) => person.setEmail(text),
  phone: (person, text) => person.setPhone(text),
  firstName: (person, text) => person.setFirstName(text),
  lastName: (person, text) => person.setLastName(text),
  gender: (person, text) => person.setGender(text),
  dateOfBirth: (person, text) => person.setDateOfBirth(text),
  city: (person, text) => person.setCity(text),
  state: (person, text) => person.setState(text),
  postalCode: (person, text) => person.setZip(text),
  country: (person, text) => person.setCountry(text),
  externalId: (person, text) => person.setExternalId(text),
};

const textOf = (characters: string, minLength = 1, maxLength = 12): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
const surrounded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(textOf(' \t', 0, 2), text, textOf(' \t', 0, 2)).map((parts) => parts.join(''));

const letters = 'abcxyzABCXYZäéßøÑŁ정';
const label = textOf('abcXYZ019', 1, 8);
const emails = fc.tuple(textOf('abcXYZ019_', 1, 6), fc.array(textOf('abcXYZ019_', 1, 4), { maxLength: 3 }), label, label);
const phones = fc
  .tuple(fc.constantFrom(...getCountries(metadata)), fc.constantFrom('formatInternational', 'number', 'grouped'))
  .map(([country, format]) => {
    const number = getExampleNumber(country, examples, metadata);
    if (!number) throw new Error(`no example number of ${country}`);
    if (format === 'formatInternational') return number.formatInternational();
    return format === 'number' ? number.number : `+${number.countryCallingCode} (${number.nationalNumber})`;
  });

describe("Meta's SDK sends the same hash for every", () => {
  it.each<[Field, fc.Arbitrary<string>]>([
    ['email', emails.map(([first, more, domain, end]) => `${[first, ...more].join('.')}+x@${domain}.de${end}`)],
    ['phone', phones],
    ['firstName', textOf(`${letters} `).filter((text) => text.trim() !== '')],
    ['lastName', textOf(letters)],
    ['gender', fc.constantFrom('f', 'F', 'm', 'M', 'female', 'FEMALE', 'Male', 'male')],
    ['dateOfBirth', fc.date({ min: new Date('1900-01-01'), max: new Date('2020-12-31'), noInvalidDate: true }).map(toDay)],
    ['city', fc.tuple(fc.constantFrom(...letters), textOf(`${letters} .-()019`)).map((parts) => parts.join(''))],
    ['state', fc.tuple(fc.constantFrom(...letters), textOf(`${letters} .-()019`)).map((parts) => parts.join(''))],
    ['postalCode', fc.tuple(textOf('abXY019', 2, 6), textOf(' -', 0, 2), textOf('abXY019', 0, 4)).map((parts) => parts.join(''))],
    ['country', fc.constantFrom(...countriesOfBoth())],
  ])('%s', (field, values) => {
    fc.assert(
      fc.property(surrounded(values), (text) => {
        const expected = fromSdk(field, text);
        expect(expected).toMatch(/^[0-9a-f]{64}$/);
        expect(hash(field, text)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10).replaceAll('-', '');
}

/** Ascension Island, Kosovo and Tristan da Cunha have phone numbers, but no code in ISO 3166-1. */
function countriesOfBoth(): string[] {
  return getCountries(metadata).filter((country) => !['AC', 'TA', 'XK'].includes(country));
}

describe("Meta's SDK differs from Meta's published rules:", () => {
  it('it sends MD5 hashes, which Meta does not match', () => {
    const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
    expect(fromSdk('email', md5)).toBe(md5);
    expect(hash('email', md5)).toBeNull();
    expect(hash('firstName', md5)).toBe(sha256(md5));
  });

  it('it keeps the trunk zero of a phone number', () => {
    expect(fromSdk('phone', '+44 (0)844 412 4653')).toBe(sha256('4408444124653'));
  });

  it('it keeps dots in phone numbers', () => {
    expect(fromSdk('phone', '1.650.555.1212')).toBe(sha256('1.650.555.1212'));
  });

  it('it hashes phone numbers without a country code, even if the country is known', () => {
    expect(fromSdk('phone', '650-555-1212')).toBe(sha256('6505551212'));
    expect(hash('phone', '650-555-1212', 'US')).toBe(sha256('16505551212'));
  });

  it('it keeps hyphens and apostrophes in names', () => {
    expect(fromSdk('firstName', 'Mary-Ann')).toBe('ed4bdd3a7368920a4d1f4e692201f7a4aee19278a930c824649af01bbc38c63f');
    expect(fromSdk('lastName', "O'Brien")).toBe(sha256("o'brien"));
    expect(hash('lastName', "O'Brien")).toBe(sha256('obrien'));
  });

  it('it keeps punctuation other than dots, hyphens and parentheses in cities', () => {
    expect(fromSdk('city', "St. John's")).toBe(sha256("stjohn's"));
  });

  it('it sends null for a gender that Meta does not have', () => {
    expect(fromSdk('gender', 'other')).toBeNull();
  });

  it('it does not remove hyphens from a date of birth', () => {
    expect(fromSdk('dateOfBirth', '1997-02-16')).toBe(sha256('1997-02-16'));
  });

  it('it does not hash external ids', () => {
    expect(fromSdk('externalId', 'user-42')).toBe('user-42');
    expect(hash('externalId', 'user-42')).toBe(sha256('user-42'));
  });

  it('it throws for an invalid e-mail address or country, which are left out here', () => {
    expect([fromSdk('email', 'jane'), fromSdk('country', 'XX')]).toEqual([undefined, undefined]);
  });

  it('it does not know countries that are not in ISO 3166-1', () => {
    for (const country of ['AC', 'TA', 'XK']) {
      expect(fromSdk('country', country)).toBeUndefined();
      expect(hash('country', country)).toBe(sha256(country.toLowerCase()));
    }
  });
});
