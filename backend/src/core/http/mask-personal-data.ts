/** Starts only where a word starts: tried at each character, a long text without `@` would take the square of its length. */
const EMAIL = /(?<![^\s"'<>(),;:@])[^\s"'<>(),;:@]+@[^\s"'<>(),;:@]+/g;
/** With a country code: `+49 171 1234567` or `0049…`. Other numbers may be order ids. */
const PHONE = /(?<![\w+-])(?:\+|00)[1-9][\d\s().-]{5,30}\d(?![\w-])/g;
const IP_ADDRESS = /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}(?![\w:])/gi;
/** Of a public, private or local network. Zeros are left out: `2001:db8::1`. */
const SHORT_IPV6 =
  /(?<![\w:])(?=[0-9a-f:]*::)(?:[23][0-9a-f]{3}|f[cde][0-9a-f]{2}):(?:[0-9a-f]{0,4}:){1,6}[0-9a-f]{0,4}(?![\w:])/gi;
const PHONE_FIELD = /phone|mobile|^tel$/i;
/** Of SHA-256, as platforms receive phone numbers. */
const HASH = /^[0-9a-f]{64}$/i;

/** Replaces e-mail addresses, phone numbers and IP addresses in a text. */
export const maskPersonalText = (text: string): string =>
  text.replace(EMAIL, '[email]').replace(PHONE, '[phone]').replace(IP_ADDRESS, '[ip]').replace(SHORT_IPV6, '[ip]');

const isPlain = (value: unknown): boolean => (typeof value === 'string' && !HASH.test(value)) || typeof value === 'number';

/**
 * Replaces e-mail addresses, phone numbers and IP addresses in JSON, also in the names of fields. Fields named `phone` are replaced entirely,
 * unless they contain a hash.
 */
export function maskPersonalData(value: unknown, field = ''): unknown {
  if (PHONE_FIELD.test(field) && isPlain(value)) return '[phone]';
  if (typeof value === 'string') return maskPersonalText(value);
  if (Array.isArray(value)) return value.map((item) => maskPersonalData(item, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [maskPersonalText(name), maskPersonalData(content, name)]),
  );
}
