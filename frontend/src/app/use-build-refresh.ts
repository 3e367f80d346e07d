import { useEffect } from 'react';
import { afterNavigation, afterPoll, buildIn } from '~/lib/build-refresh';
import { reloadOnce } from '~/lib/reload-once';
import { hasUnsavedInput, watchInput } from '~/lib/unsaved-input';
import { toast } from '~/components/feedback/toast';

/** How often an open page requests the latest build. */
const POLL_INTERVAL_MS = 5 * 60_000;

let latestBuild: string | null = null;
let offeredBuild: string | null = null;

const facts = () => ({ ownBuild: __BUILD__, latestBuild, offeredBuild, hasUnsavedInput: hasUnsavedInput() });

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
  toast.offer('A new version is available', { label: 'Reload', onClick: () => location.reload() });
}

/** Polls every 5 minutes, and when the user returns to a hidden page. */
export function useBuildRefresh(): void {
  useEffect(() => {
    if (import.meta.env.DEV) return;
    const stopWatching = watchInput(document);
    const timer = setInterval(() => void poll(), POLL_INTERVAL_MS);
    const pollWhenVisible = () => {
      if (document.visibilityState === 'visible') void poll();
    };
    document.addEventListener('visibilitychange', pollWhenVisible);
    return () => {
      stopWatching();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', pollWhenVisible);
    };
  }, []);
}

/** Loads the newer build on navigation, when no input is lost. */
export function useReloadOnNavigation(pathname: string): void {
  useEffect(() => {
    if (afterNavigation(facts()) === 'reload') reloadOnce();
  }, [pathname]);
}
