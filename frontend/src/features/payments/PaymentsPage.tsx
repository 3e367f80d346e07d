import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import { usePayments } from '~/api/payments/payments';
import type { Payment } from '~/api/types';
import { CreateButton } from '~/components/list/CreateButton';
import { ListPage } from '~/components/list/ListPage';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { icon } from '~/ui/icon';
import styles from './list/PaymentsTable.module.css';
import { PaymentsTable } from './list/PaymentsTable';

function Create({ size }: { size: 'sm' | 'md' }) {
  const to = paths.newPayment(useOrganizationId());
  return <CreateButton label="Create payment" to={to} disabledReason={usePermissionGate('payments.write')} size={size} />;
}

const isFound = ({ name, app, destinations }: Payment, words: string[]): boolean => {
  const text = [name, app.name, ...destinations.map((one) => one.name)].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
};

/** The search is in the URL, so that a link shows the same list. */
function FoundPayments({ payments }: { payments: Payment[] }) {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  const found = payments.filter((payment) => isFound(payment, search.trim().toLowerCase().split(/\s+/)));
  return (
    <>
      <TextInput
        type="search"
        className={styles.search}
        aria-label="Search payments"
        placeholder="Search by name, account or destination"
        leftSection={<IconSearch {...icon} />}
        value={search}
        onChange={(event) => {
          const text = event.currentTarget.value;
          setParameters(text === '' ? {} : { search: text }, { replace: true });
        }}
      />
      {found.length === 0 ? <p className="quiet">No results for “{search}”</p> : <PaymentsTable payments={found} />}
    </>
  );
}

export default function PaymentsPage() {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = usePayments(organizationId);
  return (
    <ListPage
      title="Payments"
      actions={data?.items.length === 0 ? undefined : <Create size="sm" />}
      data={data}
      error={error}
      reload={mutate}
      errorTitle={data ? 'Couldn’t refresh payments' : 'Couldn’t load payments'}
      skeleton={<TableSkeleton label="Loading payments" rows={4} widths={['28%', '24%', 80, 80, 100]} />}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <EmptyState title="No payments yet" action={<Create size="md" />}>
          A payment loads revenue from a Stripe account into your destinations and verifies every row.
        </EmptyState>
      }
    >
      {({ items }) => <FoundPayments payments={items} />}
    </ListPage>
  );
}
