import { useDestinationTables } from '~/api/destinations';
import type { Destination } from '~/api/types';
import { formatBytes, formatCount } from '~/lib/numbers';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Section } from '~/ui/layout/Page';
import { RelativeTime } from '~/ui/data/RelativeTime';
import table from '~/ui/layout/Table.module.css';
import { useOrganizationId } from '~/session/organization-context';
import styles from './TablesWritten.module.css';

/** Tables or events that connections write to the destination, with row counts. */
export function TablesWritten({ destination }: { destination: Destination }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useDestinationTables(organizationId, destination.id);
  const isEvents = destination.provider === 'mixpanel';
  return (
    <Section title={isEvents ? 'Events written' : 'Tables written'}>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load the tables"
        refreshError="nothing"
        skeleton={<TableSkeleton label="Loading the tables" rows={2} widths={['40%', 80, 80]} />}
        isEmpty={({ items }) => items.length === 0}
        empty={<p className="quiet">No data written yet. No connection uses this destination.</p>}
      >
        {({ items }) => (
          <div className={table.scroll} tabIndex={0} role="region" aria-label={isEvents ? 'List of events' : 'List of tables'}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">{isEvents ? 'Event' : 'Table'}</th>
                  <th scope="col" className={styles.wide}>
                    Stream
                  </th>
                  <th scope="col" className={table.number}>
                    Rows
                  </th>
                  <th scope="col" className={`${table.number} ${styles.wide}`}>
                    Sent in 30 days
                  </th>
                  <th scope="col" className={table.number}>
                    Last load
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={`${item.table} ${item.stream}`}>
                    <td>
                      <code>{item.table}</code>
                    </td>
                    <td className={styles.wide}>
                      <code>{item.stream}</code>
                    </td>
                    <td className={table.number}>{formatCount(item.rows)}</td>
                    <td className={`${table.number} ${styles.wide}`}>{formatBytes(item.bytes)}</td>
                    <td className={table.number}>
                      <RelativeTime at={item.lastLoadedAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </LoadedContent>
    </Section>
  );
}
