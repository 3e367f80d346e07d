import { useEffect } from 'react';
import { afterNavigation, afterPoll, buildIn } from '~/lib/build-refresh';
import { reloadOnce } from '~/lib/reload-once';
import { hasTypedInput, watchTyping } from '~/lib/typed-input';
import { toast } from '~/components/feedback/toast';

/** How often an open page asks whether a newer build is served. */
const POLL_INTERVAL_MS = 5 * 60_000;

let latestBuild: string | null = null;
let offeredBuild: string | null = null;

const facts = () => ({ ownBuild: __BUILD__, latestBuild, offeredBuild, hasTypedInput: hasTypedInput() });

async function readLatestBuild(): Promise<string | null> {
  try {
    const response = await fetch('/builds/latest.json', { cache: 'no-store', credentials: 'omit' });
    return buildIn(await response.json());
  } catch {
    return null;
  }
}

async function poll(): Promise<void> {
  latestBuild = (await readLatestBuild()) ?? latestBuild;
  if (afterPoll(facts()) !== 'offer') return;
  offeredBuild = latestBuild;
  toast.offer('A newer version is ready', { label: 'Reload', onClick: () => location.reload() });
}

/** Asks every few minutes, and when the reader comes back to a page that was hidden. */
export function useBuildRefresh(): void {
  useEffect(() => {
    if (import.meta.env.DEV) return;
    const stopWatching = watchTyping(document);
    const timer = setInterval(() => void poll(), POLL_INTERVAL_MS);
    const comeBack = () => {
      if (document.visibilityState === 'visible') void poll();
    };
    document.addEventListener('visibilitychange', comeBack);
    return () => {
      stopWatching();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', comeBack);
    };
  }, []);
}

/** A change of page is the moment at which nobody loses anything by getting the newer build. */
export function useReloadOnNavigation(pathname: string): void {
  useEffect(() => {
    if (afterNavigation(facts()) === 'reload') reloadOnce();
  }, [pathname]);
}
