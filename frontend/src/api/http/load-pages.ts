export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** A first page and pages after it, which were loaded together: no item between them is missing. */
export interface LoadedPages<Item> {
  /** The first page when the others were loaded. */
  first: Page<Item>;
  /** Of all pages. */
  items: Item[];
  /** Number of pages after the first one. */
  size: number;
  nextCursor: string | null;
}

/**
 * Loads pages after the first one until there are as many as requested. `known` is continued, and not requested again, while it has
 * fewer pages.
 */
export async function loadPages<Item>(
  first: Page<Item>,
  size: number,
  known: LoadedPages<Item> | null,
  load: (cursor: string) => Promise<Page<Item>>,
): Promise<LoadedPages<Item>> {
  let loaded = known && known.size < size ? known : { first, ...first, size: 0 };
  while (loaded.size < size && loaded.nextCursor !== null) {
    const { items, nextCursor } = await load(loaded.nextCursor);
    loaded = { ...loaded, items: [...loaded.items, ...items], size: loaded.size + 1, nextCursor };
  }
  return loaded;
}

/** Whether items are missing between a newer first page and the known ones: more items follow it, and its last one is not known. */
export function hasGap<Item>(first: Page<Item>, known: readonly Item[], idOf: (item: Item) => string): boolean {
  const last = first.items.at(-1);
  if (first.nextCursor === null || last === undefined) return false;
  return !known.some((item) => idOf(item) === idOf(last));
}
