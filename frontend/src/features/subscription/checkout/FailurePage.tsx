import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useSubscription } from '~/api/billing';
import type { Subscription } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganization } from '~/session/organization-context';
import { useAccessRefresh } from '~/session/use-access-refresh';
import { ErrorText } from '~/components/feedback/ErrorText';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { Notice } from '~/ui/feedback/Notice';
import { Page, PageHeader } from '~/ui/layout/Page';
import { BillingOnly } from '~/features/subscription/BillingOnly';
import styles from './Checkout.module.css';
import { actionsOf } from '~/features/subscription/describe-subscription';
import { useBilling } from '~/features/subscription/use-billing';
import { useBillingGate } from '~/features/subscription/use-billing-gate';

function Retry({ subscription }: { subscription: Subscription | undefined }) {
  const { go, busyWith, error } = useBilling();
  const disabledReason = useBillingGate();
  const { kind, label } = subscription ? actionsOf(subscription).main : { kind: 'checkout' as const, label: '' };
  return (
    <>
      {error !== null && <ErrorText error={error} />}
      <Button loading={busyWith !== null} disabled={disabledReason !== null} onClick={() => void go(kind)}>
        {kind === 'checkout' ? 'Try again' : label}
      </Button>
      {disabledReason !== null && <LockedReason>{disabledReason}</LockedReason>}
    </>
  );
}

/** Return page of a canceled checkout. */
function Unfinished() {
  const { id, document } = useOrganization();
  const { data: subscription } = useSubscription(id);
  useAccessRefresh(subscription);
  useTitle('Checkout not finished');
  const isOpen = subscription !== undefined && subscription.access !== 'closed';
  return (
    <Page width="form">
      <PageHeader title="Checkout not finished" subtitle={document?.company_name} />
      {isOpen ? (
        <Notice tone="accent" title="The plan is already active">
          You were not charged again.
        </Notice>
      ) : (
        <Notice tone="warn" title="The checkout was canceled">
          You were not charged. If your card was declined, try another card or contact your bank.
        </Notice>
      )}
      <div className={styles.buttons}>
        {!isOpen && <Retry subscription={subscription} />}
        <Button component={Link} variant="default" to={isOpen ? paths.connections(id) : paths.subscription(id)}>
          {isOpen ? 'Go to connections' : 'Back to Subscription'}
        </Button>
      </div>
    </Page>
  );
}

const FailurePage = () => (
  <BillingOnly>
    <Unfinished />
  </BillingOnly>
);

export default FailurePage;
