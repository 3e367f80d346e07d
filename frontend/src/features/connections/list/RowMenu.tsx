import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconHistory, IconPlayerPlay, IconSettings, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { whyNotRun } from '~/domain/connections/connection-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { MenuReason } from '~/ui/inputs/MenuReason';
import { toast } from '~/components/feedback/toast';
import { CloneConnectionDialog } from '~/features/connections/CloneConnectionDialog';
import { DeleteConnectionDialog } from '~/features/connections/DeleteConnectionDialog';

export function RowMenu({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { run } = useConnectionActions(organizationId);
  const roleReason = usePermissionGate('connections.write');
  const [isDeleting, setDeleting] = useState(false);
  const [isCloning, setCloning] = useState(false);
  const runReason = roleReason ?? whyNotRun(connection);
  const start = () =>
    void run(connection.id)
      .then(() => toast.done(`Run of ${connection.name} started`))
      .catch(toast.failed);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`More for ${connection.name}`}>
            <IconDots {...icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlayerPlay {...icon} />} disabled={runReason !== null} onClick={start}>
            {(roleReason === null && runReason) || 'Run now'}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconHistory {...icon} />}
            component={Link}
            to={paths.connection(organizationId, connection.id, { tab: 'backfills', new: 'backfill' })}
          >
            Backfill
          </Menu.Item>
          <Menu.Item
            leftSection={<IconSettings {...icon} />}
            component={Link}
            to={paths.connection(organizationId, connection.id, { tab: 'settings' })}
          >
            Settings
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy {...icon} />} disabled={roleReason !== null} onClick={() => setCloning(true)}>
            Clone
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconTrash {...icon} />}
            color="var(--t-danger)"
            disabled={roleReason !== null}
            onClick={() => setDeleting(true)}
          >
            Delete connection
          </Menu.Item>
          <MenuReason>{roleReason}</MenuReason>
        </Menu.Dropdown>
      </Menu>
      {isCloning && <CloneConnectionDialog connection={connection} onClose={() => setCloning(false)} />}
      {isDeleting && <DeleteConnectionDialog connection={connection} onClose={() => setDeleting(false)} />}
    </>
  );
}
