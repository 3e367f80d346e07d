import { describe, expect, it } from 'vitest';
import { rules, toPostalCode, toRegionCode } from '../../../src/connectors/google-data-manager/identifiers.js';
import { hashIdentifier, sha256 } from '../../../src/connectors/kit/identifiers.js';

type Field = keyof typeof rules;

const hash = (field: Field, text: string, country: string | null = null): string | null =>
  hashIdentifier(text, rules[field], country);

describe('Google receives no', () => {
  it.each<[Field, string]>([
    ['email', 'a b@x.com'],
    ['email', '+tag@gmail.com'],
    ['email', '...@googlemail.com'],
    ['email', 'two@signs@x.com'],
    ['email', 'nobody@'],
    ['email', '@x.com'],
    ['email', 'jane'],
    ['email', '   '],
    ['phone', '800-555-0100'],
    ['phone', '18005550100'],
    ['phone', '+1 800 555'],
    ['phone', '+999 123456789'],
    ['phone', 'call +1 800-555-0100'],
    ['phone', ''],
    ['firstName', ' Dr. '],
    ['lastName', ', Jr.'],
    ['lastName', ' '],
  ])('%s from %j', (field, text) => {
    expect(hash(field, text)).toBeNull();
  });
});

describe('Google receives the published hash of', () => {
  it.each<[Field, string, string]>([
    ['email', ' ALEXZ@example.com ', '509e933019bb285a134a9334b8bb679dff79d0ce023d529af4bd744d47b4fd8a'],
    ['email', ' Jane.Doe+x@Gmail.com ', 'd6117306485ed0e50afab3ac871e98f81699151f30281527d63ff5f233656c69'],
    ['email', 'Cloudy.SanFrancisco+shopping@googlemail.com', '332ed5427d17deb381928a719533e85046d68d7e45553abb805852b7d631fcb7'],
    ['email', 'user.name+NYC@Example.com', 'f109a2a632fbcea5fc82049f50beed3d8621bf9034399f437fb622222acccdac'],
    ['phone', '+1 800-555-0100', 'fb4f73a6ec5fdb7077d564cdd22c3554b43ce49168550c3b12c547b78c517b30'],
    ['firstName', ' Dr. Alex ', '4135aa9dc1b842a653dea846903ddb95bfb8c5a10c504a7fa16e10bc31d1fdf0'],
    ['lastName', ' Quinn, Jr. ', 'c512ca0c5c1e71be19f3356821e56732b5fb3ac894b0dbc5846d0b6920106fb3'],
  ])('%s %j', (field, text, published) => {
    expect(hash(field, text)).toBe(published);
  });

  it('an e-mail address, in Base64 too', () => {
    const published = 'UJ6TMBm7KFoTSpM0uLtnnf950M4CPVKa9L10TUe0/Yo=';
    expect(Buffer.from(hash('email', 'alexz@example.com') ?? '', 'hex').toString('base64')).toBe(published);
  });
});

describe('Google receives', () => {
  it.each<[Field, string, string]>([
    ['email', 'Jane.Doe+x@gmail.co', 'jane.doe+x@gmail.co'],
    ['email', 'first.last@sub.gmail.com', 'first.last@sub.gmail.com'],
    ['firstName', 'Mary-Ann', 'mary-ann'],
    ['firstName', 'Dr Alex', 'dr alex'],
    ['firstName', 'Dr.Alex', 'dr.alex'],
    ['lastName', 'Quinn-Alex', 'quinn-alex'],
    ['lastName', "O'Brien", "o'brien"],
    ['lastName', 'Quinn Jr., MD', 'quinn'],
    ['lastName', 'Quinn,PhD', 'quinn'],
    ['lastName', 'de la Cruz III', 'de la cruz'],
    ['lastName', 'V', 'v'],
    ['lastName', 'Smith Ivy', 'smith ivy'],
  ])('%s %j as %j', (field, text, normalized) => {
    expect(hash(field, text)).toBe(sha256(normalized));
  });

  it.each([
    ['+44 (0)844 412 4653', null, '+448444124653'],
    ['0044 844 412 4653', null, '+448444124653'],
    ['0844 412 4653', 'GB', '+448444124653'],
    ['0044 844 412 4653', 'US', '+448444124653'],
    ['011 44 844 412 4653', 'US', '+448444124653'],
    ['1.650.555.1212', 'us', '+16505551212'],
    ['+39 06 6982 1234', null, '+390669821234'],
    ['+1 650 555 1212 ext. 5', null, '+16505551212'],
    ['+49 (0) 30-1234', null, '+49301234'],
  ])('the phone number %s (default country %s) as %s', (text, country, normalized) => {
    expect(hash('phone', text, country)).toBe(sha256(normalized));
  });

  it('the country and postal code of an address unhashed', () => {
    expect(toRegionCode(' us')).toBe('US');
    expect(toRegionCode('UK')).toBeNull();
    expect(toRegionCode('United States')).toBeNull();
    expect(toPostalCode(' 94045 ')).toBe('94045');
    expect(toPostalCode('  ')).toBeNull();
  });

  it('a value that already is a SHA-256 in lowercase, and not the hash of the hash', () => {
    const hashed = sha256('jane@example.com');
    expect(hash('email', ` ${hashed.toUpperCase()} `)).toBe(hashed);
    expect(hash('phone', hashed)).toBe(hashed);
  });
});
