import useSWR from 'swr';
import { allPages, PAGE_SIZE } from './http/all-pages';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { components } from './schema';

export const listApps = (organizationId: string) =>
  allPages((cursor) =>
    unwrap(
      client.GET('/api/v1/organizations/{organizationId}/apps', {
        params: { path: { organizationId }, query: { limit: PAGE_SIZE, cursor } },
      }),
    ),
  );

export const getApp = (organizationId: string, appId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/apps/{appId}', { params: { path: { organizationId, appId } } }));

type CreateAppBody = components['schemas']['CreateAppBody'];

/** The provider is any name of the catalog: the API document lists those of this build only. */
export function createApp(organizationId: string, app: Omit<CreateAppBody, 'provider'> & { provider: string }) {
  const body = app as CreateAppBody;
  return unwrap(client.POST('/api/v1/organizations/{organizationId}/apps', { params: { path: { organizationId } }, body }));
}

export const updateApp = (organizationId: string, appId: string, body: components['schemas']['UpdateAppBody']) =>
  unwrap(
    client.PATCH('/api/v1/organizations/{organizationId}/apps/{appId}', { params: { path: { organizationId, appId } }, body }),
  );

export const updateSourceDefaults = (
  organizationId: string,
  appId: string,
  body: components['schemas']['UpdateSourceDefaultsBody'],
) =>
  unwrap(
    client.PATCH('/api/v1/organizations/{organizationId}/apps/{appId}/source-defaults', {
      params: { path: { organizationId, appId } },
      body,
    }),
  );

export const deleteApp = (organizationId: string, appId: string) =>
  unwrap(client.DELETE('/api/v1/organizations/{organizationId}/apps/{appId}', { params: { path: { organizationId, appId } } }));

export const startAuthorization = (organizationId: string, appId: string, body: components['schemas']['StartOauthBody']) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/oauth/start', {
      params: { path: { organizationId, appId } },
      body,
    }),
  );

export type AuthorizationAnswer = components['schemas']['CompleteOauthBody'];

export const completeAuthorization = (organizationId: string, body: AuthorizationAnswer) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/apps/oauth/complete', { params: { path: { organizationId } }, body }),
  );

/** Requests the accounts of the app from the provider. A list of the last five minutes is returned unchanged. */
export const relistAccounts = (organizationId: string, appId: string) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/apps/{appId}/accounts', {
      params: { path: { organizationId, appId }, query: { refresh: 'true' } },
    }),
  );

/** Replaces the key of an app that has no sign-in. */
export const enterAppKey = (organizationId: string, appId: string, body: components['schemas']['EnterAppKeyBody']) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/credentials', {
      params: { path: { organizationId, appId } },
      body,
    }),
  );

export const probeApp = (organizationId: string, appId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/apps/{appId}/probe', { params: { path: { organizationId, appId } } }),
  );

export const useApps = (organizationId: string) => useSWR(keys.apps(organizationId), () => listApps(organizationId));

export const useApp = (organizationId: string, appId: string | null) =>
  useSWR(appId === null ? null : keys.app(organizationId, appId), () => getApp(organizationId, appId ?? ''));
