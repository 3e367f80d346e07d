import type { Connection } from '~/api/types';
import { HealthStatus, RunStatus } from '~/components/status/Status';
import { activeRunOf, reasonText } from '~/features/connections/describe-connection';
import styles from './ConnectionsTable.module.css';

/** Health and why; while a run moves, the run. A connection that needs a hand keeps its word, whatever moves. */
export function HealthCell({ connection }: { connection: Connection }) {
  const run = activeRunOf(connection);
  const isCalm = ['healthy', 'never_run', 'backfilling', 'paused'].includes(connection.health);
  return (
    <>
      {run && isCalm ? <RunStatus state={run.state} word="Running" /> : <HealthStatus health={connection.health} />}
      <span className={styles.reason}>{reasonText(connection)}</span>
    </>
  );
}
