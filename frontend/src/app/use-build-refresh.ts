import { useEffect } from 'react';
import { isRecord } from '../lib/is-record';

/** How often an open page asks whether a newer build is served. */
const POLL_INTERVAL_MS = 5 * 60_000;

let isOutdated = false;

/** True once a newer build is served: the next change of page then loads it whole. */
export const hasNewerBuild = (): boolean => isOutdated;

async function readLatestBuild(): Promise<string | null> {
  try {
    const response = await fetch('/builds/latest.json', { cache: 'no-store', credentials: 'omit' });
    const body: unknown = await response.json();
    return isRecord(body) && typeof body.build === 'string' ? body.build : null;
  } catch {
    return null;
  }
}

export function useBuildRefresh(): void {
  useEffect(() => {
    if (import.meta.env.DEV) return;
    const timer = setInterval(() => {
      void readLatestBuild().then((build) => {
        isOutdated = build !== null && build !== __BUILD__;
      });
    }, POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
}
