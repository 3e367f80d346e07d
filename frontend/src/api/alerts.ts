import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { AlertState } from './types';

/** The newest alerts of a state. Older ones are available in the API only. */
const PAGE_SIZE = 100;

export const useAlerts = (organizationId: string, state: AlertState) =>
  useSWR(keys.alerts(organizationId, { state }), () =>
    unwrap(
      client.GET('/api/v1/organizations/{organizationId}/alerts', {
        params: { path: { organizationId }, query: { state, limit: PAGE_SIZE } },
      }),
    ),
  );

export const acknowledgeAlert = (organizationId: string, alertId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/alerts/{alertId}/acknowledge', {
      params: { path: { organizationId, alertId } },
    }),
  );
