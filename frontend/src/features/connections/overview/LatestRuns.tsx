import { Link } from 'react-router-dom';
import type { Connection, RunSummary } from '~/api/types';
import { formatDuration, millisecondsBetween } from '~/lib/durations';
import { formatCount } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Section } from '~/ui/layout/Page';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { RunStatus } from '~/components/status/Status';
import table from '~/ui/layout/Table.module.css';
import { noteOf, windowText } from '~/features/connections/runs/describe-run';
import styles from './LatestRuns.module.css';

const SHOWN = 4;

function Row({ run, connectionId, noticed }: { run: RunSummary; connectionId: string; noticed: string | null }) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const tookMs = run.endedAt ? millisecondsBetween(run.startedAt, run.endedAt, now) : null;
  return (
    <tr data-link>
      <td className={styles.one}>
        <Link to={paths.connection(organizationId, connectionId, { run: run.id })} className={table.name}>
          <RelativeTime at={run.startedAt ?? run.queuedAt} />
        </Link>
      </td>
      <td className={styles.one}>
        <RunStatus state={run.state} isStuck={run.isStuck} />
      </td>
      <td className={`${styles.wide} ${styles.one}`}>{windowText(run, now)}</td>
      <td className={styles.wide}>{noteOf(run, noticed)}</td>
      <td className={table.number}>{formatCount(run.rowsWritten)}</td>
      <td className={`${table.number} ${styles.wide}`}>{tookMs === null ? '—' : formatDuration(tookMs)}</td>
    </tr>
  );
}

interface LatestRunsProps {
  connection: Connection;
  runs: RunSummary[] | undefined;
  /** The message that the notice above shows. */
  noticed: string | null;
  error: unknown;
  onRetry: () => void;
}

export function LatestRuns({ connection, runs, noticed, error, onRetry }: LatestRunsProps) {
  const organizationId = useOrganizationId();
  return (
    <Section
      title="Latest runs"
      aside={<Link to={paths.connection(organizationId, connection.id, { tab: 'runs' })}>View all runs</Link>}
    >
      <LoadedContent
        data={runs}
        error={error}
        reload={onRetry}
        errorTitle="Couldn’t load runs"
        skeleton={<TableSkeleton label="Loading runs" rows={SHOWN} widths={[70, 70, 90, 60, 60]} />}
        isEmpty={({ length }) => length === 0}
        empty={<p className="quiet">No runs yet.</p>}
      >
        {(loaded) => (
          <table className={`${table.table} ${styles.runs}`}>
            <thead>
              <tr>
                <th scope="col">Started</th>
                <th scope="col">State</th>
                <th scope="col" className={styles.wide}>
                  Window
                </th>
                <th scope="col" className={styles.wide}>
                  Note
                </th>
                <th scope="col" className={table.number}>
                  Rows written
                </th>
                <th scope="col" className={`${table.number} ${styles.wide}`}>
                  Duration
                </th>
              </tr>
            </thead>
            <tbody>
              {loaded.slice(0, SHOWN).map((run) => (
                <Row key={run.id} run={run} connectionId={connection.id} noticed={noticed} />
              ))}
            </tbody>
          </table>
        )}
      </LoadedContent>
    </Section>
  );
}
