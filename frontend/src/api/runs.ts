import useSWR from 'swr';
import useSWRInfinite from 'swr/infinite';
import { keys } from './keys';
import { request } from './request';
import type { Page, Run, RunSummary } from './types';

const root = (organizationId: string) => `/api/v1/organizations/${organizationId}/runs`;
const PAGE_SIZE = 50;

export const listRuns = (organizationId: string, connectionId: string, cursor?: string) =>
  request<Page<RunSummary>>('GET', root(organizationId), { query: { connectionId, cursor, limit: PAGE_SIZE } });

export const cancelRun = (organizationId: string, id: string) =>
  request<RunSummary>('POST', `${root(organizationId)}/${id}/cancel`);

export const useRuns = (organizationId: string, connectionId: string) =>
  useSWR(keys.runs(organizationId, connectionId), () => listRuns(organizationId, connectionId));

/** Older pages, after the first one that `useRuns` keeps fresh. */
export const useOlderRuns = (organizationId: string, connectionId: string, firstCursor: string | null) =>
  useSWRInfinite(
    (index, previous: Page<RunSummary> | null) => {
      const cursor = index === 0 ? firstCursor : (previous?.nextCursor ?? null);
      return cursor === null ? null : (['older-runs', organizationId, connectionId, cursor] as const);
    },
    ([, , , cursor]) => listRuns(organizationId, connectionId, cursor),
    { initialSize: 0, revalidateFirstPage: false },
  );

export const useRun = (organizationId: string, id: string | null) =>
  useSWR(id === null ? null : keys.run(organizationId, id), () => request<Run>('GET', `${root(organizationId)}/${id}`));
