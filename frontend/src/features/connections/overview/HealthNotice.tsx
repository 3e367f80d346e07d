import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Connection, Failure } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { connectionCan, healthTable } from '~/domain/connections/connection-state';
import { sentence } from '~/lib/sentence';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Notice } from '~/ui/feedback/Notice';
import { ActionButton } from '~/components/flow/ActionButton';
import { providerName } from '~/components/status/ProviderMark';
import { healthIcons } from '~/components/status/Status';

/** The destination page offers both new credentials and a new sign-in. */
function reconnectPage(organizationId: string, { source, destination, endedAccess, failure }: Connection) {
  if (endedAccess === 'destination')
    return { label: failure?.action ?? 'Open destination', to: paths.destination(organizationId, destination.id) };
  return { label: `Reconnect with ${providerName(source.provider)}`, to: paths.app(organizationId, source.appId) };
}

/** Page on which a failure of this class is fixed. Null if a new run fixes it. */
function repairPage(organizationId: string, { source, destination }: Connection, failure: Failure | null) {
  if (failure?.class === 'auth' || failure?.class === 'permission')
    return { label: `Reconnect with ${providerName(source.provider)}`, to: paths.app(organizationId, source.appId) };
  // Lost rows are read and written again by the next run: nothing has to be changed at the destination.
  if (failure?.class === 'destination' && failure.code !== 'sync.mismatch')
    return { label: 'Check destination', to: paths.destination(organizationId, destination.id) };
  if (failure?.class === 'config') return { label: 'Open source', to: paths.source(organizationId, source.id, source.provider) };
  return null;
}

function Action({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { run } = useConnectionActions(organizationId);
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const { health, failure } = connection;
  const page =
    health === 'needs_reauth' ? reconnectPage(organizationId, connection) : repairPage(organizationId, connection, failure);
  if (page)
    return (
      <Button component={Link} to={page.to}>
        {page.label}
      </Button>
    );
  if (!connectionCan.run(connection)) return null;
  // The proof below offers to repair exactly the lost rows.
  const variant = failure?.code === 'sync.mismatch' ? 'default' : 'filled';
  return (
    <ActionButton variant={variant} disabledReason={roleReason ?? planReason} onAct={() => run(connection.id)}>
      Run again
    </ActionButton>
  );
}

/** Shows the problem, its cause and one action. Renders nothing for a healthy connection. */
export function HealthNotice({ connection }: { connection: Connection }) {
  const { health, healthReason, failure } = connection;
  const { tone } = healthTable[health];
  if (tone !== 'danger' && tone !== 'warn') return null;
  return (
    <div style={{ marginBottom: 20 }}>
      <Notice tone={tone} icon={healthIcons[health]} title={healthReason} actions={<Action connection={connection} />}>
        {failure && (
          <>
            {failure.message !== healthReason && sentence(failure.message)} {sentence(failure.action)}
            {failure.providerRequestId && (
              <>
                {' '}
                Request <code>{failure.providerRequestId}</code>
              </>
            )}
          </>
        )}
      </Notice>
    </div>
  );
}
