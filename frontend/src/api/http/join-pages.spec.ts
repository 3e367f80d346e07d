import { expect, test } from 'vitest';
import { joinPages } from './join-pages';

interface Item {
  id: string;
  state?: string;
}

const listOf = (ids: string): Item[] => [...ids].map((id) => ({ id }));
const join = (first: string, rest: string) =>
  joinPages(listOf(first), listOf(rest), ({ id }) => id)
    .map(({ id }) => id)
    .join('');

test.each([
  ['older pages follow the first page', 'cba', 'zyx', 'cbazyx'],
  ['new items move others out of the first page, and these stay', 'edc', 'cbazyx', 'edcbazyx'],
  ['more new items than a page has leave the rest as it was', 'ihg', 'cbazyx', 'ihgcbazyx'],
  ['an item that is no longer on the first page is left out', 'cay', 'cbazyx', 'cayx'],
  ['an item that moved to the front is shown once', 'xcb', 'cbazyx', 'xcbazy'],
  ['without a first page, the rest stays', '', 'zyx', 'zyx'],
])('%s', (_, first, rest, expected) => expect(join(first, rest)).toBe(expected));

test('shows the version of the first page', () => {
  const joined = joinPages<Item>([{ id: 'a', state: 'ended' }], [{ id: 'b' }, { id: 'a', state: 'active' }], ({ id }) => id);
  expect(joined[0]).toEqual({ id: 'a', state: 'ended' });
  expect(joined.filter(({ id }) => id === 'a')).toHaveLength(1);
});
