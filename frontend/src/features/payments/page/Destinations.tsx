import { Link } from 'react-router-dom';
import { useRun } from '~/api/connections/runs';
import type { Payment, PaymentDestination } from '~/api/types';
import { PaymentStatus } from '~/components/status/PaymentStatus';
import { ProviderMark } from '~/components/status/ProviderMark';
import { RunStatus } from '~/components/status/Status';
import { paths } from '~/domain/navigation/paths';
import { formatDay } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import styles from './Payment.module.css';

/** The outcome of the last run, with the counts of both ends. */
function LastRun({ runId }: { runId: string | null }) {
  const { data: run } = useRun(useOrganizationId(), runId);
  if (runId === null) return <>—</>;
  if (!run) return <span className="label">…</span>;
  return (
    <>
      <RunStatus state={run.state} isStuck={run.isStuck} />
      <span className={table.second}>
        {formatCount(run.rowsWritten)} of {formatCount(run.rowsRead)} rows, <RelativeTime at={run.endedAt ?? run.startedAt} />
      </span>
    </>
  );
}

function Row({ destination }: { destination: PaymentDestination }) {
  const organizationId = useOrganizationId();
  const now = useNow(300_000);
  const { id, name, provider, table: tableName, health, healthReason, completeThrough, activeRunId, lastRunId } = destination;
  return (
    <tr data-link>
      <td>
        <span className={styles.identity}>
          <ProviderMark provider={provider} />
          <span>
            <Link to={paths.destination(organizationId, id)} className={table.name}>
              {name}
            </Link>
            <span className={`${table.second} ${styles.where}`}>
              <code>{tableName}</code>
            </span>
          </span>
        </span>
      </td>
      <td>
        <PaymentStatus health={health} />
        <span className={table.second}>{healthReason}</span>
      </td>
      <td className={styles.narrow}>{completeThrough === null ? '—' : formatDay(completeThrough, now)}</td>
      <td>
        <LastRun runId={activeRunId ?? lastRunId} />
      </td>
    </tr>
  );
}

/** Where the rows are, how far they are complete, and what the last run counted. */
export const Destinations = ({ payment }: { payment: Payment }) => (
  <Section title="Destinations">
    <table className={table.table} data-rows="two">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Health</th>
          <th scope="col" className={styles.narrow}>
            Complete through
          </th>
          <th scope="col">Last run</th>
        </tr>
      </thead>
      <tbody>
        {payment.destinations.map((destination) => (
          <Row key={destination.connectionId} destination={destination} />
        ))}
      </tbody>
    </table>
  </Section>
);
