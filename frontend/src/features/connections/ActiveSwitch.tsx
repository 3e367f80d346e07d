import { Switch, Tooltip } from '@mantine/core';
import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { toast } from '~/components/feedback/toast';

/** Pauses or resumes the connection. Updates optimistically and rolls back if the server rejects the change. */
export function ActiveSwitch({ connection }: { connection: Connection }) {
  const { setActive } = useConnectionActions(useOrganizationId());
  const roleReason = usePermissionGate('connections.write');
  const planReason = usePlanGate();
  // Pausing is allowed without a plan.
  const disabledReason = roleReason ?? (connection.desired === 'paused' ? planReason : null);
  return (
    <Tooltip label={disabledReason} disabled={disabledReason === null}>
      <Switch
        checked={connection.desired === 'active'}
        disabled={disabledReason !== null}
        onChange={(event) => void setActive(connection, event.currentTarget.checked).catch(toast.failed)}
        aria-label={`${connection.name} is on`}
      />
    </Tooltip>
  );
}
