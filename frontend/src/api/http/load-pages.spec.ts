import { beforeEach, describe, expect, test } from 'vitest';
import { hasGap, loadPages } from './load-pages';
import type { Page } from './load-pages';

const pageOf = (ids: string, nextCursor: string | null = null): Page<string> => ({ items: [...ids], nextCursor });
const first = pageOf('cba', 'after a');
const rest: Record<string, Page<string>> = { 'after a': pageOf('zyx', 'after x'), 'after x': pageOf('wv') };

let requests: string[];
const load = (cursor: string) => {
  requests.push(cursor);
  return Promise.resolve(rest[cursor]!);
};
beforeEach(() => {
  requests = [];
});

describe('the pages after the first one', () => {
  test('are loaded one after the other, until there are no more', async () => {
    const { items, nextCursor } = await loadPages(first, 5, null, load);
    expect([items.join(''), nextCursor, requests]).toEqual(['cbazyxwv', null, ['after a', 'after x']]);
  });

  test('continue those that are loaded', async () => {
    const one = await loadPages(first, 1, null, load);
    const two = await loadPages(pageOf('dcb', 'after b'), 2, one, load);
    expect(two.items.join('')).toBe('cbazyxwv');
    expect(two.first).toBe(first);
    expect(requests).toEqual(['after a', 'after x']);
  });

  test('are all loaded again, after the present first page, when as many are requested as are loaded', async () => {
    const one = await loadPages(first, 1, null, load);
    const again = await loadPages(pageOf('ihg', 'after a'), 1, one, load);
    expect(again.items.join('')).toBe('ihgzyx');
    expect(requests).toEqual(['after a', 'after a']);
  });
});

test.each([
  ['more new items than a page has', pageOf('ihg', 'after g'), true],
  ['more new items than a page has, below an item that stays first', pageOf('cih', 'after h'), true],
  ['some new items', pageOf('edc', 'after c'), false],
  ['a first page with a deleted item in the known ones', pageOf('cbz', 'after z'), false],
  ['a first page that is the whole list', pageOf('ihg'), false],
])('finds missing items only after more new ones than a page has: %s', (_, page, isMissing) =>
  expect(hasGap(page, [...'cbazyx'], (id) => id)).toBe(isMissing),
);
