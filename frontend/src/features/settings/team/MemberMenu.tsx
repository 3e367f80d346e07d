import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsExchange, IconDots, IconLogout, IconUserMinus } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useState } from 'react';
import type { Member } from '~/api/types';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { LeaveDialog } from '~/features/settings/danger/LeaveDialog';
import { whyNotLeave, whyNotRemove } from './member-rules';
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

const Item = ({ icon: ItemIcon, label, disabledReason, onClick }: ItemProps) => (
  <Menu.Item
    leftSection={<ItemIcon {...icon} />}
    // Not `disabled`: a menu of which no item can have the focus could not be closed by Esc, and its reasons not be read.
    data-disabled={disabledReason !== null || undefined}
    aria-disabled={disabledReason !== null || undefined}
    onClick={disabledReason === null ? onClick : undefined}
  >
    {label}
    {disabledReason && <span className={styles.menuReason}>{disabledReason}</span>}
  </Menu.Item>
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
                disabledReason={transferClosed}
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
