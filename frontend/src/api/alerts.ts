import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import { useOlderPages } from './http/use-older-pages';
import type { AlertPage, AlertState } from './types';

const PAGE_SIZE = 100;

const listAlerts = (organizationId: string, query: { state: AlertState; cursor?: string }) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/alerts', {
      params: { path: { organizationId }, query: { ...query, limit: PAGE_SIZE } },
    }),
  );

/** The newest alerts of a state. */
export const useAlerts = (organizationId: string, state: AlertState) =>
  useSWR(keys.alerts(organizationId, { state }), () => listAlerts(organizationId, { state }));

/** All loaded alerts of a state. `useAlerts` refreshes the first page. */
export const useOlderAlerts = (organizationId: string, state: AlertState, first: AlertPage | undefined) =>
  useOlderPages({
    // A change of the alerts also loads the shown older pages again.
    key: keys.alerts(organizationId, { state, isOlder: true }),
    first,
    load: (cursor) => listAlerts(organizationId, { state, cursor }),
    idOf: ({ id }) => id,
  });

export const acknowledgeAlert = (organizationId: string, alertId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/alerts/{alertId}/acknowledge', {
      params: { path: { organizationId, alertId } },
    }),
  );
