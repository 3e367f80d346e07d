import { useEffect, useRef, useState } from 'react';
import useSWR, { unstable_serialize } from 'swr';
import { joinPages } from './join-pages';
import { hasGap, loadPages } from './load-pages';
import type { LoadedPages, Page } from './load-pages';

interface OlderPagesOptions<Item> {
  /** Names the list, with its filter. A change of this cache with SWR's `mutate` loads the shown older pages again. */
  key: readonly unknown[];
  /** The first page, which another hook refreshes. */
  first: Page<Item> | undefined;
  load: (cursor: string) => Promise<Page<Item>>;
  idOf: (item: Item) => string;
}

/** The first pages since the older ones were loaded. */
interface Trail<Item> {
  pages: LoadedPages<Item>;
  first: Page<Item>;
  /** New items move others out of the first page, and these stay. */
  items: Item[];
  hasGap: boolean;
}

/** Older pages are loaded on request. Their cache is not refreshed for its age. */
const ON_REQUEST = { revalidateOnFocus: false, revalidateOnReconnect: false, dedupingInterval: 0, keepPreviousData: true };

/** A list that is opened again, for example on another tab of its page, has as many older pages as before. */
const sizes = new Map<string, number>();

interface Loaded<Item> extends LoadedPages<Item> {
  list: string;
}

/** The older pages of a list. They are continued when one more is requested, and otherwise loaded together. */
function useLoadedPages<Item>({ key, first, load }: OlderPagesOptions<Item>) {
  const list = unstable_serialize(key);
  const [wanted, setWanted] = useState<{ list: string; size: number } | null>(null);
  const size = (wanted?.list === list ? wanted.size : sizes.get(list)) ?? 0;
  const known = useRef<Loaded<Item> | null>(null);
  const { data, error, isValidating, mutate } = useSWR(
    size === 0 || !first ? null : [...key, size],
    async () => {
      if (!first) throw new Error('Older pages are requested after the first one');
      const before = known.current?.list === list ? known.current : null;
      known.current = null;
      const loaded = { ...(await loadPages(first, size, before, load)), list };
      known.current = loaded;
      return loaded;
    },
    ON_REQUEST,
  );
  const pages = size > 0 && data?.list === list ? data : null;
  const isIncomplete = pages ? size > pages.size && pages.nextCursor !== null : size > 0;
  return {
    pages,
    // A reload that fails is repeated with the next change.
    error: isIncomplete ? (error as unknown) : undefined,
    isLoading: isIncomplete && (error === undefined || isValidating),
    size,
    setSize: (next: number) => {
      sizes.set(list, next);
      setWanted({ list, size: next });
    },
    reload: mutate,
  };
}

/**
 * A list with a first page that is refreshed and older pages on request. New items change the cursor of the first page, so the older
 * pages stay those that were loaded. When more items are new than a page has, they are loaded again.
 */
export function useOlderPages<Item>(options: OlderPagesOptions<Item>) {
  const { first, idOf } = options;
  const { pages, error, isLoading, size, setSize, reload } = useLoadedPages(options);
  const [latest, setTrail] = useState<Trail<Item> | null>(null);
  const trail = latest && latest.pages.first === pages?.first ? latest : null;
  const rest = [...(trail?.items ?? []), ...(pages?.items ?? [])];
  if (pages && first && trail?.first !== first)
    setTrail({
      pages,
      first,
      items: joinPages(first.items, trail?.items ?? [], idOf),
      hasGap: hasGap(first, rest, idOf),
    });
  const gap = trail?.hasGap === true ? trail : null;
  useEffect(() => {
    if (gap) void reload();
  }, [gap, reload]);
  return {
    items: joinPages(first?.items ?? [], rest, idOf),
    pages: { size, setSize, isValidating: isLoading, failure: error === undefined ? null : { error, retry: reload } },
    hasMore: (pages ?? first ?? { nextCursor: null }).nextCursor !== null,
  };
}
