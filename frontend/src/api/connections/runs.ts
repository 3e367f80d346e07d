import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { KEEP_WHILE_LOADING } from '~/api/http/keep-while-loading';
import { keys } from '~/api/http/keys';
import { runTable } from '~/domain/connections/connection-state';
import type { RunState } from '~/domain/connections/connection-state';

const PAGE_SIZE = 50;

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

export const useRun = (organizationId: string, runId: string | null) =>
  useSWR(runId === null ? null : keys.run(organizationId, runId), () => getRun(organizationId, runId ?? ''), {
    refreshInterval: (run) => (run && isActive(run) ? WHILE_RUNNING_MS : 0),
  });

/** What a run read and found at the destination. */
export const useProof = (organizationId: string, connectionId: string, runId: string) =>
  useSWR(keys.proof(organizationId, connectionId, runId), () => getProof(organizationId, runId), KEEP_WHILE_LOADING);
