import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { AlertState } from './types';

const PAGE_SIZE = 100;

export const listAlerts = (organizationId: string, query: { state: AlertState; cursor?: string }) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/alerts', {
      params: { path: { organizationId }, query: { ...query, limit: PAGE_SIZE } },
    }),
  );

/** The newest alerts of a state. */
export const useAlerts = (organizationId: string, state: AlertState) =>
  useSWR(keys.alerts(organizationId, { state }), () => listAlerts(organizationId, { state }));

export const acknowledgeAlert = (organizationId: string, alertId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/alerts/{alertId}/acknowledge', {
      params: { path: { organizationId, alertId } },
    }),
  );
