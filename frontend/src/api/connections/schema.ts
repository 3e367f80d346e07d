import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';

/** The newest changes. Older ones are available in the API. */
const SHOWN_CHANGES = 30;

const base = '/api/v1/organizations/{organizationId}/connections/{connectionId}';
const at = (organizationId: string, connectionId: string) => ({ params: { path: { organizationId, connectionId } } });

export const useConnectionSchema = (organizationId: string, connectionId: string) =>
  useSWR(keys.connectionSchema(organizationId, connectionId), () =>
    unwrap(client.GET(`${base}/schema`, at(organizationId, connectionId))),
  );

/** Pending changes first, then the newest of the decided ones. */
export const useSchemaChanges = (organizationId: string, connectionId: string) =>
  useSWR(keys.schemaChanges(organizationId, connectionId), async () => {
    const path = { organizationId, connectionId };
    const list = (query: { state?: 'pending'; limit: number }) =>
      unwrap(client.GET(`${base}/schema-changes`, { params: { path, query } }));
    const [pending, newest] = await Promise.all([list({ state: 'pending', limit: 100 }), list({ limit: SHOWN_CHANGES })]);
    return [...pending.items, ...newest.items.filter(({ state }) => state !== 'pending')];
  });

export const approveSchemaChange = (organizationId: string, connectionId: string, schemaChangeId: string) =>
  unwrap(
    client.POST(`${base}/schema-changes/{schemaChangeId}/approve`, {
      params: { path: { organizationId, connectionId, schemaChangeId } },
    }),
  );

export const ignoreSchemaChange = (organizationId: string, connectionId: string, schemaChangeId: string) =>
  unwrap(
    client.POST(`${base}/schema-changes/{schemaChangeId}/ignore`, {
      params: { path: { organizationId, connectionId, schemaChangeId } },
    }),
  );
