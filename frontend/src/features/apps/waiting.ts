import type { Connection } from '~/api/types';
import { addDays, daysBetween, localDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';

/** Fields from which missed days are calculated. */
export type WaitingFacts = Pick<Connection, 'completeThrough' | 'historyFrom' | 'desired'>;

/** First missing day, or null when data is complete through yesterday. */
export function waitsSince({ completeThrough, historyFrom }: WaitingFacts, now: Date): string | null {
  const first = completeThrough === null ? historyFrom : addDays(completeThrough, 1);
  return first < localDay(now) ? first : null;
}

/** Number of missing days up to and including yesterday. */
export function daysWaiting(connection: WaitingFacts, now: Date): number {
  const since = waitsSince(connection, now);
  return since === null ? 0 : daysBetween(since, localDay(now));
}

export const mostDaysWaiting = (connections: WaitingFacts[], now: Date): number =>
  Math.max(0, ...connections.filter(({ desired }) => desired === 'active').map((connection) => daysWaiting(connection, now)));

/** `3 connections, up to 3 days`. Counts only active connections with missing days. */
export function describeWaiting(connections: WaitingFacts[], now: Date): string {
  const active = connections.filter(({ desired }) => desired === 'active');
  const behind = active.filter((connection) => daysWaiting(connection, now) > 0);
  if (behind.length === 0) return active.length === 0 ? 'No connections affected' : 'No missed days';
  const most = behind.length === 1 ? '' : 'up to ';
  return `${plural(behind.length, 'connection')}, ${most}${plural(mostDaysWaiting(behind, now), 'day')}`;
}
