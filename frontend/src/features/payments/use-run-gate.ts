import type { Payment } from '~/api/types';
import { whyNotRunPayment } from '~/domain/payments/payment-state';
import { usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';

/** Why the user cannot start a run of the payment; null when it can be started. */
export function useRunGate(payment: Payment): string | null {
  const roleReason = usePermissionGate('payments.write');
  const planReason = usePlanGate();
  return roleReason ?? planReason ?? whyNotRunPayment(payment);
}

/** Why the user cannot resume a destination that was paused automatically. */
export function useResumeGate(): string | null {
  const roleReason = usePermissionGate('payments.write');
  const planReason = usePlanGate();
  return roleReason ?? planReason;
}

/** Why the user cannot switch the payment on or off. Pausing is allowed without a plan. */
export function useSwitchGate({ desired }: Payment): string | null {
  const roleReason = usePermissionGate('payments.write');
  const planReason = usePlanGate();
  return roleReason ?? (desired === 'paused' ? planReason : null);
}
