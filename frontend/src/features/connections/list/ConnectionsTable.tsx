import { Checkbox } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Connection, Freshness } from '~/api/types';
import { formatDay, readerTimeZone } from '~/lib/dates';
import { paths } from '~/domain/navigation/paths';
import { formatDayAge } from '~/lib/relative-time';
import { describeSchedule, scheduleZone } from '~/domain/connections/schedule';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { providerName, RouteMarks, RouteText } from '~/components/status/ProviderMark';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Sparkline } from '~/ui/data/Sparkline';
import table from '~/ui/layout/Table.module.css';
import { ActiveSwitch } from '~/features/connections/ActiveSwitch';
import { nextRunText } from '~/features/connections/describe-connection';
import { FreshnessStrip } from '~/features/connections/freshness/FreshnessStrip';
import { ConnectionsHead } from './ConnectionsHead';
import styles from './ConnectionsTable.module.css';
import { HealthCell } from './HealthCell';
import { RowMenu } from './RowMenu';
import { useStableOrder } from './stable-order';

interface Selection {
  chosen: string[];
  onChoose: (ids: string[]) => void;
}

interface RowProps {
  connection: Connection;
  /** Undefined while loading. */
  freshness: Freshness | undefined;
  isChosen: boolean;
  onToggle: () => void;
}

function Row({ connection, freshness, isChosen, onToggle }: RowProps) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const { completeThrough, lastRun } = connection;
  return (
    <tr data-link data-selected={isChosen || undefined}>
      <td className={table.fit}>
        <Checkbox checked={isChosen} onChange={onToggle} aria-label={`Select ${connection.name}`} />
      </td>
      <td>
        <span className={styles.identity}>
          <RouteMarks from={connection.source.provider} to={connection.destination.provider} />
          <span className={styles.words}>
            <Link to={paths.connection(organizationId, connection.id)} className={table.name} title={connection.name}>
              {connection.name}
            </Link>
            <span className={table.second} title={connection.tags.join(', ') || undefined}>
              <RouteText from={providerName(connection.source.provider)} to={providerName(connection.destination.provider)} />
              {connection.tags.length > 0 && <span className={styles.tags}> · {connection.tags.join(', ')}</span>}
            </span>
          </span>
        </span>
      </td>
      <td>
        <HealthCell connection={connection} />
      </td>
      <td>
        <span className={styles.complete}>
          <span className={styles.through}>
            {completeThrough ? formatDay(completeThrough, now) : '—'}
            {completeThrough && <span className={table.second}>{formatDayAge(completeThrough, now)}</span>}
          </span>
          <span className={styles.strip}>{freshness && <FreshnessStrip days={freshness.days} size="small" />}</span>
        </span>
      </td>
      <td className={styles.lastRun}>
        <RelativeTime at={lastRun?.endedAt ?? lastRun?.startedAt ?? null} />
      </td>
      <td className={styles.nextRun}>{nextRunText(connection, now)}</td>
      <td className={styles.days}>
        <Sparkline days={connection.rowsByDay} isFailing={connection.health === 'failing'} />
      </td>
      <td className={styles.schedule}>
        {describeSchedule(connection.schedule)}
        <span className={table.second}>{scheduleZone(connection.schedule, readerTimeZone(), now)}</span>
      </td>
      <td className={table.fit}>
        <ActiveSwitch connection={connection} />
      </td>
      <td className={table.fit}>
        <RowMenu connection={connection} />
      </td>
    </tr>
  );
}

interface TableProps extends Selection {
  connections: Connection[];
  freshness: Freshness[] | undefined;
}

export function ConnectionsTable({ connections: sorted, freshness, chosen, onChoose }: TableProps) {
  const { items: connections, handlers } = useStableOrder(sorted);
  const isAll = connections.length > 0 && chosen.length === connections.length;
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <table className={`${table.table} ${styles.table}`} data-rows="two" {...handlers}>
      <ConnectionsHead
        select={
          <Checkbox
            checked={isAll}
            indeterminate={!isAll && chosen.length > 0}
            onChange={() => onChoose(isAll ? [] : connections.map(({ id }) => id))}
            aria-label="Select all"
          />
        }
      />
      <tbody>
        {connections.map((connection) => (
          <Row
            key={connection.id}
            connection={connection}
            freshness={freshness?.find(({ connectionId }) => connectionId === connection.id)}
            isChosen={chosen.includes(connection.id)}
            onToggle={() => toggle(connection.id)}
          />
        ))}
      </tbody>
    </table>
  );
}
