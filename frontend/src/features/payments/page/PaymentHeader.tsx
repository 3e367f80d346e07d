import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { FlowHeader } from '~/components/flow/FlowHeader';
import { RunButton } from '~/components/flow/RunButton';
import { PaymentStatus } from '~/components/status/PaymentStatus';
import { ProviderMark, RouteText } from '~/components/status/ProviderMark';
import { paths } from '~/domain/navigation/paths';
import { paymentHealthOf } from '~/domain/payments/payment-state';
import { ActiveSwitch } from '~/features/payments/ActiveSwitch';
import { DeletePaymentDialog } from '~/features/payments/DeletePaymentDialog';
import { destinationNames } from '~/features/payments/describe-payment';
import { useRunGate } from '~/features/payments/use-run-gate';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';

export function PaymentHeader({ payment }: { payment: Payment }) {
  const organizationId = useOrganizationId();
  const { run } = usePaymentActions(organizationId);
  const { id, name, app, destinations, desired } = payment;
  return (
    <FlowHeader
      title={name}
      kind="payment"
      parent={{ label: 'Payments', to: paths.payments(organizationId) }}
      status={<PaymentStatus health={paymentHealthOf(payment)} />}
      subtitle={
        <>
          <ProviderMark provider={app.provider} />
          <RouteText from={app.name} to={destinationNames(destinations)} />
        </>
      }
      isActive={desired === 'active'}
      activeSwitch={<ActiveSwitch payment={payment} />}
      runButton={<RunButton disabledReason={useRunGate(payment)} onRun={() => run(id)} />}
      lockedReason={usePermissionGate('payments.write')}
      deleteDialog={(close, onDeleted) => <DeletePaymentDialog payment={payment} onClose={close} onDeleted={onDeleted} />}
    />
  );
}
