import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { ActiveSwitch as Switch } from '~/components/flow/ActiveSwitch';
import { useOrganizationId } from '~/session/organization-context';
import { useSwitchGate } from './use-run-gate';

export function ActiveSwitch({ payment }: { payment: Payment }) {
  const { setActive } = usePaymentActions(useOrganizationId());
  const { name, desired } = payment;
  const disabledReason = useSwitchGate(payment);
  const change = (isActive: boolean) => setActive(payment, isActive);
  return <Switch name={name} isActive={desired === 'active'} disabledReason={disabledReason} onChange={change} />;
}
