import useSWR from 'swr';
import { keys } from './keys';
import { request } from './request';
import type { AdAccount, App, Connector, Page, Provider } from './types';

const root = (organizationId: string) => `/api/v1/organizations/${organizationId}/apps`;

export const listApps = (organizationId: string) => request<Page<App>>('GET', root(organizationId), { query: { limit: 100 } });

export const getApp = (organizationId: string, id: string) => request<App>('GET', `${root(organizationId)}/${id}`);

export const createApp = (organizationId: string, body: { provider: Provider; displayName?: string }) =>
  request<App>('POST', root(organizationId), { body });

export const updateApp = (organizationId: string, id: string, body: { displayName: string; version: number }) =>
  request<App>('PATCH', `${root(organizationId)}/${id}`, { body });

export const deleteApp = (organizationId: string, id: string) => request<null>('DELETE', `${root(organizationId)}/${id}`);

export const startAuthorization = (organizationId: string, id: string, body: { returnTo?: string }) =>
  request<{ authorizeUrl: string; expiresAt: string }>('POST', `${root(organizationId)}/${id}/oauth/start`, { body });

export interface AuthorizationAnswer {
  state: string;
  code?: string;
  error?: string;
}

export const completeAuthorization = (organizationId: string, body: AuthorizationAnswer) =>
  request<{ app: App; returnTo: string | null }>('POST', `${root(organizationId)}/oauth/complete`, { body });

export const listAccounts = (organizationId: string, id: string, refresh: boolean) =>
  request<{ items: AdAccount[]; listedAt: string }>('GET', `${root(organizationId)}/${id}/accounts`, { query: { refresh } });

export const probeApp = (organizationId: string, id: string) => request<App>('POST', `${root(organizationId)}/${id}/probe`);

export const useApps = (organizationId: string) => useSWR(keys.apps(organizationId), () => listApps(organizationId));

export const useApp = (organizationId: string, id: string | null) =>
  useSWR(id === null ? null : keys.app(organizationId, id), () => getApp(organizationId, id ?? ''));

export const useCatalog = () =>
  useSWR(keys.catalog(), () => request<{ connectors: Connector[] }>('GET', '/api/v1/catalog'), { revalidateOnFocus: false });
