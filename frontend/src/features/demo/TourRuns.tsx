import type { RunSummary } from '~/api/types';
import { formatDuration, millisecondsBetween } from '~/lib/durations';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { RunStatus } from '~/components/status/Status';
import { RelativeTime } from '~/ui/data/RelativeTime';
import table from '~/ui/layout/Table.module.css';
import styles from './Demo.module.css';

function Row({ run }: { run: RunSummary }) {
  const now = useNow();
  const tookMs = run.endedAt ? millisecondsBetween(run.startedAt, run.endedAt, now) : null;
  return (
    <tr>
      <td>
        <RelativeTime at={run.startedAt ?? run.queuedAt} />
      </td>
      <td>
        <RunStatus state={run.state} isStuck={run.isStuck} />
      </td>
      <td className={table.number}>{run.verify ? formatCount(run.verify.expected.rows) : '—'}</td>
      <td className={table.number} data-differs={run.verify && !run.verify.rows ? true : undefined}>
        {run.verify ? formatCount(run.verify.found.rows) : '—'}
      </td>
      <td className={`${table.number} ${styles.wide}`}>{tookMs === null ? '—' : formatDuration(tookMs)}</td>
    </tr>
  );
}

export const TourRuns = ({ runs }: { runs: RunSummary[] }) => (
  <table className={`${table.table} ${styles.runs}`}>
    <thead>
      <tr>
        <th scope="col">Started</th>
        <th scope="col">State</th>
        <th scope="col" className={table.number}>
          Rows read
        </th>
        <th scope="col" className={table.number}>
          Found
        </th>
        <th scope="col" className={`${table.number} ${styles.wide}`}>
          Duration
        </th>
      </tr>
    </thead>
    <tbody>
      {runs.map((run) => (
        <Row key={run.id} run={run} />
      ))}
    </tbody>
  </table>
);
