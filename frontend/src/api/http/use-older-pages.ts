import { useState } from 'react';
import { unstable_serialize } from 'swr';
import useSWRInfinite from 'swr/infinite';
import { joinPages } from './join-pages';

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

interface OlderPagesOptions<Item> {
  /** Names the list, with its filter. */
  key: readonly unknown[];
  /** The first page, which another hook refreshes. */
  first: Page<Item> | undefined;
  load: (cursor: string) => Promise<Page<Item>>;
  idOf: (item: Item) => string;
}

/** The list when the first older page was requested, updated with each newer first page. */
interface Opened<Item> {
  list: string;
  cursor: string | null;
  first: Page<Item>;
  items: Item[];
}

/**
 * A list with a first page that is refreshed and older pages on request. New items change the cursor of the first page, so the older
 * pages keep the cursor that they were opened with.
 */
export function useOlderPages<Item>({ key, first, load, idOf }: OlderPagesOptions<Item>) {
  const list = unstable_serialize(key);
  const [latest, setOpened] = useState<Opened<Item> | null>(null);
  const opened = latest?.list === list ? latest : null;
  const start = opened ? opened.cursor : (first?.nextCursor ?? null);
  const pages = useSWRInfinite(
    (index, previous: Page<Item> | null) => {
      const cursor = index === 0 ? start : (previous?.nextCursor ?? null);
      return cursor === null ? null : [...key, cursor];
    },
    (parameters) => load(String(parameters.at(-1))),
    { initialSize: 0, revalidateFirstPage: false },
  );
  if (first && pages.size > 0 && opened?.first !== first)
    setOpened({ list, cursor: start, first, items: joinPages(first.items, opened?.items ?? [], idOf) });
  const older = pages.data?.flatMap(({ items }) => items) ?? [];
  const lastPage = pages.data?.at(-1);
  return {
    items: joinPages(first?.items ?? [], [...(opened?.items ?? []), ...older], idOf),
    pages,
    hasMore: (lastPage ? lastPage.nextCursor : start) !== null,
  };
}
