export interface TreeAccount {
  externalId: string;
  name: string;
  currency: string;
  timeZone: string;
  managerId: string | null;
  managerName: string | null;
  status: 'enabled' | 'disabled' | 'closed';
  /** Why it cannot be read although it is listed. */
  problem?: string;
}

/** The accounts of one manager. Accounts with direct access have no manager and come first. */
export interface AccountGroup {
  managerId: string | null;
  name: string;
  accounts: TreeAccount[];
}

/** A visible row of the tree: a manager or an account. */
export type TreeRow =
  | { kind: 'manager'; id: string; group: AccountGroup; isOpen: boolean }
  | { kind: 'account'; id: string; account: TreeAccount };

/** Google's format, `413-882-0144`. IDs of other platforms are unchanged. */
export const formatAccountId = (externalId: string): string =>
  /^\d{10}$/.test(externalId) ? externalId.replace(/(\d{3})(\d{3})(\d{4})/, '$1-$2-$3') : externalId;

const matches = ({ name, externalId, managerName, managerId }: TreeAccount, query: string): boolean =>
  [name, externalId, formatAccountId(externalId), managerName, managerId].join(' ').toLowerCase().includes(query);

/** Groups accounts by manager, in their original order. The search also matches managers. */
export function groupAccounts(accounts: TreeAccount[], search = ''): AccountGroup[] {
  const query = search.trim().toLowerCase();
  const groups = new Map<string | null, AccountGroup>();
  for (const account of accounts) {
    if (query !== '' && !matches(account, query)) continue;
    const { managerId, managerName } = account;
    const group = groups.get(managerId) ?? { managerId, name: managerName ?? managerId ?? 'Direct access', accounts: [] };
    group.accounts.push(account);
    groups.set(managerId, group);
  }
  return [...groups.values()].toSorted((one, other) => Number(one.managerId !== null) - Number(other.managerId !== null));
}

const DIRECT = 'manager:';
export const groupId = ({ managerId }: AccountGroup): string => `${DIRECT}${managerId ?? ''}`;

/** The visible rows. Without managers there is one level. A search expands all groups. */
export function rowsOf(groups: AccountGroup[], closed: ReadonlySet<string>, isSearching: boolean): TreeRow[] {
  const isFlat = groups.every(({ managerId }) => managerId === null);
  return groups.flatMap((group) => {
    const rows = group.accounts.map((account): TreeRow => ({ kind: 'account', id: account.externalId, account }));
    if (isFlat) return rows;
    const isOpen = isSearching || !closed.has(groupId(group));
    return [{ kind: 'manager', id: groupId(group), group, isOpen }, ...(isOpen ? rows : [])];
  });
}

/** Only enabled accounts can be selected. An account that was disabled after its selection can be deselected. */
export const isSelectable = ({ status, externalId }: TreeAccount, chosen: readonly string[]): boolean =>
  status === 'enabled' || chosen.includes(externalId);

const openIds = (accounts: TreeAccount[]): string[] =>
  accounts.filter(({ status }) => status === 'enabled').map(({ externalId }) => externalId);

export type Checked = 'all' | 'some' | 'none';

export function checkedOf(accounts: TreeAccount[], chosen: readonly string[]): Checked {
  const open = openIds(accounts);
  if (open.length > 0 && open.every((id) => chosen.includes(id))) return 'all';
  return accounts.some(({ externalId }) => chosen.includes(externalId)) ? 'some' : 'none';
}

/** Selects all enabled accounts of the group, or deselects them when all are selected. */
export function toggleAll(accounts: TreeAccount[], chosen: readonly string[]): string[] {
  const open = openIds(accounts);
  if (checkedOf(accounts, chosen) === 'all') return chosen.filter((id) => !open.includes(id));
  return [...new Set([...chosen, ...open])];
}

export const toggleOne = (id: string, chosen: readonly string[]): string[] =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];

/** The effect of a key: focus another row, expand or collapse a manager, or nothing. */
export type KeyMove = { kind: 'focus'; index: number } | { kind: 'open' | 'close'; id: string } | null;

export function moveForKey(key: string, rows: TreeRow[], index: number): KeyMove {
  const row = rows[index];
  const to = (target: number): KeyMove => (target >= 0 && target < rows.length ? { kind: 'focus', index: target } : null);
  if (key === 'ArrowDown') return to(index + 1);
  if (key === 'ArrowUp') return to(index - 1);
  if (key === 'Home') return to(0);
  if (key === 'End') return to(rows.length - 1);
  if (key === 'ArrowRight' && row?.kind === 'manager') return row.isOpen ? to(index + 1) : { kind: 'open', id: row.id };
  if (key === 'ArrowLeft' && row?.kind === 'manager' && row.isOpen) return { kind: 'close', id: row.id };
  if (key === 'ArrowLeft' && row?.kind === 'account')
    return to(rows.findLastIndex((one, at) => at < index && one.kind === 'manager'));
  return null;
}
