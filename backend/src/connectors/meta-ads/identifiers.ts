import { hashIdentifier } from '../kit/identifiers.js';

/** Conversions API, "Customer information parameters": Meta keeps dots and everything after a plus in all domains. */
export const hashEmail = (email: string): string | null => hashIdentifier(email.trim().toLowerCase());

/** Digits with the country code, without plus and leading zeros. */
export const hashPhone = (phone: string): string | null => hashIdentifier(phone.replace(/\D+/g, '').replace(/^0+/, ''));

/** First or last name: lowercase, without punctuation. */
export const hashName = (name: string): string | null =>
  hashIdentifier(
    name
      .trim()
      .toLowerCase()
      .replace(/\p{P}+/gu, ''),
  );

/** `fb.1.<milliseconds of the click>.<fbclid>`, never hashed. The case of the fbclid is preserved. */
export const toClickId = (fbclid: string, clickedAt: Date): string => `fb.1.${clickedAt.getTime()}.${fbclid}`;
