import type { Connection } from '~/api/types';
import { describeProgress } from '~/domain/connections/run-progress';
import { runTable } from '~/domain/connections/connection-state';
import { formatFuture } from '~/lib/relative-time';

/** The active run. The API also returns a run that has just ended, which does not count. */
export const activeRunOf = (connection: Connection) =>
  connection.activeRun && runTable[connection.activeRun.state].isActive ? connection.activeRun : null;

/** Reason for the health. The progress of a run does not hide why a connection is stale or why its runs fail. */
export const reasonText = (connection: Connection): string => {
  const run = activeRunOf(connection);
  if (run?.isStuck) return 'The run is stuck: no progress for 2 minutes';
  if (connection.health === 'stale' || connection.health === 'failing') return connection.healthReason;
  return run ? describeProgress(run) : connection.healthReason;
};

/** `in 38 min`, `After reconnect`, `—` */
export function nextRunText({ health, desired, nextRunAt }: Connection, now: Date): string {
  if (desired === 'paused') return '—';
  if (health === 'needs_reauth') return 'After reconnect';
  return nextRunAt === null ? '—' : formatFuture(nextRunAt, now);
}
