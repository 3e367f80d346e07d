import type { Value } from '../kit/contract.js';

/** Parses the text of a report cell; undefined for unexpected text. */
export type CellReader = (text: string) => Value | undefined;

const wholeNumber = /^-?\d{1,19}$/;
const decimalNumber = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d{1,2}))?$/i;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;
const MICRO_DIGITS = 6;

/** Microsoft writes two dashes or nothing for values it has not computed. */
const isMissing = (text: string): boolean => text === '' || text === '--';

/** Exact: shifts the digits of the text without floating-point numbers. Beyond millionths it rounds half away from zero. */
export function toMicros(text: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = decimalNumber.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const shift = fraction.length - MICRO_DIGITS - Number(exponent);
  const digits = BigInt(whole + fraction);
  const micros = shift <= 0 ? digits * 10n ** BigInt(-shift) : (digits + 10n ** BigInt(shift) / 2n) / 10n ** BigInt(shift);
  return sign === '-' ? -micros : micros;
}

export const readText: CellReader = (text) => text;

export const readDay: CellReader = (text) => (isoDay.test(text) ? text : undefined);

export const readCount: CellReader = (text) => (wholeNumber.test(text) ? BigInt(text) : undefined);

export const readMoney: CellReader = (text) => toMicros(text);

/** An id; 0 if missing, because a key column must not be null. */
export const readId: CellReader = (text) => (isMissing(text) ? 0n : readCount(text));

/** A number; null if Microsoft has not computed it. */
export const readNumber: CellReader = (text) => {
  if (isMissing(text)) return null;
  return decimalNumber.test(text) ? Number(text) : undefined;
};

export const readOptionalCount: CellReader = (text) => (isMissing(text) ? null : readCount(text));

export const readOptionalMoney: CellReader = (text) => (isMissing(text) ? null : readMoney(text));

/** `43.21%` gives 43.21. */
export const readPercent: CellReader = (text) => readNumber(text.endsWith('%') ? text.slice(0, -1) : text);
