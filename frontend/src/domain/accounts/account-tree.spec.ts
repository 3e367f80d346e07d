import { describe, expect, test } from 'vitest';
import { checkedOf, formatAccountId, groupAccounts, isPickable, moveBy, rowsOf, toggleAll, toggleOne } from './account-tree';
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

describe('what can be ticked', () => {
  test('a closed account is not ticked by its manager, and only unticked by hand', () => {
    const [, group] = groupAccounts(accounts);
    expect(toggleAll(group!.accounts, [])).toEqual(['1', '4']);
    expect(isPickable(accounts[2]!, [])).toBe(false);
    expect(isPickable(accounts[2]!, ['3'])).toBe(true);
  });

  test('a manager whose open accounts are all ticked gives them back, and keeps what others have', () => {
    const [, group] = groupAccounts(accounts);
    expect(checkedOf(group!.accounts, ['1', '4', '2'])).toBe('all');
    expect(toggleAll(group!.accounts, ['1', '4', '2'])).toEqual(['2']);
    expect(checkedOf(group!.accounts, ['1'])).toBe('some');
    expect(checkedOf(group!.accounts, ['2'])).toBe('none');
  });

  test('one account is ticked and unticked', () => {
    expect(toggleOne('1', [])).toEqual(['1']);
    expect(toggleOne('1', ['1', '2'])).toEqual(['2']);
  });
});

describe('the tree', () => {
  test('nothing found leaves no lines', () => {
    expect(rowsOf(groupAccounts(accounts, 'no such'), nothingClosed, true)).toEqual([]);
  });

  test('accounts that are reached directly come before managers', () => {
    const ids = rowsOf(groupAccounts(accounts), nothingClosed, false).map(({ id }) => id);
    expect(ids).toEqual(['manager:', '2', 'manager:m1', '1', '3', '4']);
  });

  test('without a manager there is one level', () => {
    expect(rowsOf(groupAccounts([account('1'), account('2')]), nothingClosed, false).map(({ kind }) => kind)).toEqual([
      'account',
      'account',
    ]);
  });

  test('a closed manager hides its accounts, and a search opens it', () => {
    const closed = new Set(['manager:m1']);
    expect(rowsOf(groupAccounts(accounts), closed, false)).toHaveLength(3);
    expect(rowsOf(groupAccounts(accounts, 'north'), closed, true)).toHaveLength(4);
  });

  test('an account is found by its name, its number in either form, and its manager', () => {
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

describe('keys', () => {
  const rows = rowsOf(groupAccounts(accounts), nothingClosed, false);
  test('the ends hold', () => {
    expect(moveBy('ArrowUp', rows, 0)).toBeNull();
    expect(moveBy('ArrowDown', rows, rows.length - 1)).toBeNull();
    expect(moveBy('a', rows, 0)).toBeNull();
  });

  test('left leads from an account to its manager, and closes the manager', () => {
    expect(moveBy('ArrowLeft', rows, 5)).toEqual({ kind: 'focus', index: 2 });
    expect(moveBy('ArrowLeft', rows, 2)).toEqual({ kind: 'close', id: 'manager:m1' });
  });

  test('right opens a closed manager, and then leads into it', () => {
    const closed = rowsOf(groupAccounts(accounts), new Set(['manager:m1']), false);
    expect(moveBy('ArrowRight', closed, 2)).toEqual({ kind: 'open', id: 'manager:m1' });
    expect(moveBy('ArrowRight', rows, 2)).toEqual({ kind: 'focus', index: 3 });
    expect(moveBy('ArrowRight', rows, 3)).toBeNull();
  });

  test('home and end lead to the first and the last line', () => {
    expect(moveBy('Home', rows, 4)).toEqual({ kind: 'focus', index: 0 });
    expect(moveBy('End', rows, 0)).toEqual({ kind: 'focus', index: 5 });
  });
});
