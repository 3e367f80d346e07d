import { unstable_serialize } from 'swr';
import type { Key } from 'swr';

/** A page that is not shown by then loads its data itself. */
const MAX_AGE_MS = 10_000;

const started = new Map<string, Promise<unknown>>();

/** Starts a request before the page that needs it is rendered. */
export function prefetch(key: Key, load: () => Promise<unknown>): void {
  const id = unstable_serialize(key);
  const answer = load();
  // The page loads the data again and reports the failure.
  answer.catch(() => started.delete(id));
  started.set(id, answer);
  setTimeout(() => started.delete(id), MAX_AGE_MS);
}

/** The response to a request that has started, or else a new one. Each response is used once, so that a reload loads new data. */
export function takePrefetched<Data>(key: Key, load: () => Promise<Data>): Promise<Data> {
  const id = unstable_serialize(key);
  const answer = started.get(id) as Promise<Data> | undefined;
  started.delete(id);
  return answer ? answer.catch(load) : load();
}

/** The next user must not see a response to an earlier one. */
export const dropPrefetched = (): void => started.clear();
