import useSWR from 'swr';
import { allPages, PAGE_SIZE } from './http/all-pages';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import { ApiProblem } from './http/problem';
import type { components } from './schema';

export const listSources = (organizationId: string) =>
  allPages((cursor) =>
    unwrap(
      client.GET('/api/v1/organizations/{organizationId}/sources', {
        params: { path: { organizationId }, query: { limit: PAGE_SIZE, cursor } },
      }),
    ),
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

const getSourceWindows = (organizationId: string, sourceId: string, refresh: 'true' | 'false') =>
  unwrap(
    client.GET('/api/v1/organizations/{organizationId}/sources/{sourceId}/windows', {
      params: { path: { organizationId, sourceId }, query: { refresh } },
    }),
  );

/** When the request budget is used up, the stored values are returned together with the reason. */
async function refreshSourceWindows(organizationId: string, sourceId: string) {
  try {
    return await getSourceWindows(organizationId, sourceId, 'true');
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'provider.budget_used') throw error;
    const stored = await getSourceWindows(organizationId, sourceId, 'false');
    const { code, message, action } = error;
    return { ...stored, failure: { class: 'quota', code, message, action: action ?? '', providerRequestId: null } };
  }
}

/**
 * The lookback window of each account. `mayRefresh`: whether the user may request missing values from the platform; null while
 * that is unknown.
 */
export const useSourceWindows = (organizationId: string, sourceId: string, mayRefresh: boolean | null) =>
  useSWR(
    mayRefresh === null ? null : keys.sourceWindows(organizationId, sourceId),
    () => (mayRefresh ? refreshSourceWindows(organizationId, sourceId) : getSourceWindows(organizationId, sourceId, 'false')),
    { revalidateOnFocus: false },
  );

export const useSources = (organizationId: string) => useSWR(keys.sources(organizationId), () => listSources(organizationId));

export const useSource = (organizationId: string, sourceId: string) =>
  useSWR(keys.source(organizationId, sourceId), () => getSource(organizationId, sourceId));
