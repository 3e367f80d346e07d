import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';

const path = '/api/v1/organizations/{organizationId}/connections/{connectionId}/audit';
const at = (organizationId: string, connectionId: string) => ({ params: { path: { organizationId, connectionId } } });
/** An audit may end between two live events, so an active one is polled. */
const WHILE_RUNNING_MS = 3_000;

export const startConnectionAudit = (organizationId: string, connectionId: string) =>
  unwrap(client.POST(path, at(organizationId, connectionId)));

export const useConnectionAudit = (organizationId: string, connectionId: string) =>
  useSWR(keys.connectionAudit(organizationId, connectionId), () => unwrap(client.GET(path, at(organizationId, connectionId))), {
    refreshInterval: (answer) => (answer?.current ? WHILE_RUNNING_MS : 0),
  });
