import { Menu } from '@mantine/core';
import { IconCopy, IconTestPipe } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Connection, RunSummary } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { whyNotRun } from '~/domain/connections/connection-state';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { MenuAction } from '~/ui/inputs/MenuAction';
import { Gated } from '~/ui/inputs/GatedButton';
import { PageHeader } from '~/ui/layout/Page';
import { providerName, RouteMarks, RouteText } from '~/components/status/ProviderMark';
import { HealthStatus, RunStatus } from '~/components/status/Status';
import { toast } from '~/components/feedback/toast';
import { LabeledSwitch } from '~/components/flow/FlowHeader';
import { MoreMenu } from '~/components/flow/MoreMenu';
import { RunButton } from '~/components/flow/RunButton';
import { ActiveSwitch } from '~/features/connections/ActiveSwitch';
import { activeRunOf } from '~/features/connections/describe-connection';
import { DeleteConnectionDialog } from '~/features/connections/DeleteConnectionDialog';
import { LoseRowsItem } from './LoseRowsItem';

const CloneConnectionDialog = lazy(async () => ({
  default: (await import('~/features/connections/CloneConnectionDialog')).CloneConnectionDialog,
}));

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

function RunConnectionButton({ connection }: { connection: Connection }) {
  const { run } = useConnectionActions(useOrganizationId());
  const isLocked = usePermissionGate('connections.write') !== null;
  const planReason = usePlanGate();
  const start = async () => notifyOfFollowUp(await run(connection.id));
  return <RunButton disabledReason={planReason ?? whyNotRun(connection)} isLocked={isLocked} onRun={start} />;
}

export function ConnectionHeader({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const disabledReason = usePermissionGate('connections.write');
  const [isDeleting, setDeleting] = useState(false);
  const [isCloning, setCloning] = useState(false);
  return (
    <>
      <PageHeader
        title={connection.name}
        parent={{ label: 'Connections', to: paths.connections(organizationId) }}
        status={<HeaderStatus connection={connection} />}
        subtitle={<Subtitle connection={connection} />}
        actions={
          <Gated disabledReason={disabledReason} align="end">
            <LabeledSwitch isActive={connection.desired === 'active'}>
              <ActiveSwitch connection={connection} />
            </LabeledSwitch>
            <RunConnectionButton connection={connection} />
            <MoreMenu deleteLabel="Delete connection" lockedReason={disabledReason} onDelete={() => setDeleting(true)}>
              <Menu.Item
                component={Link}
                to={paths.testBench(organizationId, connection.id)}
                leftSection={<IconTestPipe {...icon} />}
              >
                Test bench
              </Menu.Item>
              <MenuAction icon={IconCopy} isLocked={disabledReason !== null} onClick={() => setCloning(true)}>
                Clone
              </MenuAction>
              <LoseRowsItem connection={connection} isDisabled={disabledReason !== null} />
            </MoreMenu>
          </Gated>
        }
      />
      {isCloning && (
        <Suspense>
          <CloneConnectionDialog connection={connection} onClose={() => setCloning(false)} />
        </Suspense>
      )}
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
