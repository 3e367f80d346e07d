import useSWR from 'swr';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';

const at = (organizationId: string, appId: string) => ({ params: { path: { organizationId, appId } } });

/** What stops when the app is disconnected. */
const getAppImpact = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/impact', at(organizationId, appId)));

const getAppHistory = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/history', at(organizationId, appId)));

/** Revokes the access at the platform. Sources and connections of the app are kept and paused. */
export const disconnectApp = (organizationId: string, appId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/disconnect', at(organizationId, appId)));

/** Creates a link that lets a person without an account reconnect this app, once, within 24 h. */
export const shareApp = (organizationId: string, appId: string) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/share-link', at(organizationId, appId)));

export const revokeShareLink = (organizationId: string, appId: string) =>
  unwrap(client.DELETE('/api/v1/organizations/{organizationId}/apps/{appId}/share-link', at(organizationId, appId)));

/** Accepts a sign-in with another platform user, within 10 minutes after it. */
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
