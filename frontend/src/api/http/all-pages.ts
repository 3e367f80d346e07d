/** The maximum page size of lists. */
export const PAGE_SIZE = 100;

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** A whole list, for one with rows that the screen changes: every page is loaded again after a change. */
export async function allPages<Item>(load: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Page<Item>> {
  let page = await load(undefined);
  const items = [...page.items];
  while (page.nextCursor !== null) {
    page = await load(page.nextCursor);
    items.push(...page.items);
  }
  return { items, nextCursor: null };
}
