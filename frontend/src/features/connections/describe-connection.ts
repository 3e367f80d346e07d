import type { Connection } from '../../api/types';
import { describeProgress } from '../../lib/run-progress';
import { runTable } from '../../lib/connection-state';
import { formatFuture } from '../../lib/relative-time';

/** The run that moves now; a run that has just ended is history. */
export const activeRunOf = (connection: Connection) =>
  connection.activeRun && runTable[connection.activeRun.state].isActive ? connection.activeRun : null;

export const reasonText = (connection: Connection): string => {
  const run = activeRunOf(connection);
  return run ? describeProgress(run) : connection.healthReason;
};

/** `in 38 min`, `After reconnect`, `—` */
export function nextRunText({ health, desired, nextRunAt }: Connection, now: Date): string {
  if (desired === 'paused') return '—';
  if (health === 'needs_reauth') return 'After reconnect';
  return nextRunAt === null ? '—' : formatFuture(nextRunAt, now);
}
