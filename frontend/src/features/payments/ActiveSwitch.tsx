import { Switch, Tooltip } from '@mantine/core';
import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { useOrganizationId } from '~/session/organization-context';
import { useSwitchGate } from './use-run-gate';

/** Pauses or resumes the payment. Updates optimistically and rolls back if the server rejects the change. */
export function ActiveSwitch({ payment }: { payment: Payment }) {
  const { setActive } = usePaymentActions(useOrganizationId());
  const disabledReason = useSwitchGate(payment);
  return (
    <Tooltip label={disabledReason} disabled={disabledReason === null}>
      <Switch
        checked={payment.desired === 'active'}
        disabled={disabledReason !== null}
        onChange={(event) => void setActive(payment, event.currentTarget.checked).catch(toast.failed)}
        aria-label={`${payment.name} is on`}
      />
    </Tooltip>
  );
}
