import useSWR, { unstable_serialize, useSWRConfig } from 'swr';
import type { Cache } from 'swr';
import type { Health } from '~/domain/connections/connection-state';
import { client, unwrap } from '~/api/http/client';
import { KEEP_WHILE_LOADING } from '~/api/http/keep-while-loading';
import { hasItems, keys } from '~/api/http/keys';
import { rememberFirstRun } from '~/api/live/started-runs';
import { prefetch, takePrefetched } from '~/api/prefetch';
import type { Connection, ConnectionChange, ConnectionPage, NewConnection } from '~/api/types';

export interface ConnectionFilter {
  health?: Health;
  search?: string;
  tag?: string;
  /** Only connections that read or write with this app. */
  appId?: string;
  limit?: number;
  cursor?: string;
}

const at = (organizationId: string, connectionId: string) => ({ params: { path: { organizationId, connectionId } } });

export const listConnections = (organizationId: string, query: ConnectionFilter) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/connections', { params: { path: { organizationId }, query } }));

export const getConnection = (organizationId: string, id: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/connections/{connectionId}', at(organizationId, id)));

export const createConnection = (organizationId: string, body: NewConnection) =>
  rememberFirstRun(
    unwrap(client.POST('/api/v1/organizations/{organizationId}/connections', { params: { path: { organizationId } }, body })),
  );

export const cloneConnection = (organizationId: string, id: string, body: { name: string; destinationId?: string }) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/connections/{connectionId}/clone', { ...at(organizationId, id), body }),
  );

export const updateConnection = (organizationId: string, id: string, body: ConnectionChange) =>
  unwrap(client.PATCH('/api/v1/organizations/{organizationId}/connections/{connectionId}', { ...at(organizationId, id), body }));

export const deleteConnection = (organizationId: string, id: string) =>
  unwrap(client.DELETE('/api/v1/organizations/{organizationId}/connections/{connectionId}', at(organizationId, id)));

export const restoreConnection = (organizationId: string, id: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/connections/{connectionId}/restore', at(organizationId, id)));

export const runConnection = (organizationId: string, id: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/connections/{connectionId}/run', at(organizationId, id)));

export const pauseConnection = (organizationId: string, id: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/connections/{connectionId}/pause', at(organizationId, id)));

export const resumeConnection = (organizationId: string, id: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/connections/{connectionId}/resume', at(organizationId, id)));

/** Loads all pages, because the list of an app's connections must be complete. */
async function listConnectionsOf(organizationId: string, appId: string): Promise<ConnectionPage> {
  const first = await listConnections(organizationId, { appId, limit: 100 });
  let { nextCursor } = first;
  const items = [...first.items];
  while (nextCursor !== null) {
    const page = await listConnections(organizationId, { appId, limit: 100, cursor: nextCursor });
    items.push(...page.items);
    nextCursor = page.nextCursor;
  }
  return { ...first, items, nextCursor };
}

/** A run can end between the first response and the first live event, so a connection with an active run is polled. */
const WHILE_RUNNING_MS = 10_000;

const refreshInterval = (page: ConnectionPage | undefined): number =>
  page?.items.some(({ activeRun }) => activeRun) ? WHILE_RUNNING_MS : 0;

export const useConnections = (organizationId: string, filter: ConnectionFilter = {}) => {
  const key = keys.connections(organizationId, filter);
  return useSWR(key, () => takePrefetched(key, () => listConnections(organizationId, filter)), {
    ...KEEP_WHILE_LOADING,
    refreshInterval,
  });
};

export const prefetchConnections = (organizationId: string, filter: ConnectionFilter): void =>
  prefetch(keys.connections(organizationId, filter), () => listConnections(organizationId, filter));

export const useConnectionsOf = (organizationId: string, appId: string) =>
  useSWR(keys.connections(organizationId, { appId }), () => listConnectionsOf(organizationId, appId), { refreshInterval });

/** The connection as a loaded list shows it, for a page that is opened from the list. */
function knownFromLists(cache: Cache, organizationId: string, id: string): Connection | undefined {
  const [start] = unstable_serialize(keys.connections(organizationId, {})).split('#');
  for (const key of cache.keys()) {
    const page: unknown = start !== undefined && key.startsWith(start) ? cache.get(key)?.data : undefined;
    const found = hasItems(page) ? page.items.find((item) => item.id === id) : undefined;
    if (found) return found as Connection;
  }
  return undefined;
}

export function useConnection(organizationId: string, id: string) {
  const { cache } = useSWRConfig();
  return useSWR(keys.connection(organizationId, id), () => getConnection(organizationId, id), {
    fallbackData: knownFromLists(cache, organizationId, id),
    refreshInterval: (connection) => (connection?.activeRun ? WHILE_RUNNING_MS : 0),
    // Refreshes when the user returns to the page, for example after a plan has ended.
    dedupingInterval: 500,
  });
}
