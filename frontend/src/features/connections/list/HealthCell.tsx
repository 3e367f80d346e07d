import type { Connection } from '~/api/types';
import { HealthStatus, RunStatus } from '~/components/status/Status';
import { healthTable } from '~/domain/connections/connection-state';
import { activeRunOf, reasonText } from '~/features/connections/describe-connection';
import styles from './ConnectionsTable.module.css';

/**
 * Health, and its reason or the progress of the active run. The word is that of the counters and filters above the list. The icon
 * shows the run, unless the connection needs attention.
 */
export function HealthCell({ connection }: { connection: Connection }) {
  const run = activeRunOf(connection);
  const reason = reasonText(connection);
  const showsRun = ['healthy', 'never_run', 'backfilling', 'paused'].includes(connection.health);
  return (
    <>
      {run && showsRun ? (
        <RunStatus state={run.state} word={healthTable[connection.health].word} />
      ) : (
        <HealthStatus health={connection.health} />
      )}
      <span className={styles.reason} title={reason}>
        {reason}
      </span>
    </>
  );
}
