import { expect, test } from 'vitest';
import { accountNames } from './account-names';

const accounts = (...names: string[]) => names.map((name) => ({ name }));

test('names the accounts', () => {
  expect(accountNames(accounts('North'))).toBe('North');
  expect(accountNames(accounts('North', 'South', 'East', 'West'))).toBe('North, South, East, West');
});

test('names only the first accounts of many', () => {
  expect(accountNames(accounts('North', 'South', 'East', 'West', 'Center', 'Coast'))).toBe('North, South, East, West and 2 more');
});
