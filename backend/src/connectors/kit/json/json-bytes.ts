/**
 * Scanners for JSON as bytes. Each takes a position and returns the next one, or UNKNOWN if the input is not the expected form. A
 * 0 byte follows the last byte; no scanner reads past it.
 */
export const UNKNOWN = -1;

const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** Fits safely: an int64 has 19 digits, a double has 15 exact digits. */
const WHOLE_DIGITS = 18;
const DECIMAL_DIGITS = 15;

/** No name contains the 0 after the last byte, so nothing after it is read. */
export function isAt(bytes: Buffer, from: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[from + index] !== text[index]) return false;
  return true;
}

export function skipSpace(bytes: Buffer, from: number): number {
  let position = from;
  for (let byte = bytes[position]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[position])
    position++;
  return position;
}

/** The position after the opening quote of a name. */
export function nameStart(bytes: Buffer, from: number): number {
  const position = skipSpace(bytes, from);
  return bytes[position] === QUOTE ? position + 1 : UNKNOWN;
}

/** From the position after a name's closing quote to the first byte of its value. */
export function valueStart(bytes: Buffer, from: number): number {
  const position = skipSpace(bytes, from);
  return bytes[position] === COLON ? skipSpace(bytes, position + 1) : UNKNOWN;
}

/** Skips the text value of a field that was not requested, such as a resource name. */
export function skipField(bytes: Buffer, name: number): number {
  const nameEnd = scanText(bytes, name);
  const value = nameEnd === UNKNOWN ? UNKNOWN : valueStart(bytes, nameEnd + 1);
  if (value === UNKNOWN || bytes[value] !== QUOTE) return UNKNOWN;
  const end = scanText(bytes, value + 1);
  return end === UNKNOWN ? UNKNOWN : end + 1;
}

/** The position of the closing quote. */
export function scanText(bytes: Buffer, from: number): number {
  for (let position = from; ; position++) {
    const byte = bytes[position] as number;
    if (byte === QUOTE) return position;
    if (byte < 0x20 || byte === BACKSLASH) return UNKNOWN;
  }
}

/** The closing quote of text that may contain backslashes. */
export function findQuote(bytes: Buffer, from: number): number {
  for (let position = from; ; position++) {
    const byte = bytes[position] as number;
    if (byte === QUOTE) return position;
    if (byte < 0x20) return UNKNOWN;
    if (byte === BACKSLASH && (bytes[++position] as number) < 0x20) return UNKNOWN;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= 0x39;
}

/** Accepts one notation only, so that equal numbers have equal bytes: no leading zero, no minus before a zero. */
export function scanWhole(bytes: Buffer, from: number): number {
  const start = bytes[from] === MINUS ? from + 1 : from;
  let position = start;
  while (isDigit(bytes[position])) position++;
  const digits = position - start;
  if (digits === 0 || digits > WHOLE_DIGITS) return UNKNOWN;
  return bytes[start] === ZERO && (digits > 1 || start > from) ? UNKNOWN : position;
}

export function scanDecimal(bytes: Buffer, from: number): number {
  let position = from;
  while (isDigit(bytes[position])) position++;
  const digits = position - from;
  if (digits === 0 || (digits > 1 && bytes[from] === ZERO)) return UNKNOWN;
  if (bytes[position] === POINT) {
    const point = position++;
    while (isDigit(bytes[position])) position++;
    if (position === point + 1) return UNKNOWN;
  }
  return position - from > DECIMAL_DIGITS + 1 ? UNKNOWN : position;
}

export function scanDay(bytes: Buffer, from: number): number {
  for (let index = 0; index < 10; index++) {
    const byte = bytes[from + index];
    if (index === 4 || index === 7 ? byte !== MINUS : !isDigit(byte)) return UNKNOWN;
  }
  return from + 10;
}
