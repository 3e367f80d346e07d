import { addDays, dayInTimeZone } from '../connectors/kit/days.js';
import { isTimeZone, momentInTimeZone } from '../connectors/kit/moments.js';
import type { FreshnessTarget } from '../connections/index.js';

/** Hundreds of accounts have few time zones. Accounts that a later update of the time zone data makes invalid count as UTC. */
const zonesOf = (timeZones: string[]): string[] => {
  const valid = [...new Set(timeZones)].filter(isTimeZone);
  return valid.length > 0 ? valid : ['UTC'];
};

/** When the day has ended in the calendar of every account. */
export const endOf = (day: string, timeZones: string[]): Date =>
  new Date(Math.max(...zonesOf(timeZones).map((timeZone) => momentInTimeZone(addDays(day, 1), '00:00', timeZone).getTime())));

/**
 * When the day must be complete: the first time of the target at which the day has ended in every account. A time before that
 * cannot be met. It is then due a day later.
 */
export const deadlineOf = (target: FreshnessTarget, day: string, timeZones: string[]): Date =>
  deadlineAfter(endOf(day, timeZones), target, day);

/** @param end of the day in every account, as from `endOf` */
export function deadlineAfter(end: Date, { atTime, timeZone, daysAfter }: FreshnessTarget, day: string): Date {
  for (let after = daysAfter; ; after += 1) {
    const deadline = momentInTimeZone(addDays(day, after), atTime, timeZone);
    if (deadline > end) return deadline;
  }
}

/** The last day that has ended in the calendar of every account. */
export function lastEndedDay(now: Date, timeZones: string[]): string {
  const days = zonesOf(timeZones).map((timeZone) => dayInTimeZone(now, timeZone));
  return addDays(days.toSorted()[0] ?? dayInTimeZone(now, 'UTC'), -1);
}

/** The first day whose deadline is ahead. */
export function firstWatchedDay(target: FreshnessTarget, now: Date, timeZones: string[]): string {
  // Two days earlier than any day whose deadline can be ahead: time zones differ by up to 26 hours.
  let day = addDays(lastEndedDay(now, timeZones), -target.daysAfter - 2);
  while (deadlineOf(target, day, timeZones) <= now) day = addDays(day, 1);
  return day;
}
