import { Problem } from '../../core/http/problem.js';

const DAY_MS = 86_400_000;
export const DEFAULT_DAYS = 365;
const MAX_DAYS = 730;
/** Warnings are mailed this many days before the expiry. From the first warning the key has the state `expiring`. */
export const FIRST_WARNING_DAYS = 30;
export const LAST_WARNING_DAYS = 7;

/** Expiry of a new key. Every key expires, so that a leaked and forgotten key stops working. */
export function expiryOf(given: string | undefined, now = new Date()): Date {
  if (given === undefined) return new Date(now.getTime() + DEFAULT_DAYS * DAY_MS);
  const expiresAt = new Date(given);
  if (expiresAt <= now) throw wrongExpiry('expiresAt must be in the future');
  // One extra day, because the caller counts from the start of its own day.
  if (expiresAt.getTime() > now.getTime() + (MAX_DAYS + 1) * DAY_MS)
    throw wrongExpiry(`expiresAt must be at most ${MAX_DAYS} days from now`);
  return expiresAt;
}

const wrongExpiry = (message: string): Problem =>
  new Problem('request.invalid', { detail: message, errors: [{ field: 'expiresAt', message }] });
