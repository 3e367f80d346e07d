import { Menu } from '@mantine/core';
import { IconCopy, IconHistory, IconSettings } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Connection } from '~/api/types';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { MoreMenu } from '~/components/flow/MoreMenu';
import { RunItem } from '~/components/flow/RowMenu';
import { whyNotRun } from '~/domain/connections/connection-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { MenuAction } from '~/ui/inputs/MenuAction';

const dialogs = {
  clone: lazy(async () => ({ default: (await import('~/features/connections/CloneConnectionDialog')).CloneConnectionDialog })),
  delete: lazy(async () => ({ default: (await import('~/features/connections/DeleteConnectionDialog')).DeleteConnectionDialog })),
};

export function RowMenu({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { run } = useConnectionActions(organizationId);
  const roleReason = usePermissionGate('connections.write');
  const [dialog, setDialog] = useState<keyof typeof dialogs | null>(null);
  const Dialog = dialog && dialogs[dialog];
  const { id, name } = connection;
  return (
    <>
      <MoreMenu rowName={name} deleteLabel="Delete connection" lockedReason={roleReason} onDelete={() => setDialog('delete')}>
        <RunItem
          id={id}
          name={name}
          roleReason={roleReason}
          runReason={roleReason ?? whyNotRun(connection)}
          onRun={() => run(id)}
        />
        <Menu.Item
          leftSection={<IconHistory {...icon} />}
          component={Link}
          to={paths.connection(organizationId, id, { tab: 'backfills', new: 'backfill' })}
        >
          Backfill
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSettings {...icon} />}
          component={Link}
          to={paths.connection(organizationId, id, { tab: 'settings' })}
        >
          Settings
        </Menu.Item>
        <MenuAction icon={IconCopy} isLocked={roleReason !== null} onClick={() => setDialog('clone')}>
          Clone
        </MenuAction>
      </MoreMenu>
      <Suspense>{Dialog && <Dialog connection={connection} onClose={() => setDialog(null)} />}</Suspense>
    </>
  );
}
