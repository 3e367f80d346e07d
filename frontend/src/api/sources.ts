import useSWR from 'swr';
import { keys } from './keys';
import { request } from './request';
import type { Page, Source } from './types';

const root = (organizationId: string) => `/api/v1/organizations/${organizationId}/sources`;

export const listSources = (organizationId: string) =>
  request<Page<Source>>('GET', root(organizationId), { query: { limit: 100 } });

export const createSource = (organizationId: string, body: { appId: string; name: string; accountIds: string[] }) =>
  request<Source>('POST', root(organizationId), { body });

export const updateSource = (
  organizationId: string,
  id: string,
  body: { name?: string; accountIds?: string[]; version: number },
) => request<Source>('PATCH', `${root(organizationId)}/${id}`, { body });

export const deleteSource = (organizationId: string, id: string) => request<null>('DELETE', `${root(organizationId)}/${id}`);

export const useSources = (organizationId: string) => useSWR(keys.sources(organizationId), () => listSources(organizationId));

export const useSource = (organizationId: string, id: string) =>
  useSWR(keys.source(organizationId, id), () => request<Source>('GET', `${root(organizationId)}/${id}`));
