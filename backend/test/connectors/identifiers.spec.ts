import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as google from '../../src/connectors/google-ads/identifiers.js';
import * as meta from '../../src/connectors/meta-ads/identifiers.js';
import * as microsoft from '../../src/connectors/microsoft-ads/identifiers.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the hashes that the platforms publish', () => {
  it.each([
    [
      'Meta, e-mail',
      meta.hashEmail('  John_Smith@gmail.com '),
      '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f',
    ],
    ['Meta, phone', meta.hashPhone('+1 (650) 555-1212'), 'e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176'],
    [
      'Microsoft, e-mail',
      microsoft.hashEmail('john@contoso.com'),
      'ec81f3ac7b2b19675bab9d54cf416f9f18cff87c97da5cca82c0f0891bc40602',
    ],
    [
      'Microsoft, e-mail with tag',
      microsoft.hashEmail('J.o.h.n+ads@Contoso.com'),
      'ec81f3ac7b2b19675bab9d54cf416f9f18cff87c97da5cca82c0f0891bc40602',
    ],
    [
      'Microsoft, phone',
      microsoft.hashPhone('+1 425 555 1234'),
      'c59475d96e9f01d7d18d06cfad84dd02333207f02c0c2c5663ef2782cda0390e',
    ],
  ])('are equal: %s', (_, found, published) => {
    expect(found).toBe(published);
  });
});

describe('one address', () => {
  it.each([
    ['jane.doe+news@gmail.com', 'janedoe@gmail.com', 'jane.doe+news@gmail.com', 'janedoe@gmail.com'],
    ['Jane.Doe+news@example.com', 'jane.doe+news@example.com', 'jane.doe+news@example.com', 'janedoe@example.com'],
    ['jane.doe@googlemail.com', 'janedoe@googlemail.com', 'jane.doe@googlemail.com', 'janedoe@googlemail.com'],
  ])('%s is normalized by each platform’s own rules', (email, forGoogle, forMeta, forMicrosoft) => {
    expect(google.hashEmail(email)).toBe(sha256(forGoogle));
    expect(meta.hashEmail(email)).toBe(sha256(forMeta));
    expect(microsoft.hashEmail(email)).toBe(sha256(forMicrosoft));
  });

  it('that is already a hash is not hashed again, and empty text gives null', () => {
    const hashed = sha256('jane@example.com');
    for (const { hashEmail } of [google, meta, microsoft]) {
      expect(hashEmail(hashed.toUpperCase())).toBe(hashed);
      expect(hashEmail('   ')).toBeNull();
    }
  });
});

it('phone numbers keep the plus for Google and Microsoft; Meta removes plus and leading zeros', () => {
  expect(google.hashPhone('+49 (0) 30-1234')).toBe(sha256('+490301234'));
  expect(microsoft.hashPhone('+49 30 1234')).toBe(sha256('+49301234'));
  expect(meta.hashPhone('0049 30 1234')).toBe(sha256('49301234'));
});

it('names are lowercased without punctuation', () => {
  expect(meta.hashName(" O'Brien-Größe ")).toBe(sha256('obriengröße'));
  expect(google.hashName('Jean-Luc')).toBe(sha256('jeanluc'));
});

it('a Meta click id contains its time and keeps its case', () => {
  expect(meta.toClickId('IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk', new Date(1_554_763_741_205))).toBe(
    'fb.1.1554763741205.IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk',
  );
});
