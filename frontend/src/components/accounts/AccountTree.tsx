import { Checkbox, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { checkedOf, groupAccounts, isSelectable, moveForKey, rowsOf, toggleAll, toggleOne } from '~/domain/accounts/account-tree';
import type { TreeAccount, TreeRow } from '~/domain/accounts/account-tree';
import styles from './AccountTree.module.css';
import { AccountTreeLine } from './AccountTreeLine';
import { icon } from '~/ui/icon';

interface AccountTreeProps {
  accounts: TreeAccount[];
  chosen: string[];
  onChange: (accountIds: string[]) => void;
  /** The platform of the accounts: `Google`. */
  platform: string;
  isLocked?: boolean;
  /** Additional notes by account id. */
  notes?: ReadonlyMap<string, string>;
}

/** A list with at least this many accounts has a search field. */
const MIN_FOR_SEARCH = 8;

/** The focus and the keyboard control of the visible rows. */
function useTree(rows: TreeRow[], onToggle: (row: TreeRow) => void, onOpen: (id: string, isOpen: boolean) => void) {
  const [current, setCurrent] = useState(0);
  const lines = useRef<(HTMLLIElement | null)[]>([]);
  const press = (event: KeyboardEvent, row: TreeRow, index: number) => {
    const isToggle = event.key === ' ' || event.key === 'Enter';
    const move = isToggle ? null : moveForKey(event.key, rows, index);
    if (!isToggle && move === null) return;
    event.preventDefault();
    if (isToggle) onToggle(row);
    else if (move?.kind === 'focus') lines.current[move.index]?.focus();
    else if (move) onOpen(move.id, move.kind === 'open');
  };
  return (row: TreeRow, index: number): React.ComponentPropsWithRef<'li'> => ({
    ref: (line) => {
      lines.current[index] = line;
    },
    tabIndex: index === Math.min(current, rows.length - 1) ? 0 : -1,
    onFocus: () => setCurrent(index),
    onKeyDown: (event) => press(event, row, index),
    onClick: () => onToggle(row),
  });
}

/** A tree of accounts below their managers with multiple selection. Arrow keys move, Space selects. */
export function AccountTree({ accounts, chosen, onChange, platform, isLocked = false, notes }: AccountTreeProps) {
  const [search, setSearch] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const groups = groupAccounts(accounts, search);
  const shown = groups.flatMap((group) => group.accounts);
  const rows = rowsOf(groups, closed, search.trim() !== '');
  const isDeep = rows.some(({ kind }) => kind === 'manager');
  const toggle = (row: TreeRow) => {
    if (isLocked) return;
    if (row.kind === 'manager') onChange(toggleAll(row.group.accounts, chosen));
    else if (isSelectable(row.account, chosen)) onChange(toggleOne(row.id, chosen));
  };
  const open = (id: string, isOpen: boolean) =>
    setClosed((before) => new Set(isOpen ? [...before].filter((one) => one !== id) : [...before, id]));
  const itemOf = useTree(rows, toggle, open);
  const checked = checkedOf(shown, chosen);
  return (
    <div>
      {accounts.length >= MIN_FOR_SEARCH && (
        <TextInput
          aria-label="Search accounts"
          placeholder="Search by name, ID or manager"
          leftSection={<IconSearch {...icon} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          mb={8}
        />
      )}
      <div className={styles.head}>
        <Checkbox
          label={search.trim() === '' ? 'All accounts' : 'All results'}
          checked={checked === 'all'}
          indeterminate={checked === 'some'}
          onChange={() => onChange(toggleAll(shown, chosen))}
          disabled={isLocked}
        />
        <span className="label" role="status">
          {chosen.length} of {accounts.length} selected
        </span>
      </div>
      {rows.length > 0 && (
        <ul role="tree" aria-label="Accounts" aria-multiselectable>
          {rows.map((row, index) => (
            <AccountTreeLine
              key={row.id}
              row={row}
              item={itemOf(row, index)}
              onOpen={open}
              note={notes?.get(row.id)}
              {...{ chosen, platform, isLocked, isDeep }}
            />
          ))}
        </ul>
      )}
      {rows.length === 0 && <p className={styles.none}>No results for “{search}”</p>}
    </div>
  );
}
