import { entriesToEvict } from './entries-to-evict';
import type { StoredSize } from './entries-to-evict';

export interface StoredEntry extends StoredSize {
  userId: string;
  organizationId: string;
  swrKey: string;
  /** JSON. */
  content: string;
}

const NAME = 'tributary-read-cache';
const ENTRIES = 'entries';
/** Sizes without the contents, which are read with each write. */
const SIZES = 'sizes';
const BY_VIEWER = 'byViewer';

export const idOf = (userId: string, swrKey: string): string => `${userId} ${swrKey}`;

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser’s database failed'));
  });

const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The browser’s database failed'));
  });

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    const entries = request.result.createObjectStore(ENTRIES, { keyPath: 'id' });
    entries.createIndex(BY_VIEWER, ['userId', 'organizationId']);
    request.result.createObjectStore(SIZES, { keyPath: 'id' });
  };
  return done(request);
}

interface Stores {
  entries: IDBObjectStore;
  sizes: IDBObjectStore;
}

async function change(work: (stores: Stores) => Promise<void>): Promise<void> {
  const database = await open();
  try {
    const transaction = database.transaction([ENTRIES, SIZES], 'readwrite');
    const end = ended(transaction);
    await work({ entries: transaction.objectStore(ENTRIES), sizes: transaction.objectStore(SIZES) });
    await end;
  } finally {
    database.close();
  }
}

function drop({ entries, sizes }: Stores, id: string): void {
  entries.delete(id);
  sizes.delete(id);
}

/** What the user saw of the organization on the last visit. */
export async function readEntries(userId: string, organizationId: string): Promise<StoredEntry[]> {
  const database = await open();
  try {
    const index = database.transaction(ENTRIES).objectStore(ENTRIES).index(BY_VIEWER);
    return (await done(index.getAll([userId, organizationId]))) as StoredEntry[];
  } finally {
    database.close();
  }
}

/** Stores an entry and deletes the oldest ones beyond the limit, in one transaction: other tabs write too. */
export const writeEntry = (entry: StoredEntry, limitBytes: number): Promise<void> =>
  change(async (stores) => {
    const { id, bytes, storedAtMs } = entry;
    stores.entries.put(entry);
    stores.sizes.put({ id, bytes, storedAtMs } satisfies StoredSize);
    const sizes = (await done(stores.sizes.getAll())) as StoredSize[];
    for (const evicted of entriesToEvict(sizes, limitBytes)) drop(stores, evicted);
  });

/** Deletes the entries that match. */
export const deleteEntries = (matches: (entry: StoredEntry) => boolean): Promise<void> =>
  change(async (stores) => {
    const entries = (await done(stores.entries.getAll())) as StoredEntry[];
    for (const entry of entries) if (matches(entry)) drop(stores, entry.id);
  });

export const deleteEntry = (id: string): Promise<void> =>
  change((stores) => {
    drop(stores, id);
    return Promise.resolve();
  });

export const clearEntries = (): Promise<void> =>
  change((stores) => {
    stores.entries.clear();
    stores.sizes.clear();
    return Promise.resolve();
  });
