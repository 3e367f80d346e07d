import { describe, expect, test } from 'vitest';
import {
  checkedOf,
  formatAccountId,
  groupAccounts,
  isSelectable,
  moveForKey,
  rowsOf,
  toggleAll,
  toggleOne,
} from './account-tree';
import type { TreeAccount } from './account-tree';

const account = (externalId: string, given: Partial<TreeAccount> = {}): TreeAccount => ({
  externalId,
  name: `Account ${externalId}`,
  currency: 'EUR',
  timeZone: 'Europe/Paris',
  managerId: null,
  managerName: null,
  status: 'enabled',
  ...given,
});
const north = { managerId: 'm1', managerName: 'North' };
const accounts = [account('1', north), account('2'), account('3', { ...north, status: 'closed' }), account('4', north)];
const nothingClosed: ReadonlySet<string> = new Set();

describe('selection', () => {
  test('does not select a closed account with its manager, and allows deselecting it', () => {
    const [, group] = groupAccounts(accounts);
    expect(toggleAll(group!.accounts, [])).toEqual(['1', '4']);
    expect(isSelectable(accounts[2]!, [])).toBe(false);
    expect(isSelectable(accounts[2]!, ['3'])).toBe(true);
  });

  test('deselects the accounts of a fully selected manager and keeps other selections', () => {
    const [, group] = groupAccounts(accounts);
    expect(checkedOf(group!.accounts, ['1', '4', '2'])).toBe('all');
    expect(toggleAll(group!.accounts, ['1', '4', '2'])).toEqual(['2']);
    expect(checkedOf(group!.accounts, ['1'])).toBe('some');
    expect(checkedOf(group!.accounts, ['2'])).toBe('none');
  });

  test('selects and deselects one account', () => {
    expect(toggleOne('1', [])).toEqual(['1']);
    expect(toggleOne('1', ['1', '2'])).toEqual(['2']);
  });
});

describe('the tree', () => {
  test('returns no rows when the search finds nothing', () => {
    expect(rowsOf(groupAccounts(accounts, 'no such'), nothingClosed, true)).toEqual([]);
  });

  test('lists accounts with direct access before managers', () => {
    const ids = rowsOf(groupAccounts(accounts), nothingClosed, false).map(({ id }) => id);
    expect(ids).toEqual(['manager:', '2', 'manager:m1', '1', '3', '4']);
  });

  test('shows one level without managers', () => {
    expect(rowsOf(groupAccounts([account('1'), account('2')]), nothingClosed, false).map(({ kind }) => kind)).toEqual([
      'account',
      'account',
    ]);
  });

  test('hides the accounts of a collapsed manager, and expands it for a search', () => {
    const closed = new Set(['manager:m1']);
    expect(rowsOf(groupAccounts(accounts), closed, false)).toHaveLength(3);
    expect(rowsOf(groupAccounts(accounts, 'north'), closed, true)).toHaveLength(4);
  });

  test('finds an account by name, by ID in both formats, and by manager', () => {
    const google = [account('4138820144'), account('2', { name: 'Shop' })];
    for (const [search, found] of [
      ['413-882', 1],
      ['4138820', 1],
      ['SHOP', 1],
      ['', 2],
    ] as const)
      expect(groupAccounts(google, search)[0]?.accounts.length, search).toBe(found);
    expect(formatAccountId('act_123')).toBe('act_123');
  });
});

describe('keyboard', () => {
  const rows = rowsOf(groupAccounts(accounts), nothingClosed, false);
  test('does not move beyond the first and the last row', () => {
    expect(moveForKey('ArrowUp', rows, 0)).toBeNull();
    expect(moveForKey('ArrowDown', rows, rows.length - 1)).toBeNull();
    expect(moveForKey('a', rows, 0)).toBeNull();
  });

  test('moves left from an account to its manager, then collapses the manager', () => {
    expect(moveForKey('ArrowLeft', rows, 5)).toEqual({ kind: 'focus', index: 2 });
    expect(moveForKey('ArrowLeft', rows, 2)).toEqual({ kind: 'close', id: 'manager:m1' });
  });

  test('expands a collapsed manager, then moves to its first account', () => {
    const closed = rowsOf(groupAccounts(accounts), new Set(['manager:m1']), false);
    expect(moveForKey('ArrowRight', closed, 2)).toEqual({ kind: 'open', id: 'manager:m1' });
    expect(moveForKey('ArrowRight', rows, 2)).toEqual({ kind: 'focus', index: 3 });
    expect(moveForKey('ArrowRight', rows, 3)).toBeNull();
  });

  test('moves to the first and the last row', () => {
    expect(moveForKey('Home', rows, 4)).toEqual({ kind: 'focus', index: 0 });
    expect(moveForKey('End', rows, 0)).toEqual({ kind: 'focus', index: 5 });
  });
});
