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

/** The accounts of one manager; those reached directly have none and come first. */
export interface AccountGroup {
  managerId: string | null;
  name: string;
  accounts: TreeAccount[];
}

/** One line of the tree as it is drawn: a manager, or an account below it. */
export type TreeRow =
  { kind: 'manager'; id: string; group: AccountGroup; isOpen: boolean } | { kind: 'account'; id: string; account: TreeAccount };

/** `413-882-0144`, as Google shows it; other platforms' ids as they are. */
export const formatAccountId = (externalId: string): string =>
  /^\d{10}$/.test(externalId) ? externalId.replace(/(\d{3})(\d{3})(\d{4})/, '$1-$2-$3') : externalId;

const matches = ({ name, externalId, managerName, managerId }: TreeAccount, wanted: string): boolean =>
  [name, externalId, formatAccountId(externalId), managerName, managerId].join(' ').toLowerCase().includes(wanted);

/** Accounts by manager, in the order they came; a manager is found by its own name too. */
export function groupAccounts(accounts: TreeAccount[], search = ''): AccountGroup[] {
  const wanted = search.trim().toLowerCase();
  const groups = new Map<string | null, AccountGroup>();
  for (const account of accounts) {
    if (wanted !== '' && !matches(account, wanted)) continue;
    const { managerId, managerName } = account;
    const group = groups.get(managerId) ?? { managerId, name: managerName ?? managerId ?? 'Direct access', accounts: [] };
    group.accounts.push(account);
    groups.set(managerId, group);
  }
  return [...groups.values()].toSorted((one, other) => Number(one.managerId !== null) - Number(other.managerId !== null));
}

const DIRECT = 'manager:';
export const groupId = ({ managerId }: AccountGroup): string => `${DIRECT}${managerId ?? ''}`;

/** The lines that are on the page. Without any manager there is no level of them; a search opens what it has found. */
export function rowsOf(groups: AccountGroup[], closed: ReadonlySet<string>, isSearching: boolean): TreeRow[] {
  const isFlat = groups.every(({ managerId }) => managerId === null);
  return groups.flatMap((group) => {
    const rows = group.accounts.map((account): TreeRow => ({ kind: 'account', id: account.externalId, account }));
    if (isFlat) return rows;
    const isOpen = isSearching || !closed.has(groupId(group));
    return [{ kind: 'manager', id: groupId(group), group, isOpen }, ...(isOpen ? rows : [])];
  });
}

/** Only accounts that are open, or were chosen before they closed, can be ticked. */
export const isPickable = ({ status, externalId }: TreeAccount, chosen: readonly string[]): boolean =>
  status === 'enabled' || chosen.includes(externalId);

const openIds = (accounts: TreeAccount[]): string[] =>
  accounts.filter(({ status }) => status === 'enabled').map(({ externalId }) => externalId);

export type Checked = 'all' | 'some' | 'none';

export function checkedOf(accounts: TreeAccount[], chosen: readonly string[]): Checked {
  const open = openIds(accounts);
  if (open.length > 0 && open.every((id) => chosen.includes(id))) return 'all';
  return accounts.some(({ externalId }) => chosen.includes(externalId)) ? 'some' : 'none';
}

/** Ticks all that are open among these; when they are ticked already, unticks them. */
export function toggleAll(accounts: TreeAccount[], chosen: readonly string[]): string[] {
  const open = openIds(accounts);
  if (checkedOf(accounts, chosen) === 'all') return chosen.filter((id) => !open.includes(id));
  return [...new Set([...chosen, ...open])];
}

export const toggleOne = (id: string, chosen: readonly string[]): string[] =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];

/** Where a key leads from a line: another line, an opened or closed manager, or nowhere. */
export type KeyMove = { kind: 'focus'; index: number } | { kind: 'open' | 'close'; id: string } | null;

export function moveBy(key: string, rows: TreeRow[], index: number): KeyMove {
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
