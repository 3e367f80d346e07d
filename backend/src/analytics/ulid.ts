/** Crockford's base 32 alphabet, without letters that look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;

/** Encodes a UUID as a ULID. Both start with the timestamp in milliseconds, so a UUIDv7 becomes a valid ULID. */
export function ulidOf(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let place = 0; place < LENGTH; place += 1) {
    text = LETTERS.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}
