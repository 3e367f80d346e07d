import { useEffect, useSyncExternalStore } from 'react';
import { unstable_serialize } from 'swr';
import type { Middleware } from 'swr';
import { unstable_serialize as serializeInfinite } from 'swr/infinite';

export interface Staleness {
  /** When the oldest stored data on the page was loaded; null when all data is of this visit. */
  storedAtMs: number | null;
  /** Whether newer data could not be loaded. */
  hasFailed: boolean;
  keys: readonly string[];
}

const FRESH: Staleness = { storedAtMs: null, hasFailed: false, keys: [] };

/** Restored caches that were not loaded again yet. */
const stale = new Map<string, { storedAtMs: number; hasFailed: boolean }>();
/** How many mounted parts use a cache. */
const uses = new Map<string, number>();
const listeners = new Set<() => void>();
let current = FRESH;

function update(): void {
  const used = [...stale].filter(([key]) => uses.has(key));
  const next =
    used.length === 0
      ? FRESH
      : {
          storedAtMs: Math.min(...used.map(([, { storedAtMs }]) => storedAtMs)),
          hasFailed: used.some(([, { hasFailed }]) => hasFailed),
          keys: used.map(([key]) => key),
        };
  if (JSON.stringify(next) === JSON.stringify(current)) return;
  current = next;
  for (const listener of listeners) listener();
}

export function markStale(key: string, storedAtMs: number): void {
  stale.set(key, { storedAtMs, hasFailed: false });
  update();
}

export function markFresh(key: string): void {
  if (stale.delete(key)) update();
}

export function markFailed(key: string): void {
  const known = stale.get(key);
  if (!known || known.hasFailed) return;
  stale.set(key, { ...known, hasFailed: true });
  update();
}

export function forgetStaleness(): void {
  stale.clear();
  update();
}

function use(key: string): () => void {
  uses.set(key, (uses.get(key) ?? 0) + 1);
  update();
  return () => {
    const left = (uses.get(key) ?? 1) - 1;
    if (left > 0) uses.set(key, left);
    else uses.delete(key);
    update();
  };
}

const textOf = (key: unknown): string =>
  typeof key === 'function'
    ? serializeInfinite(key as Parameters<typeof serializeInfinite>[0])
    : unstable_serialize(key as string);

/** Records which caches the page uses, so that only stale data on the page is marked. */
export const followUses: Middleware = (next) => (key, fetcher, config) => {
  const text = textOf(key);
  useEffect(() => (text === '' ? undefined : use(text)), [text]);
  return next(key, fetcher, config);
};

export const useStaleness = (): Staleness =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
