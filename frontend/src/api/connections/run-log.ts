import { useMemo } from 'react';
import { client, unwrap } from '~/api/http/client';
import { useOlderPages } from '~/api/http/use-older-pages';
import type { LogLine, Run } from '~/api/types';
import { continuousPage, inOrder } from './run-log-lines';

const PAGE_SIZE = 100;

const listOlderLines = (organizationId: string, runId: string, cursor: string) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/runs/{runId}/log', {
      params: { path: { organizationId, runId }, query: { order: 'newest', limit: PAGE_SIZE, cursor } },
    }),
  );

/** The lines of a run and the older ones that were requested, oldest first. `useRun` refreshes the newest lines. */
export function useRunLog(organizationId: string, run: Run) {
  const first = useMemo(() => continuousPage(run), [run]);
  const { items, pages, hasMore } = useOlderPages<LogLine>({
    key: ['older-log-lines', organizationId, run.id],
    first,
    load: (cursor) => listOlderLines(organizationId, run.id, cursor),
    idOf: ({ position }) => position,
  });
  return { lines: inOrder([...run.log, ...items]), pages, hasMore };
}
