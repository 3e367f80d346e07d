import { useConnections } from '~/api/connections/connections';
import type { Connection } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';

/** As on the page of all connections, so that both share one response. */
const PAGE = { limit: 50 };

/** The first page of connections. If there are more, the server searches all of them, too. */
export function useFoundConnections(query: string): { connections: Connection[]; isLoading: boolean } {
  const organizationId = useOrganizationId();
  const { data: first, isLoading } = useConnections(organizationId, PAGE);
  const search = query.trim();
  const isSearched = search !== '' && first !== undefined && first.nextCursor !== null;
  const { data: found } = useConnections(organizationId, isSearched ? { ...PAGE, search } : PAGE);
  const items = [...(first?.items ?? []), ...(found?.items ?? [])];
  const byId = new Map(items.map((connection) => [connection.id, connection]));
  return { connections: [...byId.values()], isLoading };
}
