import { readEmail, type IdentifierRules } from '../kit/identifiers.js';
import { readCountry, toE164 } from '../kit/phone-number.js';

/** Stored with each event. Increment it when a rule changes, because the hashes change too. */
export const RULES_VERSION = 'meta/1';

/**
 * Conversions API, "Customer information parameters". Meta's own SDK differs in a few points, which
 * `meta-conversions-identifiers.spec.ts` lists.
 */
export const rules = {
  email: normalizeEmail,
  // Digits with the country code, without the plus.
  phone: (text, country) => toE164(text, country)?.slice(1) ?? null,
  firstName: withoutPunctuation,
  lastName: withoutPunctuation,
  gender: toGender,
  dateOfBirth: toDateOfBirth,
  city: lettersOnly,
  state: lettersOnly,
  postalCode: toPostalCode,
  country: (text) => readCountry(text)?.toLowerCase() ?? null,
  // Meta publishes no rule: the value is compared with the one of the website's pixel.
  externalId: (text) => text.trim() || null,
} satisfies IdentifierRules;

/** Dots and everything after a plus are part of the address, in all domains. */
function normalizeEmail(text: string): string | null {
  const parts = readEmail(text);
  return parts && `${parts.local}@${parts.domain}`;
}

function withoutPunctuation(text: string): string | null {
  return (
    text
      .toLowerCase()
      .replace(/\p{P}+/gu, '')
      .trim() || null
  );
}

const genders: Record<string, string> = { f: 'f', female: 'f', m: 'm', male: 'm' };

/** Meta has only two values. All others are left out. */
function toGender(text: string): string | null {
  return genders[text.trim().toLowerCase()] ?? null;
}

/** `1997-02-16` or `19970216` → `19970216`; null if there is no such day. */
function toDateOfBirth(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text.trim()) ?? [];
  const date = `${year}-${month}-${day}`;
  const parsed = new Date(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
  return isDay ? date.replaceAll('-', '') : null;
}

/** `São Paulo` → `sãopaulo`: without spaces, punctuation and digits. */
function lettersOnly(text: string): string | null {
  return text.toLowerCase().replace(/[\s\d\p{P}]+/gu, '') || null;
}

/** `94035-1234` → `94035`. Without spaces, up to the first hyphen. A single character is not a postal code. */
function toPostalCode(text: string): string | null {
  const [code = ''] = text.toLowerCase().replace(/\s+/g, '').split('-');
  return code.length < 2 ? null : code;
}

/** `fb.1.<milliseconds of the click>.<fbclid>`, never hashed. The case of the fbclid is preserved. */
export const toClickId = (fbclid: string, clickedAt: Date): string => `fb.1.${clickedAt.getTime()}.${fbclid}`;
