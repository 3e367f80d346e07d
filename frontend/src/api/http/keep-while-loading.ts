import { unstable_serialize, useSWRConfig } from 'swr';
import type { Middleware } from 'swr';

/** With an error, only data of the same key is returned: rows of another filter would be shown as those of this one. */
const dropOthersOnError: Middleware = (useNext) => (key, fetcher, config) => {
  const { cache } = useSWRConfig();
  const { data, error, isLoading, isValidating, mutate } = useNext(key, fetcher, config);
  const isOther = error !== undefined && cache.get(unstable_serialize(key))?.data === undefined;
  return { data: isOther ? undefined : data, error, isLoading, isValidating, mutate };
};

/** Options of data of a key that changes, such as a list with a filter: while the next key is loading, the data before it stays. */
export const KEEP_WHILE_LOADING = { keepPreviousData: true, use: [dropOthersOnError] };
