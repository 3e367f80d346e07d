import { useState } from 'react';
import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { RowMenu } from '~/components/flow/RowMenu';
import { paths } from '~/domain/navigation/paths';
import { DeletePaymentDialog } from '~/features/payments/DeletePaymentDialog';
import { useRunGate, useSwitchGate } from '~/features/payments/use-run-gate';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';

export function PaymentMenu({ payment }: { payment: Payment }) {
  const organizationId = useOrganizationId();
  const { run, setActive } = usePaymentActions(organizationId);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <RowMenu
        id={payment.id}
        name={payment.name}
        kind="payment"
        roleReason={usePermissionGate('payments.write')}
        runReason={useRunGate(payment)}
        switchReason={useSwitchGate(payment)}
        isActive={payment.desired === 'active'}
        editPath={paths.payment(organizationId, payment.id, { tab: 'settings' })}
        onRun={() => run(payment.id)}
        onSwitch={(isActive) => setActive(payment, isActive)}
        onDelete={() => setDeleting(true)}
      />
      {isDeleting && <DeletePaymentDialog payment={payment} onClose={() => setDeleting(false)} />}
    </>
  );
}
