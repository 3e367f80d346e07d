import { IconPlus } from '@tabler/icons-react';
import { useDestinations } from '~/api/destinations';
import { ItemTable, ItemTableSkeleton } from '~/components/list/ItemTable';
import { ListPage } from '~/components/list/ListPage';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { icon } from '~/ui/icon';
import { destinationTable, stateWord } from './destination-state';

function AddButton({ size }: { size: 'sm' | 'md' }) {
  const disabledReason = usePermissionGate('destinations.write');
  return (
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
}

export default function DestinationsPage() {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useDestinations(organizationId);
  return (
    <ListPage
      title="Destinations"
      actions={data?.items.length === 0 ? undefined : <AddButton size="sm" />}
      data={data}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t load destinations"
      skeleton={<ItemTableSkeleton label="Loading destinations" detailLabel="Target" />}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <EmptyState title="No destinations yet" action={<AddButton size="md" />}>
          A destination is a warehouse, a database or an analytics project that receives rows.
        </EmptyState>
      }
    >
      {({ items }) => (
        <ItemTable
          items={items}
          to={({ id }) => paths.destination(organizationId, id)}
          detailLabel="Target"
          detail={({ target }) => <span className="mono">{target}</span>}
          status={(destination) => ({ ...destinationTable[destination.state], word: stateWord(destination) })}
        />
      )}
    </ListPage>
  );
}
