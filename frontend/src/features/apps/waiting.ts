import type { Connection } from '~/api/types';
import { addDays, daysBetween, localDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';

/** What waiting is read off. */
export type WaitingFacts = Pick<Connection, 'completeThrough' | 'historyFrom' | 'desired'>;

/** The first day that has not arrived; null when nothing is missing up to yesterday. */
export function waitsSince({ completeThrough, historyFrom }: WaitingFacts, now: Date): string | null {
  const first = completeThrough === null ? historyFrom : addDays(completeThrough, 1);
  return first < localDay(now) ? first : null;
}

/** Whole days up to yesterday that have not arrived. */
export function daysWaiting(connection: WaitingFacts, now: Date): number {
  const since = waitsSince(connection, now);
  return since === null ? 0 : daysBetween(since, localDay(now));
}

export const mostDaysWaiting = (connections: WaitingFacts[], now: Date): number =>
  Math.max(0, ...connections.filter(({ desired }) => desired === 'active').map((connection) => daysWaiting(connection, now)));

/** `3 connections wait, up to 3 days`: those of which a day is missing, and no others. */
export function describeWaiting(connections: WaitingFacts[], now: Date): string {
  const active = connections.filter(({ desired }) => desired === 'active');
  const behind = active.filter((connection) => daysWaiting(connection, now) > 0);
  if (behind.length === 0) return active.length === 0 ? 'Nothing waits for it' : 'Nothing is missing yet';
  const [verb, most] = behind.length === 1 ? ['waits', ''] : ['wait', 'up to '];
  return `${plural(behind.length, 'connection')} ${verb}, ${most}${plural(mostDaysWaiting(behind, now), 'day')}`;
}
