import { useAppImpact } from '../../api/app-care';
import { useConnections } from '../../api/connections';
import type { App, Connection } from '../../api/types';
import { useOrganizationId } from '../../session/organization-context';

/** Connections that read by an app or write with it. */
export function useAppConnections(app: App): { connections: Connection[]; isKnown: boolean } {
  const organizationId = useOrganizationId();
  const { data } = useConnections(organizationId, { limit: 100 });
  const { data: impact } = useAppImpact(organizationId, app.usedBy.connections > 0 ? app.id : null);
  const ids = new Set(impact?.connections.map(({ id }) => id));
  const connections = (data?.items ?? []).filter(({ id, source }) => source.appId === app.id || ids.has(id));
  return { connections, isKnown: data !== undefined };
}
