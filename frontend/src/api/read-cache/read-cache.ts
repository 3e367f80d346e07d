import type { Cache } from 'swr';
import { loadConfig } from '~/api/http/config';
import { ApiProblem } from '~/api/http/problem';
import { dropPrefetched } from '~/api/prefetch';
import { entryKeyOf } from './entry-key';
import { clearEntries, deleteEntries, deleteEntry, idOf, readEntries, writeEntry } from './read-cache-database';
import type { StoredEntry } from './read-cache-database';
import { forgetStaleness, markFailed, markFresh, markStale } from './staleness';

/** Sets the data of a cache without a request. */
type SetData = (swrKey: string, data: unknown) => void;

/** A browser that does not answer must not delay the page. */
const MAX_WAIT_MS = 500;

/** Whose data is stored; null while nobody is signed in. */
let ownerId: string | null = null;
/** One change after the other, so that a sign-out deletes what was written before it. */
let queue: Promise<unknown> = Promise.resolve();

/** Private windows and full disks: the page works without stored data. */
function inOrder(work: () => Promise<void>): Promise<void> {
  const result = queue.then(work).catch((error: unknown) => console.warn('Failed to store data for the next visit', error));
  queue = result;
  return result;
}

const within = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([work.catch(() => otherwise), new Promise<T>((resolve) => setTimeout(() => resolve(otherwise), MAX_WAIT_MS))]);

function restoreEntry({ swrKey, content, storedAtMs }: StoredEntry, cache: Cache, setData: SetData): void {
  if (entryKeyOf(swrKey) === null || cache.get(swrKey)?.data !== undefined) return;
  setData(swrKey, JSON.parse(content));
  markStale(swrKey, storedAtMs);
}

/** Fills the caches with what this user saw of the organization on the last visit. Data of other users is deleted. */
export async function restoreReadCache(
  userId: string,
  organizationId: string,
  { cache, setData }: { cache: Cache; setData: SetData },
): Promise<void> {
  if (ownerId !== userId) {
    ownerId = userId;
    void inOrder(() => deleteEntries((entry) => entry.userId !== userId));
  }
  const entries = await within(readEntries(userId, organizationId), []);
  // The user can have signed out in the meantime.
  if (ownerId === userId) for (const entry of entries) restoreEntry(entry, cache, setData);
}

/** Deletes all stored data. Called when nobody is signed in. */
export function endReadCache(): Promise<void> {
  ownerId = null;
  dropPrefetched();
  forgetStaleness();
  return inOrder(clearEntries);
}

async function store(userId: string, organizationId: string, swrKey: string, data: unknown): Promise<void> {
  const { readCacheBytes } = await loadConfig();
  const content = JSON.stringify(data);
  const bytes = new TextEncoder().encode(content).length;
  if (ownerId !== userId) return;
  const id = idOf(userId, swrKey);
  await writeEntry({ id, userId, organizationId, swrKey, content, bytes, storedAtMs: Date.now() }, readCacheBytes);
}

/** Stores a response for the next visit. An organization that no longer exists for the user leaves nothing. */
export function onLoaded(data: unknown, swrKey: string): void {
  markFresh(swrKey);
  const key = entryKeyOf(swrKey);
  const userId = ownerId;
  if (key === null || userId === null || data === undefined) return;
  const { kind, organizationId } = key;
  if (kind === 'organization' && data === null) {
    void inOrder(() => deleteEntries((entry) => entry.organizationId === organizationId));
    return;
  }
  void inOrder(() => store(userId, organizationId, swrKey, data));
}

/** Clears what the user may no longer see. After any other failure the stored data stays on the page. */
export function onFailed(error: unknown, swrKey: string, setData: SetData): void {
  if (entryKeyOf(swrKey) === null) return;
  const isDenied = error instanceof ApiProblem && [403, 404].includes(error.status);
  if (!isDenied) return markFailed(swrKey);
  markFresh(swrKey);
  setData(swrKey, undefined);
  const userId = ownerId;
  if (userId !== null) void inOrder(() => deleteEntry(idOf(userId, swrKey)));
}
