import { Button } from '@mantine/core';
import type { Subscription } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { actionsOf } from './describe-subscription';
import styles from './Subscription.module.css';
import { useBilling } from './use-billing';
import { useBillingGate } from './use-billing-gate';

/** Buttons to the payment provider. Users without permission see who has it. */
export function BillingButtons({ subscription }: { subscription: Subscription }) {
  const { main, hasPortalButton } = actionsOf(subscription);
  const disabledReason = useBillingGate();
  const { go, busyWith, error } = useBilling();
  const isClosed = disabledReason !== null;
  return (
    <>
      <div className={styles.buttons}>
        <Button
          size="md"
          variant={main.isUrgent ? 'filled' : 'default'}
          disabled={isClosed || (busyWith !== null && busyWith !== main.kind)}
          loading={busyWith === main.kind}
          onClick={() => void go(main.kind)}
        >
          {main.label}
        </Button>
        {hasPortalButton && (
          <Button
            size="md"
            variant="default"
            disabled={isClosed || busyWith === 'checkout'}
            loading={busyWith === 'portal'}
            onClick={() => void go('portal')}
          >
            Manage billing
          </Button>
        )}
        {isClosed && <LockedReason>{disabledReason}</LockedReason>}
      </div>
      {error !== null && <ErrorText error={error} />}
    </>
  );
}
