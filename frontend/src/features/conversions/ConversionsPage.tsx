import { useSearchParams } from 'react-router-dom';
import { useConversions } from '~/api/conversions/conversions';
import { CreateButton } from '~/components/list/CreateButton';
import { ListPage } from '~/components/list/ListPage';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ConversionsTable } from './list/ConversionsTable';
import { OrderResults } from './list/OrderResults';
import { OrderSearch } from './list/OrderSearch';

function Create({ size }: { size: 'sm' | 'md' }) {
  const to = paths.createConversion(useOrganizationId());
  return <CreateButton label="Create conversion" to={to} disabledReason={usePermissionGate('conversions.write')} size={size} />;
}

function ConversionList() {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useConversions(organizationId);
  return (
    <ListPage
      title="Conversions"
      actions={data?.items.length === 0 ? undefined : <Create size="sm" />}
      data={data}
      error={error}
      reload={mutate}
      errorTitle={data ? 'Couldn’t refresh conversions' : 'Couldn’t load conversions'}
      skeleton={<TableSkeleton label="Loading conversions" rows={4} widths={['28%', '24%', 60, 60, 60, 80]} />}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <EmptyState title="No conversions yet" action={<Create size="md" />}>
          A conversion sends events, such as purchases, to an ad platform and shows which were accepted.
        </EmptyState>
      }
    >
      {({ items }) => (
        <>
          <OrderSearch />
          <ConversionsTable conversions={items} />
        </>
      )}
    </ListPage>
  );
}

export default function ConversionsPage() {
  const [parameters] = useSearchParams();
  const order = parameters.get('order')?.trim() ?? '';
  return order === '' ? <ConversionList /> : <OrderResults key={order} order={order} />;
}
