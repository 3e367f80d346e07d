import { client, unwrap } from '~/api/http/client';
import type { ConfigurationFile } from '~/api/types';

export const exportConfiguration = (organizationId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/configuration', { params: { path: { organizationId } } }));

export const planConfiguration = (organizationId: string, body: ConfigurationFile) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/configuration/plan', { params: { path: { organizationId } }, body }),
  );

export const applyConfiguration = (organizationId: string, body: ConfigurationFile, digest: string) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/configuration/apply', {
      params: { path: { organizationId }, query: { digest } },
      body,
    }),
  );
