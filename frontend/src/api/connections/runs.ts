import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';
import { useOlderPages } from '~/api/http/use-older-pages';
import type { RunPage } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import type { RunState } from '~/domain/connections/connection-state';

const PAGE_SIZE = 50;

/** States by which runs are filtered. A run that has ended keeps its state. */
export type EndedRunState = Extract<RunState, 'failed' | 'partial' | 'unverified' | 'succeeded'>;

interface RunFilter {
  /** Only runs in this state. */
  state?: RunState;
  cursor?: string;
  limit?: number;
}

export const listRuns = (organizationId: string, connectionId: string, filter: RunFilter = {}) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/runs', {
      params: { path: { organizationId }, query: { connectionId, limit: PAGE_SIZE, ...filter } },
    }),
  );

export const getRun = (organizationId: string, runId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/runs/{runId}', { params: { path: { organizationId, runId } } }));

export const getProof = (organizationId: string, runId: string) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/runs/{runId}/proof', { params: { path: { organizationId, runId } } }),
  );

export const cancelRun = (organizationId: string, runId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/runs/{runId}/cancel', { params: { path: { organizationId, runId } } }),
  );

/** A run can end before its first response arrives or the event stream opens, so active runs are polled. */
const WHILE_RUNNING_MS = 10_000;
const isActive = ({ state }: { state: RunState }): boolean => runTable[state].isActive;

export const useRuns = (organizationId: string, connectionId: string) =>
  useSWR(keys.runs(organizationId, connectionId), () => listRuns(organizationId, connectionId), {
    refreshInterval: (page) => (page?.items.some(isActive) ? WHILE_RUNNING_MS : 0),
  });

const LATEST = 8;

/** For the palette. It does not follow active runs. */
export const useLatestRuns = (organizationId: string, connectionId: string | null) =>
  useSWR(connectionId === null ? null : (['latest-runs', organizationId, connectionId] as const), ([, , id]) =>
    listRuns(organizationId, id, { limit: LATEST }),
  );

/** The newest runs in this state; null: in any state. */
export function useRunsInState(organizationId: string, connectionId: string, state: EndedRunState | null) {
  const all = useRuns(organizationId, connectionId);
  const inState = useSWR(state === null ? null : keys.runsInState(organizationId, connectionId, state), ([, , , requested]) =>
    listRuns(organizationId, connectionId, { state: requested }),
  );
  return state === null ? all : inState;
}

/** All loaded runs. `useRunsInState` refreshes the first page. */
export const useOlderRuns = (
  organizationId: string,
  connectionId: string,
  state: EndedRunState | null,
  first: RunPage | undefined,
) =>
  useOlderPages({
    key: ['older-runs', organizationId, connectionId, state],
    first,
    load: (cursor) => listRuns(organizationId, connectionId, { state: state ?? undefined, cursor }),
    idOf: ({ id }) => id,
  });

export const useRun = (organizationId: string, runId: string | null) =>
  useSWR(runId === null ? null : keys.run(organizationId, runId), () => getRun(organizationId, runId ?? ''), {
    refreshInterval: (run) => (run && isActive(run) ? WHILE_RUNNING_MS : 0),
  });

/** What a run read and found at the destination. */
export const useProof = (organizationId: string, connectionId: string, runId: string) =>
  useSWR(keys.proof(organizationId, connectionId, runId), () => getProof(organizationId, runId), { keepPreviousData: true });
