import { client, sendWithin, unwrap } from '~/api/http/client';
import { ApiProblem, NetworkProblem } from '~/api/http/problem';
import type { ConfigurationFile } from '~/api/types';

export const exportConfiguration = (organizationId: string) =>
  unwrap(client.GET('/api/v1/organizations/{organizationId}/configuration', { params: { path: { organizationId } } }));

export const planConfiguration = (organizationId: string, body: ConfigurationFile) =>
  unwrap(
    client.POST('/api/v1/organizations/{organizationId}/configuration/plan', { params: { path: { organizationId } }, body }),
  );

/** The server waits up to 10 s for a connection to its database, and works on an import for up to 120 s. */
const APPLY_TIMEOUT_MS = 150_000;

/** No response arrived, so the import may have been applied, or still be running. */
export class UnknownImportOutcome extends NetworkProblem {}

/** A gateway ended the call before the server responded: these responses have no code of the product. */
const isFromGateway = (error: unknown): boolean => error instanceof ApiProblem && ['http.502', 'http.504'].includes(error.code);

export async function applyConfiguration(organizationId: string, body: ConfigurationFile, digest: string) {
  try {
    return await unwrap(
      client.POST('/api/v1/organizations/{organizationId}/configuration/apply', {
        params: { path: { organizationId }, query: { digest } },
        body,
        fetch: sendWithin(APPLY_TIMEOUT_MS),
      }),
    );
  } catch (error) {
    if (error instanceof Error && (error instanceof NetworkProblem || isFromGateway(error)))
      throw new UnknownImportOutcome(error.message);
    throw error;
  }
}
