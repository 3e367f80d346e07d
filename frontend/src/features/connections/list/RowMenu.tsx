import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconSettings, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { whyNotRun } from '~/domain/connections/connection-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';
import { DeleteConnectionDialog } from '~/features/connections/DeleteConnectionDialog';

export function RowMenu({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { run } = useConnectionActions(organizationId);
  const roleReason = usePermissionGate('connections.write');
  const [isDeleting, setDeleting] = useState(false);
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
            {runReason ?? 'Run now'}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconSettings {...icon} />}
            component={Link}
            to={paths.connection(organizationId, connection.id, { tab: 'settings' })}
          >
            Settings
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconTrash {...icon} />}
            color="red"
            disabled={roleReason !== null}
            onClick={() => setDeleting(true)}
          >
            Delete connection
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && <DeleteConnectionDialog connection={connection} onClose={() => setDeleting(false)} />}
    </>
  );
}
