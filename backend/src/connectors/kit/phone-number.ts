import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min';

/** An ISO 3166 code of two letters, in uppercase; null if there is no such country. */
export function readCountry(text: string): CountryCode | null {
  const code = text.trim().toUpperCase();
  return isCountry(code) ? code : null;
}

const isCountry = (code: string): code is CountryCode => isSupportedCountry(code as CountryCode, metadata);

/**
 * Converts a phone number to E.164: `0044 (0)844 412 4653` → `+448444124653`. Null if it is not an international number of a
 * possible length. `country` is used for numbers without a country code.
 *
 * Only the length is checked, not whether the number is assigned: countries open new ranges before libraries know them.
 */
export function toE164(text: string, country: string | null): string | null {
  const trimmed = text.trim();
  return parse(trimmed, readCountry(country ?? '')) ?? (trimmed.startsWith('00') ? parse(`+${trimmed.slice(2)}`, null) : null);
}

/** With `extract: false`, a number inside other text is rejected. */
function parse(text: string, country: CountryCode | null): string | null {
  const number = parsePhoneNumberFromString(text, { extract: false, ...(country && { defaultCountry: country }) }, metadata);
  return number?.isPossible() ? number.number : null;
}
