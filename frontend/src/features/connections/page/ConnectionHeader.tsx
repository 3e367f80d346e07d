import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconTestPipe, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Connection, RunSummary } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { whyNotRun } from '~/domain/connections/connection-state';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { Gated } from '~/ui/inputs/GatedButton';
import { MenuReason } from '~/ui/inputs/MenuReason';
import { PageHeader } from '~/ui/layout/Page';
import { providerName, RouteMarks, RouteText } from '~/components/status/ProviderMark';
import { HealthStatus, RunStatus } from '~/components/status/Status';
import { toast } from '~/components/feedback/toast';
import { ActiveSwitch } from '~/features/connections/ActiveSwitch';
import { activeRunOf } from '~/features/connections/describe-connection';
import { DeleteConnectionDialog } from '~/features/connections/DeleteConnectionDialog';
import { LoseRowsItem } from './LoseRowsItem';

function Subtitle({ connection: { source, destination } }: { connection: Connection }) {
  return (
    <>
      <RouteMarks from={source.provider} to={destination.provider} />
      <RouteText
        from={`${providerName(source.provider)}, ${plural(source.accounts.length, 'account')}`}
        to={
          <>
            {providerName(destination.provider)} <code>{destination.target}</code>
          </>
        }
      />
    </>
  );
}

const notifyOfFollowUp = ({ hasFollowUp }: RunSummary): void => {
  if (hasFollowUp) toast.done('A manual run starts after the active run.');
};

function HeaderStatus({ connection }: { connection: Connection }) {
  const run = activeRunOf(connection);
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 12 }}>
      <HealthStatus health={connection.health} />
      {run?.isStuck && <RunStatus state={run.state} isStuck />}
    </span>
  );
}

function RunButton({ connection }: { connection: Connection }) {
  const actions = useConnectionActions(useOrganizationId());
  const { run, isBusy } = useAction({ onError: toast.failed });
  const roleReason = usePermissionGate('connections.write');
  const planReason = usePlanGate();
  const reason = planReason ?? whyNotRun(connection);
  const start = async () => notifyOfFollowUp(await actions.run(connection.id));
  return (
    <Tooltip label={reason} disabled={reason === null || roleReason !== null}>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay {...icon} />}
        disabled={reason !== null || roleReason !== null}
        loading={isBusy}
        onClick={() => void run(start)}
      >
        Run now
      </Button>
    </Tooltip>
  );
}

export function ConnectionHeader({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const disabledReason = usePermissionGate('connections.write');
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <PageHeader
        title={connection.name}
        parent={{ label: 'Connections', to: paths.connections(organizationId) }}
        status={<HeaderStatus connection={connection} />}
        subtitle={<Subtitle connection={connection} />}
        actions={
          <Gated disabledReason={disabledReason} align="end">
            <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
              {connection.desired === 'active' ? 'Enabled' : 'Paused'}
              <ActiveSwitch connection={connection} />
            </span>
            <RunButton connection={connection} />
            <Menu>
              <Menu.Target>
                <ActionIcon variant="default" size={32} aria-label="More">
                  <IconDots {...icon} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  component={Link}
                  to={paths.testBench(organizationId, connection.id)}
                  leftSection={<IconTestPipe {...icon} />}
                >
                  Test bench
                </Menu.Item>
                <LoseRowsItem connection={connection} isDisabled={disabledReason !== null} />
                <Menu.Item
                  leftSection={<IconTrash {...icon} />}
                  color="var(--t-danger)"
                  disabled={disabledReason !== null}
                  onClick={() => setDeleting(true)}
                >
                  Delete connection
                </Menu.Item>
                <MenuReason>{disabledReason}</MenuReason>
              </Menu.Dropdown>
            </Menu>
          </Gated>
        }
      />
      {isDeleting && (
        <DeleteConnectionDialog
          connection={connection}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(paths.connections(organizationId))}
        />
      )}
    </>
  );
}
