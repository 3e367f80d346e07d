import type { Connection } from '~/api/types';
import { HealthStatus, RunStatus } from '~/components/status/Status';
import { activeRunOf, reasonText } from '~/features/connections/describe-connection';
import styles from './ConnectionsTable.module.css';

/** Health and its reason, or the active run. A connection that needs attention shows its health even during a run. */
export function HealthCell({ connection }: { connection: Connection }) {
  const run = activeRunOf(connection);
  const reason = reasonText(connection);
  const showsRun = ['healthy', 'never_run', 'backfilling', 'paused'].includes(connection.health);
  return (
    <>
      {run && showsRun ? <RunStatus state={run.state} word="Running" /> : <HealthStatus health={connection.health} />}
      <span className={styles.reason} title={reason}>
        {reason}
      </span>
    </>
  );
}
