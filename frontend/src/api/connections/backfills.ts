import { useMemo } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import { client, unwrap } from '~/api/http/client';
import { allPages } from '~/api/http/all-pages';
import { keys, keysAboutConnection } from '~/api/http/keys';
import { useOlderPages } from '~/api/http/use-older-pages';
import type { BackfillPage, NewBackfill, ReloadRequest } from '~/api/types';
import { rememberRun } from '~/api/live/started-runs';
import { backfillTable } from '~/domain/connections/backfill';

const base = '/api/v1/organizations/{organizationId}/connections/{connectionId}/backfills';
/** Progress of an active backfill. Its runs send events, but its counts are computed by the server. */
const WHILE_ACTIVE_MS = 2_000;

const at = (organizationId: string, connectionId: string) => ({ params: { path: { organizationId, connectionId } } });
const of = (organizationId: string, connectionId: string, backfillId: string) => ({
  params: { path: { organizationId, connectionId, backfillId } },
});

const isActive = (page: BackfillPage | undefined): boolean =>
  page?.items.some(({ state }) => backfillTable[state].isActive) ?? false;

const listBackfills = (organizationId: string, connectionId: string, cursor?: string) =>
  unwrap(client.GET(base, { params: { path: { organizationId, connectionId }, query: { cursor } } }));

/** The newest backfills. */
export const useBackfills = (organizationId: string, connectionId: string) =>
  useSWR(keys.backfills(organizationId, connectionId), () => listBackfills(organizationId, connectionId), {
    refreshInterval: (page) => (isActive(page) ? WHILE_ACTIVE_MS : 0),
  });

/** All loaded backfills. `useBackfills` refreshes the first page. */
export const useOlderBackfills = (organizationId: string, connectionId: string, first: BackfillPage | undefined) =>
  useOlderPages({
    // A change of the connection also loads the shown older pages again.
    key: [...keys.backfills(organizationId, connectionId), 'older'],
    first,
    load: (cursor) => listBackfills(organizationId, connectionId, cursor),
    idOf: ({ id }) => id,
  });

/** The backfills after the first page, which is enough for most connections. */
export const useAllOlderBackfills = (organizationId: string, connectionId: string, first: BackfillPage | undefined) => {
  const start = first?.nextCursor ?? null;
  return useSWR(
    start === null ? null : [...keys.backfills(organizationId, connectionId), 'all-older', start],
    () => allPages((cursor) => listBackfills(organizationId, connectionId, cursor ?? start ?? undefined)),
    // Newer backfills move the start. Until the pages from there arrive, the former ones lack nothing that was shown.
    { keepPreviousData: true },
  );
};

/** One backfill with its chunks; null loads nothing. */
export const useBackfill = (organizationId: string, connectionId: string, id: string | null) =>
  useSWR(
    id === null ? null : keys.backfill(organizationId, connectionId, id),
    () => unwrap(client.GET(`${base}/{backfillId}`, of(organizationId, connectionId, id ?? ''))),
    { refreshInterval: (detail) => (detail && backfillTable[detail.state].isActive ? WHILE_ACTIVE_MS : 0) },
  );

/** The cost of a backfill; null requests nothing. */
export const useBackfillEstimate = (organizationId: string, connectionId: string, body: NewBackfill | null) =>
  useSWR(
    body === null ? null : keys.backfillEstimate(organizationId, connectionId, body),
    ([, , , requested]) =>
      unwrap(client.POST(`${base}/estimate`, { ...at(organizationId, connectionId), body: requested as NewBackfill })),
    { revalidateOnFocus: false, keepPreviousData: false, shouldRetryOnError: false },
  );

/** The cost of a re-sync of a stream. */
export const useResyncEstimate = (organizationId: string, connectionId: string, stream: string) =>
  useSWR(
    keys.resyncEstimate(organizationId, connectionId, stream),
    () =>
      unwrap(
        client.POST('/api/v1/organizations/{organizationId}/connections/{connectionId}/resyncs/estimate', {
          ...at(organizationId, connectionId),
          body: { stream },
        }),
      ),
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );

/** The actions of backfills, reloads and re-syncs. Afterwards everything about the connection is loaded again. */
export function useBackfillActions(organizationId: string, connectionId: string) {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const refreshed = async <Answer>(request: Promise<Answer>): Promise<Answer> => {
      const answer = await request;
      await mutate(keysAboutConnection(organizationId, connectionId));
      return answer;
    };
    const one = (id: string) => of(organizationId, connectionId, id);
    return {
      start: (body: NewBackfill) => refreshed(unwrap(client.POST(base, { ...at(organizationId, connectionId), body }))),
      resync: (stream: string) =>
        refreshed(
          unwrap(
            client.POST('/api/v1/organizations/{organizationId}/connections/{connectionId}/resyncs', {
              ...at(organizationId, connectionId),
              body: { stream },
            }),
          ),
        ),
      pause: (id: string) => refreshed(unwrap(client.POST(`${base}/{backfillId}/pause`, one(id)))),
      resume: (id: string) => refreshed(unwrap(client.POST(`${base}/{backfillId}/resume`, one(id)))),
      cancel: (id: string) => refreshed(unwrap(client.POST(`${base}/{backfillId}/cancel`, one(id)))),
      retryFailed: (id: string) => refreshed(unwrap(client.POST(`${base}/{backfillId}/retry-failed`, one(id)))),
      reload: (body: ReloadRequest) =>
        refreshed(
          rememberRun(
            unwrap(
              client.POST('/api/v1/organizations/{organizationId}/connections/{connectionId}/reload', {
                ...at(organizationId, connectionId),
                body,
              }),
            ),
          ),
        ),
    };
  }, [organizationId, connectionId, mutate]);
}
