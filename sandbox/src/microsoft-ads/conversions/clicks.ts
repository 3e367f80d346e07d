import { accounts } from '../accounts.ts';
import { dayMs, normalizedClickId, oldestMs } from './values.ts';

/** A click on an ad. Conversions are attributed to clicks. */
export interface Click {
  /** Without hyphens. */
  id: string;
  accountId: string;
  clickedAt: number;
  hashedEmailAddress: string | null;
  hashedPhoneNumber: string | null;
}

const hourMs = 3_600_000;
const seededDays = 120;

/**
 * Every account has one click a day, at noon UTC. Its id consists of the account and the day:
 * 18050001-1000-4000-8000-000000020779.
 */
export function seededClickId(accountId: string, dayNumber: number): string {
  const account = accountId.padEnd(12, '0');
  return `${account.slice(0, 8)}-${account.slice(8)}-4000-8000-${String(dayNumber).padStart(12, '0')}`;
}

export function seededClick(id: string, now: number): Click | undefined {
  const [, accountId = '', dayNumber] = /^(\d{9})000(?:40008000)(\d{12})$/.exec(normalizedClickId(id) ?? '') ?? [];
  const clickedAt = Number(dayNumber) * dayMs + 12 * hourMs;
  if (!accounts.has(accountId) || clickedAt > now || clickedAt < now - seededDays * dayMs) return undefined;
  return { id: normalizedClickId(id) as string, accountId, clickedAt, hashedEmailAddress: null, hashedPhoneNumber: null };
}

/** For tests: the clicks of an account that are not too old for a conversion. */
export function seededClicks(accountId: string, now: number): Click[] {
  const today = Math.floor(now / dayMs);
  return Array.from({ length: Math.floor(oldestMs / dayMs) }, (_, age) => seededClickId(accountId, today - age)).flatMap(
    (id) => seededClick(id, now) ?? [],
  );
}
