import { findConversionAction, type ConversionAction } from './conversion-actions.ts';
import { rowError, type RowError } from './partial-failure.ts';

export type Row = Record<string, unknown>;

export function textOf(row: Row, name: string): string | undefined {
  const value = row[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** 'yyyy-mm-dd hh:mm:ss+|-hh:mm' to milliseconds. */
export function readDateTime(row: Row, name: string, field: string, now: number): number | RowError {
  const text = textOf(row, name);
  if (text === undefined) return rowError('fieldError', 'REQUIRED', field);
  const isWellFormed = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/.test(text);
  const at = isWellFormed ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(at)) return rowError('dateError', 'INVALID_STRING_DATE_TIME_SECONDS_WITH_OFFSET', field);
  return at > now ? rowError('dateError', 'LATER_THAN_MAXIMUM_DATE', field) : at;
}

/** The conversion action by its id alone: the customer in the resource name is ignored. */
export function readAction(row: Row, customerId: string, category: string): ConversionAction | RowError {
  const name = textOf(row, 'conversionAction');
  if (name === undefined) return rowError('fieldError', 'REQUIRED', 'conversion_action');
  const action = findConversionAction(/^customers\/\d+\/conversionActions\/(\d+)$/.exec(name)?.[1] ?? '');
  const isUsable = action?.status === 'ENABLED' && action.ownerId === customerId;
  return action && isUsable ? action : rowError(category, 'NO_CONVERSION_ACTION_FOUND', 'conversion_action');
}

const maximumIdentifiers = 5;

/** SHA-256 of email addresses and phone numbers in hexadecimal. Other identifiers are not supported. */
export function readHashes(row: Row, category: string): string[] | RowError {
  const identifiers = Array.isArray(row.userIdentifiers) ? (row.userIdentifiers as Row[]) : [];
  const field = 'user_identifiers';
  if (identifiers.length > maximumIdentifiers) return rowError('collectionSizeError', 'TOO_MANY', field);
  const hashes = identifiers.map((one) => textOf(one, 'hashedEmail') ?? textOf(one, 'hashedPhoneNumber'));
  if (hashes.includes(undefined)) return rowError(category, 'UNSUPPORTED_USER_IDENTIFIER', field);
  const texts = hashes as string[];
  if (texts.some((hash) => !/^[0-9a-f]{64}$/i.test(hash))) return rowError(category, 'INVALID_USER_IDENTIFIER', field);
  return texts.map((hash) => hash.toLowerCase());
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
