import { compact, hashIdentifier, splitAddress, toE164, withoutDotsAndTag } from '../kit/identifiers.js';

/** Domains in which Google ignores dots and what follows a plus; in all others they make another address. */
const ownDomains = new Set(['gmail.com', 'googlemail.com']);

/** Data Manager API, "Formatting user data": each network normalises for itself, and no hash fits two of them. */
export function hashEmail(email: string): string | null {
  const address = compact(email);
  const parts = splitAddress(address);
  if (!parts || !ownDomains.has(parts.domain)) return hashIdentifier(address);
  return hashIdentifier(`${withoutDotsAndTag(parts.local)}@${parts.domain}`);
}

export const hashPhone = (phone: string): string | null => hashIdentifier(toE164(phone));

/** First or last name: small letters, without punctuation at all. */
export const hashName = (name: string): string | null =>
  hashIdentifier(
    name
      .trim()
      .toLowerCase()
      .replace(/\p{P}+/gu, ''),
  );
