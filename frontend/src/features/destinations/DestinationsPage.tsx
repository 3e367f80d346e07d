import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useDestinations } from '~/api/destinations';
import type { Destination } from '~/api/types';
import { formatDayRange } from '~/lib/dates';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useSeenAt } from '~/lib/use-seen-at';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { icon } from '~/ui/icon';
import { Page, PageHeader } from '~/ui/layout/Page';
import { ProviderMark } from '~/components/status/ProviderMark';
import { Status } from '~/components/status/Status';
import listStyles from '~/ui/layout/ItemTable.module.css';
import table from '~/ui/layout/Table.module.css';
import { destinationTable, stateWord } from './destination-state';

function Row({ destination }: { destination: Destination }) {
  const organizationId = useOrganizationId();
  const now = useNow(300_000);
  const { earliestDataAt, latestDataAt } = destination;
  const usedBy = destination.usedBy === 0 ? null : plural(destination.usedBy, 'connection');
  const data = earliestDataAt && latestDataAt ? formatDayRange(earliestDataAt, latestDataAt, now) : null;
  const { tone, icon: stateIcon } = destinationTable[destination.state];
  return (
    <tr data-link>
      <td>
        <span className={listStyles.identity}>
          <ProviderMark provider={destination.provider} />
          <span>
            <Link to={paths.destination(organizationId, destination.id)} className={table.name}>
              {destination.name}
            </Link>
            <span className={table.second}>
              {destination.appName}
              <span className={listStyles.narrow}>
                {[usedBy, data].filter((part) => part !== null).map((part) => `, ${part}`)}
              </span>
            </span>
          </span>
        </span>
      </td>
      <td>
        <span className="mono">{destination.target}</span>
      </td>
      <td>
        <Status icon={stateIcon} tone={tone}>
          {stateWord(destination)}
        </Status>
      </td>
      <td className={listStyles.wide}>{usedBy ?? '—'}</td>
      <td className={listStyles.wide}>{data ?? '—'}</td>
    </tr>
  );
}

export default function DestinationsPage() {
  useTitle('Destinations');
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('destinations.write');
  const { data, error, mutate } = useDestinations(organizationId);
  const seenAt = useSeenAt(data);
  const add = (size: 'sm' | 'md') => (
    <GatedButton
      align="end"
      disabledReason={disabledReason}
      to={paths.addDestination()}
      onClick={clearFlowState}
      size={size}
      leftSection={<IconPlus {...icon} />}
    >
      Add destination
    </GatedButton>
  );
  return (
    <Page>
      <PageHeader title="Destinations" actions={data?.items.length ? add('sm') : undefined} />
      {error !== undefined && (
        <ErrorNotice
          error={error}
          title="Couldn’t load destinations"
          seenAt={data ? seenAt : null}
          onRetry={() => void mutate()}
        />
      )}
      {!data && error === undefined && <TableSkeleton label="Loading destinations" rows={4} widths={['28%', '28%', 80, 80]} />}
      {data?.items.length === 0 && (
        <EmptyState title="No destinations yet" action={add('md')}>
          A destination is a warehouse, a database or an analytics project that receives rows.
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <table className={`${table.table} ${listStyles.items}`} data-rows="two">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Target</th>
              <th scope="col">State</th>
              <th scope="col" className={listStyles.wide}>
                Used by
              </th>
              <th scope="col" className={listStyles.wide}>
                Data
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((destination) => (
              <Row key={destination.id} destination={destination} />
            ))}
          </tbody>
        </table>
      )}
    </Page>
  );
}
