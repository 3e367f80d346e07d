import { IconCheck, IconChevronRight, IconMinus } from '@tabler/icons-react';
import { hasCurrency } from '~/domain/billing/money';
import { checkedOf, formatAccountId, isSelectable } from '~/domain/accounts/account-tree';
import type { Checked, TreeAccount, TreeRow } from '~/domain/accounts/account-tree';
import styles from './AccountTree.module.css';

const ariaChecked = { all: true, some: 'mixed', none: false } as const;

const Box = ({ checked, isClosed }: { checked: Checked; isClosed: boolean }) => (
  <span className={styles.box} data-checked={checked} data-closed={isClosed || undefined} aria-hidden>
    {checked === 'all' && <IconCheck size={12} stroke={3} />}
    {checked === 'some' && <IconMinus size={12} stroke={3} />}
  </span>
);

/** Expands a manager with the pointer. The keyboard uses the arrow keys. */
const ExpandIcon = ({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) => (
  <span
    className={styles.twist}
    data-open={isOpen || undefined}
    aria-hidden
    onClick={(event) => {
      event.stopPropagation();
      onClick();
    }}
  >
    <IconChevronRight size={14} stroke={1.75} />
  </span>
);

function statusWords(account: TreeAccount, platform: string): string {
  if (account.problem) return `Can’t be used. ${account.problem}`;
  if (account.status === 'enabled')
    return hasCurrency(account.currency) ? `${account.currency}, ${account.timeZone}` : account.timeZone;
  return `${account.status === 'closed' ? 'Closed' : 'Disabled'} at ${platform}`;
}

function AccountWords({ account, platform, note }: { account: TreeAccount; platform: string; note?: string }) {
  return (
    <>
      <span className={styles.label}>
        <span>{account.name}</span>
        <span className="mono quiet">{formatAccountId(account.externalId)}</span>
      </span>
      <span className={styles.facts}>
        {note && <span className={styles.note}>{note}</span>}
        {statusWords(account, platform)}
      </span>
    </>
  );
}

function ManagerWords({ row, chosen }: { row: Extract<TreeRow, { kind: 'manager' }>; chosen: string[] }) {
  const { accounts, managerId, name } = row.group;
  const count = accounts.filter(({ externalId }) => chosen.includes(externalId)).length;
  return (
    <>
      <span className={styles.label}>
        <span className="strong">{name}</span>
        {managerId && managerId !== name && <span className="mono quiet">{formatAccountId(managerId)}</span>}
      </span>
      <span className={styles.facts}>
        {count} of {accounts.length}
      </span>
    </>
  );
}

interface AccountTreeLineProps {
  row: TreeRow;
  chosen: string[];
  platform: string;
  isLocked: boolean;
  /** Whether there are managers above accounts. */
  isDeep: boolean;
  note?: string;
  /** Props of the tree: focus, keyboard and selection. */
  item: React.ComponentPropsWithRef<'li'>;
  onOpen: (id: string, isOpen: boolean) => void;
}

/** One row of the tree: a checkbox, a label, and for a manager the expand icon. */
export function AccountTreeLine({ row, chosen, platform, isLocked, isDeep, note, item, onOpen }: AccountTreeLineProps) {
  const isManager = row.kind === 'manager';
  const isClosed = isLocked || (!isManager && !isSelectable(row.account, chosen));
  const checked = isManager ? checkedOf(row.group.accounts, chosen) : chosen.includes(row.id) ? 'all' : 'none';
  const isBelow = isDeep && !isManager;
  return (
    <li
      {...item}
      role="treeitem"
      aria-level={isBelow ? 2 : 1}
      aria-checked={ariaChecked[checked]}
      aria-expanded={isManager ? row.isOpen : undefined}
      aria-disabled={isClosed || undefined}
      className={styles.row}
      data-deep={isBelow || undefined}
    >
      {isManager && <ExpandIcon isOpen={row.isOpen} onClick={() => onOpen(row.id, !row.isOpen)} />}
      <Box checked={checked} isClosed={isClosed} />
      {isManager ? (
        <ManagerWords row={row} chosen={chosen} />
      ) : (
        <AccountWords account={row.account} platform={platform} note={note} />
      )}
    </li>
  );
}
