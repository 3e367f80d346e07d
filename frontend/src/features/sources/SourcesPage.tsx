import { IconPlus } from '@tabler/icons-react';
import { useSources } from '~/api/sources';
import type { Source } from '~/api/types';
import { ItemTable, ItemTableSkeleton } from '~/components/list/ItemTable';
import { ListPage } from '~/components/list/ListPage';
import { accountNames } from '~/domain/accounts/account-names';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { icon } from '~/ui/icon';
import table from '~/ui/layout/Table.module.css';
import { sourceTable } from '~/domain/connections/source-state';

const Accounts = ({ source: { accounts } }: { source: Source }) => (
  <>
    {plural(accounts.length, 'account')}
    <span className={table.second}>{accountNames(accounts)}</span>
  </>
);

function AddButton({ size }: { size: 'sm' | 'md' }) {
  const disabledReason = usePermissionGate('sources.write');
  return (
    <GatedButton
      align="end"
      disabledReason={disabledReason}
      to={paths.addSource()}
      onClick={clearFlowState}
      size={size}
      leftSection={<IconPlus {...icon} />}
    >
      Add source
    </GatedButton>
  );
}

export default function SourcesPage() {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useSources(organizationId);
  return (
    <ListPage
      title="Sources"
      actions={data?.items.length === 0 ? undefined : <AddButton size="sm" />}
      data={data}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t load sources"
      skeleton={<ItemTableSkeleton label="Loading sources" detailLabel="Accounts" />}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <EmptyState title="No sources yet" action={<AddButton size="md" />}>
          A source is a selection of ad accounts of one app.
        </EmptyState>
      }
    >
      {({ items }) => (
        <ItemTable
          items={items}
          to={({ id, provider }) => paths.source(organizationId, id, provider)}
          detailLabel="Accounts"
          detail={(source) => <Accounts source={source} />}
          status={({ state }) => sourceTable[state]}
        />
      )}
    </ListPage>
  );
}
