import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { ActiveSwitch as Switch } from '~/components/flow/ActiveSwitch';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';

export function ActiveSwitch({ connection }: { connection: Connection }) {
  const { setActive } = useConnectionActions(useOrganizationId());
  const roleReason = usePermissionGate('connections.write');
  const planReason = usePlanGate();
  const { name, desired } = connection;
  // Pausing is allowed without a plan.
  const disabledReason = roleReason ?? (desired === 'paused' ? planReason : null);
  const change = (isActive: boolean) => setActive(connection, isActive);
  return <Switch name={name} isActive={desired === 'active'} disabledReason={disabledReason} onChange={change} />;
}
