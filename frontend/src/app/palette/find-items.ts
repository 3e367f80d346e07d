import { findLetters, gapsOf, wordsOf } from './find-letters';

const GROUPS = [
  'Recent',
  'Connections',
  'Conversions',
  'Payments',
  'Actions',
  'Runs',
  'Apps',
  'Sources',
  'Destinations',
  'Go to',
] as const;

export interface PaletteItem {
  id: string;
  group: (typeof GROUPS)[number];
  label: string;
  /** More words that find the item: its provider, its kind, other terms. */
  keywords?: string;
  /** Listed only when it is searched for, as there are many. */
  isOnlyFound?: boolean;
}

export interface PaletteGroup<Item> {
  group: PaletteItem['group'];
  items: Item[];
}

const PER_GROUP = 8;

/** Lower is better: the label begins with the word, a word of the label, a word of the keywords, anywhere, letters with gaps. */
function rankOf(word: string, label: string[], keywords: string[]): number | null {
  if (label[0]?.startsWith(word)) return 0;
  if (label.some((part) => part.startsWith(word))) return 1;
  if (keywords.some((part) => part.startsWith(word))) return 2;
  if (label.some((part) => part.includes(word))) return 3;
  const letters = findLetters(word, label.join(' '));
  return letters && 4 + gapsOf(letters) / word.length;
}

function rankItem(item: PaletteItem, query: string[]): number | null {
  const label = wordsOf(item.label);
  const keywords = wordsOf(item.keywords ?? '');
  let sum = 0;
  for (const word of query) {
    const rank = rankOf(word, label, keywords);
    if (rank === null) return null;
    sum += rank;
  }
  return sum;
}

/** Items that contain every word of the query, the best first, in groups in the order of their best item. */
export function findItems<Item extends PaletteItem>(items: readonly Item[], query: string): PaletteGroup<Item>[] {
  const words = wordsOf(query);
  const ranked = items.flatMap((item) => {
    const rank = words.length === 0 && item.isOnlyFound ? null : rankItem(item, words);
    return rank === null ? [] : [{ item, rank }];
  });
  const groups = GROUPS.flatMap((group) => {
    const own = ranked.filter(({ item }) => item.group === group).toSorted((a, b) => a.rank - b.rank);
    const [best] = own;
    return best ? [{ group, best: best.rank, items: own.slice(0, PER_GROUP).map(({ item }) => item) }] : [];
  });
  return groups.toSorted((a, b) => a.best - b.best).map(({ group, items: found }) => ({ group, items: found }));
}

/** Adds the recently used items as the first group. */
export function withRecents<Item extends PaletteItem>(
  groups: PaletteGroup<Item>[],
  items: readonly Item[],
  recentIds: readonly string[],
): PaletteGroup<Item>[] {
  const recent = recentIds.flatMap((id) => items.find((item) => item.id === id) ?? []);
  if (recent.length === 0) return groups;
  const others = groups.map(({ group, items: own }) => ({ group, items: own.filter((item) => !recent.includes(item)) }));
  return [{ group: 'Recent', items: recent }, ...others.filter(({ items: own }) => own.length > 0)];
}
