import { Switch, Tooltip } from '@mantine/core';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';

/** Pauses or resumes the conversion. Updates optimistically and rolls back if the server rejects the change. */
export function ActiveSwitch({ conversion }: { conversion: Conversion }) {
  const { setActive } = useConversionActions(useOrganizationId());
  const roleReason = usePermissionGate('conversions.write');
  const planReason = usePlanGate();
  // Pausing is allowed without a plan.
  const disabledReason = roleReason ?? (conversion.desired === 'paused' ? planReason : null);
  return (
    <Tooltip label={disabledReason} disabled={disabledReason === null}>
      <Switch
        checked={conversion.desired === 'active'}
        disabled={disabledReason !== null}
        onChange={(event) => void setActive(conversion, event.currentTarget.checked).catch(toast.failed)}
        aria-label={`${conversion.name} is on`}
      />
    </Tooltip>
  );
}
