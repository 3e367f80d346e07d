import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { connectionCan, healthTable } from '~/domain/connections/connection-state';
import { reconnectPage, repairPage } from '~/features/connections/repair-page';
import { sentence } from '~/lib/sentence';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Notice } from '~/ui/feedback/Notice';
import { ActionButton } from '~/components/flow/ActionButton';
import { healthIcons } from '~/components/status/Status';

function Action({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { run } = useConnectionActions(organizationId);
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const { health, failure } = connection;
  const page = health === 'needs_reauth' ? reconnectPage(organizationId, connection) : repairPage(organizationId, connection);
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
