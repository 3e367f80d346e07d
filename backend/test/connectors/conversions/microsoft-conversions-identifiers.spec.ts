import { describe, expect, it } from 'vitest';
import { hashIdentifier, sha256 } from '../../../src/connectors/kit/identifiers.js';
import { readClickId, rules } from '../../../src/connectors/microsoft-conversions/identifiers.js';

type Field = keyof typeof rules;

const hash = (field: Field, text: string, country: string | null = null): string | null =>
  hashIdentifier(text, rules[field], country);

describe('Microsoft receives no', () => {
  it.each<[Field, string]>([
    ['email', 'jane doe@contoso.com'],
    ['email', '+tag@contoso.com'],
    ['email', '..@contoso.com'],
    ['email', 'jane'],
    ['phone', '425-555-1234'],
    ['phone', '+1 425'],
  ])('%s from %j', (field, text) => {
    expect(hash(field, text)).toBeNull();
  });

  it.each([undefined, '', 'abc', 'dd4afcccb1c9a4cad9544dd7e5006', 'b171a9b0-6ce011ec-afcd-1b209be8601b'])(
    'click id from %j',
    (text) => {
      expect(readClickId(text)).toBeNull();
    },
  );
});

describe('Microsoft receives the published hash of', () => {
  it.each<[Field, string, string]>([
    ['email', 'john@contoso.com', 'ec81f3ac7b2b19675bab9d54cf416f9f18cff87c97da5cca82c0f0891bc40602'],
    ['email', 'J.o.h.n+ads@Contoso.com', 'ec81f3ac7b2b19675bab9d54cf416f9f18cff87c97da5cca82c0f0891bc40602'],
    ['email', 'Jane.Doe+x@Gmail.com', 'd6117306485ed0e50afab3ac871e98f81699151f30281527d63ff5f233656c69'],
    ['email', 'user.name+NYC@Example.com', '795bcb4bf560f9867afb3de2d0d3a94976324007c45ea099ec14e90231540547'],
    ['phone', '+14255551234', 'c59475d96e9f01d7d18d06cfad84dd02333207f02c0c2c5663ef2782cda0390e'],
    ['phone', '+1 425 555 1234', 'c59475d96e9f01d7d18d06cfad84dd02333207f02c0c2c5663ef2782cda0390e'],
  ])('%s %j', (field, text, published) => {
    expect(hash(field, text)).toBe(published);
  });
});

describe('Microsoft receives', () => {
  it('the dots of the domain', () => {
    expect(hash('email', 'jane.doe@mail.contoso.co.uk')).toBe(sha256('janedoe@mail.contoso.co.uk'));
  });

  it('phone numbers without the trunk zero, with the default country', () => {
    expect(hash('phone', '+44 (0)844 412 4653')).toBe(sha256('+448444124653'));
    expect(hash('phone', '0044 844 412 4653')).toBe(sha256('+448444124653'));
    expect(hash('phone', '425.555.1234', 'US')).toBe(sha256('+14255551234'));
  });

  it('a value that already is a SHA-256 in lowercase', () => {
    const hashed = sha256('john@contoso.com');
    expect(hash('email', hashed.toUpperCase())).toBe(hashed);
  });

  it.each(['b171a9b06ce011ecafcd1b209be8601b', ' B171A9B0-6CE0-11EC-AFCD-1B209BE8601B '])('the click id %j', (text) => {
    expect(readClickId(text)).toBe(text.trim());
  });
});
