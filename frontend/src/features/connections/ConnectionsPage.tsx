import { useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { loadConfig } from '~/api/http/config';
import { prefetchConnections, useConnections } from '~/api/connections/connections';
import type { ConnectionFilter } from '~/api/connections/connections';
import { HEALTHS } from '~/domain/connections/connection-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganization, useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { ListPage } from '~/components/list/ListPage';
import { icon } from '~/ui/icon';
import { ConnectionsSkeleton } from './list/ConnectionsSkeleton';
import { ConnectionsView } from './list/ConnectionsView';

function CreateButton({ size }: { size: 'sm' | 'md' }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('connections.write');
  return (
    <GatedButton
      disabledReason={disabledReason}
      align="end"
      to={paths.createConnection(organizationId)}
      size={size}
      leftSection={<IconPlus {...icon} />}
    >
      Create connection
    </GatedButton>
  );
}

function NoConnections() {
  const organizationId = useOrganizationId();
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const sample = config?.isDemo && (
    <Link to={paths.createConnection(organizationId, { step: 'source' })}>Try with sample data</Link>
  );
  return (
    <EmptyState title="No connections yet" action={<CreateButton size="md" />} link={sample || undefined}>
      Connect an ad account to a warehouse. Each day is loaded and verified.
    </EmptyState>
  );
}

/** What the address selects. */
const filterOf = (parameters: URLSearchParams): ConnectionFilter => ({
  health: HEALTHS.find((one) => one === parameters.get('health')),
  search: parameters.get('search') || undefined,
  tag: parameters.get('tag') || undefined,
  cursor: parameters.get('cursor') ?? undefined,
  limit: 50,
});

/** @public `preloadPage` calls it, through the route table. */
export const prefetch = (organizationId: string, parameters: URLSearchParams): void =>
  prefetchConnections(organizationId, filterOf(parameters));

export default function ConnectionsPage() {
  const organizationId = useOrganizationId();
  const { document } = useOrganization();
  const [parameters] = useSearchParams();
  const filter = filterOf(parameters);
  const { health = null, search = '' } = filter;
  const isPhone = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const { data: newest, error, mutate } = useConnections(organizationId, filter);
  // Rows are rendered in short tasks, so that input is not blocked. When a filter fails, those of another one are gone at once.
  const deferred = useDeferredValue(newest);
  const data = newest && deferred;
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  // The fields of the filter stay, with their focus, so that a filter that fails can be changed.
  const without = useMemo(() => last && { ...last, items: [], nextCursor: null }, [last]);
  const isFailed = error !== undefined && data === undefined;
  const isEmpty = data !== undefined && (data.counts.all ?? 0) === 0 && search === '';
  return (
    <ListPage
      title="Connections"
      actions={isEmpty ? undefined : <CreateButton size="sm" />}
      data={isFailed ? without : data}
      refreshError={isFailed ? 'notice' : 'notice with age'}
      error={error}
      reload={mutate}
      errorTitle={data ? 'Couldn’t refresh connections' : 'Couldn’t load connections'}
      skeleton={<ConnectionsSkeleton count={document?.connections_count} isPhone={isPhone} />}
      isEmpty={() => isEmpty}
      empty={<NoConnections />}
    >
      {(page) => (
        <div style={{ marginTop: error === undefined ? 0 : 20 }}>
          <ConnectionsView page={page} health={health} search={search} isPhone={isPhone} isFailed={isFailed} />
        </div>
      )}
    </ListPage>
  );
}
