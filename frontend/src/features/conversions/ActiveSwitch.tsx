import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { ActiveSwitch as Switch } from '~/components/flow/ActiveSwitch';
import { useOrganizationId } from '~/session/organization-context';
import { useSwitchGate } from './use-run-gate';

export function ActiveSwitch({ conversion }: { conversion: Conversion }) {
  const { setActive } = useConversionActions(useOrganizationId());
  const { name, desired } = conversion;
  const disabledReason = useSwitchGate(conversion);
  const change = (isActive: boolean) => setActive(conversion, isActive);
  return <Switch name={name} isActive={desired === 'active'} disabledReason={disabledReason} onChange={change} />;
}
