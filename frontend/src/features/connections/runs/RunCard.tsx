import { useState } from 'react';
import { useRuns } from '~/api/connections/runs';
import type { Connection, RunProgress } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';
import { activeRunOf } from '~/features/connections/describe-connection';
import { isEnded, lastEnded } from './describe-run';
import { EndedRun } from './EndedRun';
import { LiveRun } from './LiveRun';
import styles from './LiveRun.module.css';

/** The last active run that this screen has shown. */
function useSeenRun(active: RunProgress | null): RunProgress | null {
  const [seen, setSeen] = useState(active);
  if (active !== null && active !== seen) setSeen(active);
  return active ?? seen;
}

interface RunCardProps {
  connection: Connection;
  /** The message that a notice above shows. */
  noticed?: string | null;
}

/**
 * The active run, or the one that ended last. The place has the same height for both, and a run that ends stays until its result is known, so
 * that nothing below it moves.
 */
export function RunCard({ connection, noticed = null }: RunCardProps) {
  const { data, error } = useRuns(useOrganizationId(), connection.id);
  const active = activeRunOf(connection);
  const seen = useSeenRun(active);
  const summary = seen === null ? undefined : data?.items.find(({ id }) => id === seen.runId);
  if (seen !== null && (active !== null || !summary || !isEnded(summary)))
    return <LiveRun connection={connection} run={seen} summary={summary} />;
  // A repair runs beside the regular runs and is never the active run: it can end after the run that this screen has shown.
  const ended = lastEnded(data?.items ?? []);
  if (ended) return <EndedRun connection={connection} run={ended} noticed={noticed} isSettling={ended.id === seen?.runId} />;
  // The page shows errors in its other parts.
  return data || error ? null : <div className={styles.live} data-loading />;
}
