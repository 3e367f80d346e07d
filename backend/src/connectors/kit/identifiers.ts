import { createHash } from 'node:crypto';
import type { ConversionEvent, ConversionPolicy, Note, PersonField } from './conversion.js';
import { readCountry } from './phone-number.js';

/** Returns the text that a platform hashes; null if the value is not usable. */
export type Normalize = (text: string, country: string | null) => string | null;

/** The fields that a platform accepts as hashes, with its rules for each. */
export type IdentifierRules = Partial<Record<PersonField, Normalize>>;

export type Hashes = Partial<Record<PersonField, string>>;

const sha256Pattern = /^[0-9a-f]{64}$/;

/** SHA-256 in lowercase hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A value that already is a SHA-256 in hexadecimal, in lowercase; null for everything else, such as MD5. */
export function readHash(text: string): string | null {
  const hash = text.trim().toLowerCase();
  return sha256Pattern.test(hash) ? hash : null;
}

/** Normalizes and hashes one value. A value that already is a hash is not hashed again. */
export function hashIdentifier(text: string, normalize: Normalize, country: string | null = null): string | null {
  const hash = readHash(text);
  if (hash) return hash;
  const normalized = normalize(text, country);
  return normalized ? sha256(normalized) : null;
}

/** Hashes the identifiers of an event that the rules contain. A note names each identifier that cannot be used. */
export function hashIdentifiers(
  event: Pick<ConversionEvent, 'identifiers' | 'hashedFields'>,
  rules: IdentifierRules,
  policy: Pick<ConversionPolicy, 'defaultCountry'>,
): { hashes: Hashes; notes: Note[] } {
  const hashes: Hashes = {};
  const notes: Note[] = [];
  const country = countryOf(event) ?? policy.defaultCountry;
  for (const [field, normalize] of Object.entries(rules) as [PersonField, Normalize][]) {
    const text = event.identifiers[field];
    if (text === undefined || text.trim() === '') continue;
    const isHashed = event.hashedFields.includes(field);
    const hash = isHashed ? readHash(text) : hashIdentifier(text, normalize, country);
    if (hash) hashes[field] = hash;
    else notes.push(isHashed ? notAHash(field) : unusable(field));
  }
  return { hashes, notes };
}

/** A hashed country does not show how to read a phone number. */
function countryOf({ identifiers, hashedFields }: Pick<ConversionEvent, 'identifiers' | 'hashedFields'>): string | null {
  return hashedFields.includes('country') ? null : readCountry(identifiers.country ?? '');
}

/**
 * The external id in the form of the policy: hashed, or as it is. An e-mail address is never sent as it is, because its owner could
 * be read from stored requests.
 */
export function externalIdOf(
  { identifiers }: Pick<ConversionEvent, 'identifiers'>,
  hashes: Hashes,
  { hashesExternalId }: Pick<ConversionPolicy, 'hashesExternalId'>,
): { externalId: string | null; notes: Note[] } {
  const plain = identifiers.externalId?.trim() ?? '';
  if (hashesExternalId || plain === '') return { externalId: hashes.externalId ?? null, notes: [] };
  if (!plain.includes('@')) return { externalId: plain, notes: [] };
  return { externalId: null, notes: [externalIdIsEmail] };
}

const externalIdIsEmail: Note = {
  code: 'externalId_is_email',
  message: 'The external id is an e-mail address, so it is not sent. Hash external ids, or choose another field.',
};

const names: Record<PersonField, string> = {
  email: 'e-mail address',
  phone: 'phone number',
  firstName: 'first name',
  lastName: 'last name',
  gender: 'gender',
  dateOfBirth: 'date of birth',
  city: 'city',
  state: 'state',
  postalCode: 'postal code',
  country: 'country',
  externalId: 'external id',
};

const unusable = (field: PersonField): Note => ({
  code: `${field}_unusable`,
  message: `The ${names[field]} is not valid, so it is not sent.`,
});

const notAHash = (field: PersonField): Note => ({
  code: `${field}_not_a_hash`,
  message: `The ${names[field]} should already be a SHA-256 hash of 64 hexadecimal characters, but is not, so it is not sent.`,
});

/** Both sides of an address in lowercase. Null for text with inner white space, or without exactly one `@` between two parts. */
export function readEmail(text: string): { local: string; domain: string } | null {
  const [, local, domain] = /^([^\s@]+)@([^\s@]+)$/.exec(text.trim().toLowerCase()) ?? [];
  return local && domain ? { local, domain } : null;
}

/** `jane.doe+news` → `janedoe`. Empty if nothing remains. */
export const withoutDotsAndTag = (local: string): string => local.replace(/\+.*$/, '').replaceAll('.', '');
