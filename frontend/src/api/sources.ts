import useSWR from 'swr';
import { client, unwrap } from './client';
import { keys } from './keys';
import type { components } from './schema';

export const listSources = (organizationId: string) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/sources', { params: { path: { organizationId }, query: { limit: 100 } } }),
  );

const getSource = (organizationId: string, sourceId: string) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/sources/{sourceId}', { params: { path: { organizationId, sourceId } } }),
  );

export const createSource = (organizationId: string, body: components['schemas']['CreateSourceBody']) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/sources', { params: { path: { organizationId } }, body }));

export const updateSource = (organizationId: string, sourceId: string, body: components['schemas']['UpdateSourceBody']) =>
  unwrap(
    client.PATCH('/api/v1/organizations/{organizationId}/sources/{sourceId}', {
      params: { path: { organizationId, sourceId } },
      body,
    }),
  );

export const deleteSource = (organizationId: string, sourceId: string) =>
  unwrap(
    client.DELETE('/api/v1/organizations/{organizationId}/sources/{sourceId}', {
      params: { path: { organizationId, sourceId } },
    }),
  );

export const restoreSource = (organizationId: string, sourceId: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/sources/{sourceId}/restore', {
      params: { path: { organizationId, sourceId } },
    }),
  );

const getSourceWindows = (organizationId: string, sourceId: string) =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/sources/{sourceId}/windows', {
      params: { path: { organizationId, sourceId } },
    }),
  );

/** How far back each account may still change, asked of the platform now. */
export const useSourceWindows = (organizationId: string, sourceId: string) =>
  useSWR(keys.sourceWindows(organizationId, sourceId), () => getSourceWindows(organizationId, sourceId), {
    revalidateOnFocus: false,
  });

export const useSources = (organizationId: string) => useSWR(keys.sources(organizationId), () => listSources(organizationId));

export const useSource = (organizationId: string, sourceId: string) =>
  useSWR(keys.source(organizationId, sourceId), () => getSource(organizationId, sourceId));
