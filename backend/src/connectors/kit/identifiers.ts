import { createHash } from 'node:crypto';

const hashed = /^[0-9a-f]{64}$/i;

/** SHA-256 in lowercase hexadecimal. A value that already is a hash is not hashed again. Empty text gives null. */
export function hashIdentifier(normalized: string): string | null {
  if (normalized === '') return null;
  return hashed.test(normalized) ? normalized.toLowerCase() : createHash('sha256').update(normalized).digest('hex');
}

/** Lowercase, without white space. */
export const compact = (text: string): string => text.replace(/\s+/g, '').toLowerCase();

/** `+` and digits, as in E.164. A number without a country code is returned as digits. */
export function toE164(text: string): string {
  const digits = text.replace(/\D+/g, '');
  return digits === '' ? '' : `+${digits}`;
}

/** Both sides of the last `@`; null if the text is not an address. */
export function splitAddress(address: string): { local: string; domain: string } | null {
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1 ? { local: address.slice(0, at), domain: address.slice(at + 1) } : null;
}

/** `jane.doe+news` → `janedoe`. */
export const withoutDotsAndTag = (local: string): string => local.replace(/\+.*$/, '').replaceAll('.', '');
