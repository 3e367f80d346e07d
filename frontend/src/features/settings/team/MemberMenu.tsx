import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsExchange, IconDots, IconLogout, IconUserMinus } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useState } from 'react';
import type { Member } from '~/api/types';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { MenuAction } from '~/ui/inputs/MenuAction';
import { LeaveDialog } from '~/features/settings/danger/LeaveDialog';
import { whyNotLeave, whyNotRemove, whyNotTransfer } from './member-rules';
import type { TeamFacts } from './member-rules';
import { RemoveDialog } from './RemoveDialog';
import styles from './Team.module.css';
import { TransferDialog } from './TransferDialog';
import { nameOf } from './use-team-actions';

interface ItemProps {
  icon: Icon;
  label: string;
  disabledReason: string | null;
  onClick: () => void;
}

const Item = ({ icon, label, disabledReason, onClick }: ItemProps) => (
  <MenuAction icon={icon} isLocked={disabledReason !== null} onClick={onClick}>
    {label}
    {disabledReason && <span className={styles.menuReason}>{disabledReason}</span>}
  </MenuAction>
);

type Dialog = 'remove' | 'leave' | 'transfer';

export function MemberMenu({ member, facts }: { member: Member; facts: TeamFacts }) {
  const transferClosed = usePermissionGate('organization.transfer');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Menu position="bottom-end" width={248}>
        <Menu.Target>
          <ActionIcon size={28} aria-label={`Actions for ${nameOf(member)}`}>
            <IconDots {...icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {member.isYou ? (
            <Item
              icon={IconLogout}
              label="Leave organization"
              disabledReason={whyNotLeave(member, facts)}
              onClick={() => setDialog('leave')}
            />
          ) : (
            <>
              <Item
                icon={IconArrowsExchange}
                label="Transfer ownership"
                disabledReason={whyNotTransfer(member, transferClosed)}
                onClick={() => setDialog('transfer')}
              />
              <Item
                icon={IconUserMinus}
                label="Remove member"
                disabledReason={whyNotRemove(member, facts)}
                onClick={() => setDialog('remove')}
              />
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'remove' && <RemoveDialog member={member} onClose={close} />}
      {dialog === 'transfer' && <TransferDialog member={member} onClose={close} />}
      {dialog === 'leave' && <LeaveDialog onClose={close} />}
    </>
  );
}
