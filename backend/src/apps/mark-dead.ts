import type { ReconnectNeeded } from '../connectors/kit/errors.js';
import { toFailure } from '../platform/failures.js';
import type { TenantClient } from '../platform/tenant.js';
import type { AppHistory } from './app-history.service.js';

/** The app is dead until somebody signs in again; everything that uses it says so. */
export async function markDead(
  client: Pick<TenantClient, 'app' | 'appEvent'>,
  history: AppHistory,
  { organizationId, id }: { organizationId: string; id: string },
  error: ReconnectNeeded,
): Promise<void> {
  const failure = { ...toFailure(error) };
  const { count } = await client.app.updateMany({
    where: { id, state: { in: ['connected', 'expiring'] } },
    data: { state: 'needs_reauth', failure, needsReauthSince: new Date(), nextProbeAt: null },
  });
  if (count > 0) return history.keep({ organizationId, appId: id, event: 'needs_reauth', detail: error.message }, client);
  await client.app.updateMany({ where: { id, state: 'needs_reauth' }, data: { failure } });
}
