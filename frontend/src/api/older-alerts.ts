import { useState } from 'react';
import useSWR from 'swr';
import { listAlerts } from './alerts';
import { keys } from './http/keys';
import { loadPages } from './http/load-pages';
import type { AlertPage, AlertState } from './types';

async function loadAlerts(organizationId: string, state: AlertState, older: number) {
  const first = await listAlerts(organizationId, { state });
  const pages = await loadPages(first, older, null, (cursor) => listAlerts(organizationId, { state, cursor }));
  return { ...pages, organizationId, state };
}

/**
 * The alerts of a state, with older pages on request. Alerts leave a state at any time, so a change of the alerts loads all shown pages
 * again. `first` comes from `useAlerts`.
 */
export function useOlderAlerts(organizationId: string, state: AlertState, first: AlertPage | undefined) {
  const [wanted, setWanted] = useState({ state, size: 0 });
  const size = wanted.state === state ? wanted.size : 0;
  const { data, error, isValidating, mutate } = useSWR(
    size === 0 ? null : keys.alerts(organizationId, { state, size }),
    () => loadAlerts(organizationId, state, size),
    { keepPreviousData: true },
  );
  const loaded = size > 0 && data?.state === state && data.organizationId === organizationId ? data : null;
  const isComplete = loaded !== null && (loaded.size === size || loaded.nextCursor === null);
  const shown = loaded ?? first;
  return {
    items: shown?.items ?? [],
    pages: {
      size,
      setSize: (next: number) => setWanted({ state, size: next }),
      isValidating: size > 0 && !isComplete && (error === undefined || isValidating),
      // A refresh that fails is reported above the list.
      failure: error === undefined || isComplete ? null : { error: error as unknown, retry: mutate },
    },
    hasMore: (shown?.nextCursor ?? null) !== null,
  };
}
