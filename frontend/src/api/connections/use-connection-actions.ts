import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import {
  cloneConnection,
  deleteConnection,
  pauseConnection,
  restoreConnection,
  resumeConnection,
  runConnection,
} from './connections';
import { hasItems, keys, keysAboutConnection, keysOf } from '~/api/http/keys';
import { rememberRun } from '~/api/live/started-runs';
import { cancelRun } from './runs';
import type { Connection, ConnectionPage, RunSummary } from '~/api/types';

const withoutRequest = { revalidate: false };

const setDesired = (connection: Connection, id: string, desired: Connection['desired']): Connection =>
  connection.id === id ? { ...connection, desired } : connection;

/** The actions of a connection for any screen. Caches are updated optimistically and reset when the server rejects the change. */
export function useConnectionActions(organizationId: string) {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const lists = keysOf(organizationId, 'connections');
    const show = (id: string, desired: Connection['desired']) => {
      void mutate<ConnectionPage>(
        lists,
        (page) => (hasItems(page) ? { ...page, items: page.items.map((item) => setDesired(item, id, desired)) } : page),
        withoutRequest,
      );
      void mutate<Connection>(
        keys.connection(organizationId, id),
        (connection) => connection && setDesired(connection, id, desired),
        withoutRequest,
      );
    };
    const refresh = (id: string) => mutate(keysAboutConnection(organizationId, id));
    return {
      setActive: async ({ id, desired }: Connection, isActive: boolean): Promise<void> => {
        show(id, isActive ? 'active' : 'paused');
        try {
          await (isActive ? resumeConnection(organizationId, id) : pauseConnection(organizationId, id));
        } catch (error) {
          show(id, desired);
          throw error;
        } finally {
          void refresh(id);
        }
      },
      run: async (id: string): Promise<RunSummary> => {
        const run = await rememberRun(runConnection(organizationId, id));
        await refresh(id);
        return run;
      },
      cancelRun: async (id: string, runId: string): Promise<void> => {
        await cancelRun(organizationId, runId);
        await refresh(id);
      },
      clone: async (id: string, body: { name: string; destinationId?: string }): Promise<Connection> => {
        const copy = await cloneConnection(organizationId, id, body);
        await mutate(lists);
        return copy;
      },
      remove: async (id: string): Promise<void> => {
        await deleteConnection(organizationId, id);
        await mutate(lists);
        await mutate(keys.connection(organizationId, id), undefined, withoutRequest);
      },
      restore: async (id: string): Promise<void> => {
        await restoreConnection(organizationId, id);
        await mutate(lists);
      },
    };
  }, [organizationId, mutate]);
}
