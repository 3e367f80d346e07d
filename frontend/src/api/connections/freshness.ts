import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { KEEP_WHILE_LOADING } from '~/api/http/keep-while-loading';
import { keys } from '~/api/http/keys';
import type { Freshness } from '~/api/types';

const DAYS_PATH = '/api/v1/organizations/{organizationId}/connections/{connectionId}/freshness';
const CONNECTION_BADGE = '/api/v1/organizations/{organizationId}/connections/{connectionId}/freshness/badge';
const ORGANIZATION_BADGE = '/api/v1/organizations/{organizationId}/freshness/badge';

/** A day becomes due without an event, so open pages look again. */
const REFRESH_MS = 60_000;

export const useFreshness = (organizationId: string, connectionId: string) =>
  useSWR(
    keys.freshness(organizationId, connectionId),
    () => unwrap(client.GET(DAYS_PATH, { params: { path: { organizationId, connectionId } } })),
    { refreshInterval: REFRESH_MS },
  );

async function listFreshness(organizationId: string, connectionIds: string[]): Promise<Freshness[]> {
  const query = { connectionIds, limit: connectionIds.length };
  const { items } = await unwrap(
    client.GET('/api/v1/organizations/{organizationId}/freshness', { params: { path: { organizationId }, query } }),
  );
  return items;
}

/** Of the connections that a page shows, at most 100. */
export const useFreshnessOf = (organizationId: string, connectionIds: string[]) =>
  useSWR(
    connectionIds.length === 0 ? null : keys.freshnessOf(organizationId, connectionIds),
    () => listFreshness(organizationId, connectionIds),
    { ...KEEP_WHILE_LOADING, refreshInterval: REFRESH_MS },
  );

/** `connectionId: null` is the badge of the organization. */
export const useBadge = (organizationId: string, connectionId: string | null) =>
  useSWR(keys.badge(organizationId, connectionId), () =>
    connectionId === null
      ? unwrap(client.GET(ORGANIZATION_BADGE, { params: { path: { organizationId } } }))
      : unwrap(client.GET(CONNECTION_BADGE, { params: { path: { organizationId, connectionId } } })),
  );

export const createBadge = (organizationId: string, connectionId: string | null, label: string) =>
  connectionId === null
    ? unwrap(client.POST(ORGANIZATION_BADGE, { params: { path: { organizationId } }, body: { label } }))
    : unwrap(client.POST(CONNECTION_BADGE, { params: { path: { organizationId, connectionId } }, body: { label } }));

export const revokeBadge = (organizationId: string, badgeId: string) =>
  unwrap(
    client.DELETE('/api/v1/organizations/{organizationId}/freshness/badges/{badgeId}', {
      params: { path: { organizationId, badgeId } },
    }),
  );
