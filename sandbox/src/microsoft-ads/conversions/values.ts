import { unreadableRequest } from '../errors.ts';

export const minuteMs = 60_000;
export const dayMs = 86_400_000;
/** Conversions and their clicks may be this old. */
export const oldestMs = 90 * dayMs;

const currencies = new Set(Intl.supportedValuesOf('currency'));
/** Default of .NET for a missing date: it can be read, but is no real time. */
const earliestMs = Date.parse('1970-01-01T00:00:00Z');

/** A text; null if it is missing or empty. */
export function textOf(value: unknown, name: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw unreadableRequest(`${name} must be a text`);
  return value;
}

/** A number that cannot be read fails the whole request, before any row is looked at. */
export function numberOrNull(value: unknown, name: string): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number') throw unreadableRequest(`${name} must be a number`);
  return value;
}

/** Milliseconds; null if missing, NaN if it is no real time. A text that is no dateTime fails the whole request. */
export function timeOf(value: unknown, name: string): number | null {
  const text = textOf(value, name);
  if (text === null) return null;
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,7})?(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  // Without a zone it is UTC, as everything in this service.
  const time = match ? Date.parse(`${match[1]}${(match[2] ?? '').slice(0, 4)}${match[3] ?? 'Z'}`) : Number.NaN;
  if (!match || (Number.isNaN(time) && !text.startsWith('0'))) throw unreadableRequest(`${name} must be a dateTime`);
  return time > earliestMs ? time : Number.NaN;
}

export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

export function isSha256(text: string): boolean {
  return /^[\da-f]{64}$/.test(text);
}

/** MSCLKIDs come with and without hyphens. */
export function normalizedClickId(text: string): string | null {
  const digits = text.replaceAll('-', '').toLowerCase();
  return /^[\da-f]{32}$/.test(digits) ? digits : null;
}
