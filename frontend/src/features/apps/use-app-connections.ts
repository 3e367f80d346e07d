import { useConnectionsOf } from '~/api/connections/connections';
import type { App, Connection } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';

/** Connections that use an app as source or destination. `connections` is empty until `isKnown` is true. */
export interface AppConnections {
  connections: Connection[];
  isKnown: boolean;
  error: unknown;
  retry: () => void;
}

export function useAppConnections(app: App): AppConnections {
  const { data, error, mutate } = useConnectionsOf(useOrganizationId(), app.id);
  return { connections: data?.items ?? [], isKnown: data !== undefined, error: error as unknown, retry: () => void mutate() };
}
