import { expect, test } from 'vitest';
import { findItems, withRecents } from './find-items';
import type { PaletteItem } from './find-items';

const item = (id: string, group: PaletteItem['group'], label: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  id,
  group,
  label,
  ...more,
});

const items = [
  item('1', 'Connections', 'Meta Ads Europe'),
  item('2', 'Connections', 'Search DE', { keywords: 'Google Ads PostgreSQL' }),
  item('run:1', 'Actions', 'Run Meta Ads Europe now', { isOnlyFound: true }),
  item('create', 'Actions', 'Create connection'),
  item('invite', 'Actions', 'Invite a member', { keywords: 'team add user' }),
  item('dark', 'Actions', 'Use the dark theme'),
  item('d', 'Destinations', 'Warehouse', { keywords: 'PostgreSQL', isOnlyFound: true }),
  item('p', 'Go to', 'Settings'),
];

const found = (query: string) => findItems(items, query).map(({ group, items: lines }) => [group, lines.map(({ id }) => id)]);

test('finds every word of the query in the label or the keywords, in any order', () => {
  expect(found('europe meta')).toEqual([
    ['Connections', ['1']],
    ['Actions', ['run:1']],
  ]);
  expect(found('google search')).toEqual([['Connections', ['2']]]);
  expect(found('nothing')).toEqual([]);
});

test.each([
  ['run', 'run:1'],
  ['invite', 'invite'],
  ['dark', 'dark'],
  ['settings', 'p'],
  ['warehouse', 'd'],
  ['meta', '1'],
])('lists the best result of “%s” first', (query, id) => expect(findItems(items, query)[0]?.items[0]?.id).toBe(id));

test('ignores case, accents and the punctuation of names', () => {
  const named = [item('1', 'Connections', 'Café – Zürich (DE)')];
  expect(findItems(named, 'zurich de')[0]?.items).toHaveLength(1);
});

test('offers the actions of single items only for a query', () => {
  expect(found('')).toEqual([
    ['Connections', ['1', '2']],
    ['Actions', ['create', 'invite', 'dark']],
    ['Go to', ['p']],
  ]);
});

test('limits each group', () => {
  const many = Array.from({ length: 30 }, (_, index) => item(String(index), 'Connections', `Search ${index}`));
  expect(findItems(many, 'search')[0]?.items).toHaveLength(8);
});

test('lists recent items first, once, without items that no longer exist', () => {
  const [recent, connections] = withRecents(findItems(items, ''), items, ['d', 'gone', '2']);
  expect(recent).toMatchObject({ group: 'Recent', items: [{ id: 'd' }, { id: '2' }] });
  expect(connections?.items.map(({ id }) => id)).toEqual(['1']);
});

test.each([
  ['mtads', '1'],
  ['mae', '1'],
  ['srch', '2'],
  ['wrehouse', 'd'],
])('finds the letters of “%s” in this order', (query, id) => expect(findItems(items, query)[0]?.items[0]?.id).toBe(id));

test('lists the beginning of a label, of a word, of a keyword, a part, and letters with gaps, in this order', () => {
  const labels = ['Swift pace', 'Crispa', 'Sources: spare', 'Spa', 'Grasp'];
  const named = labels.map((label) => item(label, 'Sources', label));
  const lines = findItems([...named, item('k', 'Sources', 'Loader', { keywords: 'spa' })], 'spa')[0]?.items;
  expect(lines?.map(({ label }) => label)).toEqual(['Spa', 'Sources: spare', 'Loader', 'Crispa', 'Swift pace']);
});

test.each([
  ['dae', 'no word begins with its first letter'],
  ['aet', 'its letters are in another order'],
  ['moea', 'it has many gaps'],
  ['mt', 'two letters are in many names'],
])('does not find “%s”: %s', (query) =>
  expect(findItems([item('1', 'Connections', 'Meta Ads, people of Warsaw')], query)).toEqual([]),
);
