import type { Connection } from '~/api/types';
import { addDays, daysBetween, localDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';

/** Fields from which missed days are calculated. */
export type MissedDaysFacts = Pick<Connection, 'completeThrough' | 'historyFrom' | 'desired'>;

/** First missing day, or null when data is complete through yesterday. */
export function missingSince({ completeThrough, historyFrom }: MissedDaysFacts, now: Date): string | null {
  const first = completeThrough === null ? historyFrom : addDays(completeThrough, 1);
  return first < localDay(now) ? first : null;
}

/** Number of missing days up to and including yesterday. */
export function missedDays(connection: MissedDaysFacts, now: Date): number {
  const since = missingSince(connection, now);
  return since === null ? 0 : daysBetween(since, localDay(now));
}

export const maxMissedDays = (connections: MissedDaysFacts[], now: Date): number =>
  Math.max(0, ...connections.filter(({ desired }) => desired === 'active').map((connection) => missedDays(connection, now)));

/** `3 connections, up to 3 days`. Counts only active connections with missing days. */
export function describeMissedDays(connections: MissedDaysFacts[], now: Date): string {
  const active = connections.filter(({ desired }) => desired === 'active');
  const behind = active.filter((connection) => missedDays(connection, now) > 0);
  if (behind.length === 0) return active.length === 0 ? 'No connections affected' : 'No missed days';
  const most = behind.length === 1 ? '' : 'up to ';
  return `${plural(behind.length, 'connection')}, ${most}${plural(maxMissedDays(behind, now), 'day')}`;
}
