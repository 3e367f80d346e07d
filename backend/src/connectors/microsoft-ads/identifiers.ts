import { compact, hashIdentifier, splitAddress, toE164, withoutDotsAndTag } from '../kit/identifiers.js';

/** UET Conversions API guide: Microsoft removes dots and everything after a plus in every domain. */
export function hashEmail(email: string): string | null {
  const address = compact(email);
  const parts = splitAddress(address);
  return hashIdentifier(parts ? `${withoutDotsAndTag(parts.local)}@${parts.domain}` : address);
}

/** E.164 with its plus. */
export const hashPhone = (phone: string): string | null => hashIdentifier(toE164(phone));
