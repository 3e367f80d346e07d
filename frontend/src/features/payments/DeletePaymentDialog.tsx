import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { DeleteDialog } from '~/components/feedback/DeleteDialog';
import { useOrganizationId } from '~/session/organization-context';

interface DeletePaymentDialogProps {
  payment: Payment;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeletePaymentDialog({ payment, onClose, onDeleted }: DeletePaymentDialogProps) {
  const { remove, restore } = usePaymentActions(useOrganizationId());
  const { id, name, app, destinations } = payment;
  return (
    <DeleteDialog
      name={name}
      kind="payment"
      onClose={onClose}
      stops={[`Hourly runs and webhooks from ${app.name}`, 'The monthly recurring revenue']}
      stays={[
        ...destinations.map((one) => `All rows in ${one.table} of ${one.name}`),
        `The Stripe key of ${app.name}, and its webhook endpoint in Stripe`,
      ]}
      onDelete={() => remove(id)}
      onDeleted={() => {
        onClose();
        onDeleted?.();
      }}
      onRestore={() => restore(id)}
      restoredMessage={`${name} restored. Runs load the missed days`}
    />
  );
}
