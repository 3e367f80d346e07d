import type { Conversion } from '~/api/types';
import { whyNotRunConversion } from '~/domain/conversions/conversion-state';
import { usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';

/** Why a run cannot be started; null when it can. */
export function useRunGate(conversion: Conversion): string | null {
  const roleReason = usePermissionGate('conversions.write');
  const planReason = usePlanGate();
  return roleReason ?? planReason ?? whyNotRunConversion(conversion);
}

/** Why a test cannot be sent. A paused conversion can be tested. */
export function useTestGate(): string | null {
  const roleReason = usePermissionGate('conversions.write');
  const planReason = usePlanGate();
  return roleReason ?? planReason;
}

/** Why it cannot be paused or resumed. Pausing is allowed without a plan. */
export function useSwitchGate({ desired }: Conversion): string | null {
  const roleReason = usePermissionGate('conversions.write');
  const planReason = usePlanGate();
  return roleReason ?? (desired === 'paused' ? planReason : null);
}
