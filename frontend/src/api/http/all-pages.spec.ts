import { expect, test } from 'vitest';
import { allPages } from './all-pages';

test('loads the pages of a list until the last one, in order', async () => {
  const pages: Record<string, { items: number[]; nextCursor: string | null }> = {
    start: { items: [1, 2], nextCursor: 'b' },
    b: { items: [3], nextCursor: 'c' },
    c: { items: [4], nextCursor: null },
  };
  expect(await allPages(async (cursor = 'start') => pages[cursor]!)).toEqual({ items: [1, 2, 3, 4], nextCursor: null });
});
