import useSWR from 'swr';
import { allPages, PAGE_SIZE } from './http/all-pages';
import { client, unwrap } from './http/client';
import { keys } from './http/keys';
import type { NewApiKey } from './types';

export const createApiKey = (organizationId: string, body: NewApiKey) =>
  unwrap(client.POST('/api/v1/organizations/{organizationId}/api-keys', { params: { path: { organizationId } }, body }));

export const deleteApiKey = (organizationId: string, keyId: string) =>
  unwrap(
    client.DELETE('/api/v1/organizations/{organizationId}/api-keys/{keyId}', { params: { path: { organizationId, keyId } } }),
  );

export const useApiKeys = (organizationId: string, isAllowed: boolean) =>
  useSWR(isAllowed ? keys.apiKeys(organizationId) : null, () =>
    allPages((cursor) =>
      unwrap(
        client.GET('/api/v1/organizations/{organizationId}/api-keys', {
          params: { path: { organizationId }, query: { limit: PAGE_SIZE, cursor } },
        }),
      ),
    ),
  );
