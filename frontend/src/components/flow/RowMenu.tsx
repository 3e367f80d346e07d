import { Menu } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconSettings } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { toast } from '~/components/feedback/toast';
import { icon } from '~/ui/icon';
import { MenuAction } from '~/ui/inputs/MenuAction';
import { MoreMenu } from './MoreMenu';

interface RunItemProps {
  id: string;
  name: string;
  roleReason: string | null;
  /** Why it cannot run; includes `roleReason`. */
  runReason: string | null;
  onRun: () => Promise<unknown>;
}

/** Starts a run. The item shows why it cannot, unless the role is the reason, which the last line of the menu shows. */
export const RunItem = ({ id, name, roleReason, runReason, onRun }: RunItemProps) => (
  <MenuAction
    icon={IconPlayerPlay}
    isLocked={runReason !== null}
    onClick={() =>
      void onRun()
        .then(() => toast.state(`Run of ${name} started`, id))
        .catch(toast.failed)
    }
  >
    {(roleReason === null && runReason) || 'Run now'}
  </MenuAction>
);

interface RowMenuProps extends RunItemProps {
  /** `payment` */
  kind: string;
  isActive: boolean;
  switchReason: string | null;
  onSwitch: (isActive: boolean) => Promise<unknown>;
  editPath: string;
  onDelete: () => void;
}

/** The menu of a conversion or a payment in its list. */
export const RowMenu = ({ kind, isActive, switchReason, onSwitch, editPath, onDelete, ...run }: RowMenuProps) => (
  <MoreMenu rowName={run.name} deleteLabel={`Delete ${kind}`} lockedReason={run.roleReason} onDelete={onDelete}>
    <RunItem {...run} />
    <MenuAction
      icon={isActive ? IconPlayerPause : IconPlayerPlay}
      isLocked={switchReason !== null}
      onClick={() => void onSwitch(!isActive).catch(toast.failed)}
    >
      {isActive ? 'Pause' : 'Resume'}
    </MenuAction>
    <Menu.Item leftSection={<IconSettings {...icon} />} component={Link} to={editPath}>
      Edit
    </Menu.Item>
  </MoreMenu>
);
