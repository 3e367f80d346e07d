import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';

const of = (organizationId: string, appId: string) => ({ params: { path: { organizationId, appId } } });

/** What stops when the app is disconnected. */
const getAppImpact = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/impact', of(organizationId, appId)));

const getAppHistory = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/history', of(organizationId, appId)));

/** Withdraws the access at the platform; what uses the app stays and waits. */
export const disconnectApp = (organizationId: string, appId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/disconnect', of(organizationId, appId)));

/** A link by which somebody without a login reconnects this app, once, within 24 h. */
export const shareApp = (organizationId: string, appId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/share-link', of(organizationId, appId)));

export const revokeShareLink = (organizationId: string, appId: string) =>
  unwrap(client.DELETE('/api/v1/organizations/{organizationId}/apps/{appId}/share-link', of(organizationId, appId)));

/** Says yes to the other user who has just signed in, within 10 minutes. */
export const acceptOtherUser = (organizationId: string, state: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/apps/oauth/accept-other-user', {
      params: { path: { organizationId } },
      body: { state },
    }),
  );

export const useAppImpact = (organizationId: string, appId: string | null) =>
  useSWR(appId === null ? null : keys.appImpact(organizationId, appId), () => getAppImpact(organizationId, appId ?? ''));

export const useAppHistory = (organizationId: string, appId: string) =>
  useSWR(keys.appHistory(organizationId, appId), () => getAppHistory(organizationId, appId));
