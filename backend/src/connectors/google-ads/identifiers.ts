import { compact, hashIdentifier, splitAddress, toE164, withoutDotsAndTag } from '../kit/identifiers.js';

/** Domains in which Google ignores dots and everything after a plus. In other domains they distinguish addresses. */
const ownDomains = new Set(['gmail.com', 'googlemail.com']);

/** Data Manager API, "Formatting user data". Each network normalizes differently, so their hashes differ. */
export function hashEmail(email: string): string | null {
  const address = compact(email);
  const parts = splitAddress(address);
  if (!parts || !ownDomains.has(parts.domain)) return hashIdentifier(address);
  return hashIdentifier(`${withoutDotsAndTag(parts.local)}@${parts.domain}`);
}

export const hashPhone = (phone: string): string | null => hashIdentifier(toE164(phone));

/** First or last name: lowercase, without punctuation. */
export const hashName = (name: string): string | null =>
  hashIdentifier(
    name
      .trim()
      .toLowerCase()
      .replace(/\p{P}+/gu, ''),
  );
