import type { ReconnectNeeded } from '../../connectors/kit/errors.js';
import type { App } from '../../generated/prisma/client.js';
import { toFailure } from '../../core/http/failures.js';
import type { TenantClient } from '../../core/database/tenant-database.js';
import type { AppHistory } from '../../audit/index.js';

/**
 * The app is dead until somebody signs in again; everything that uses it says so. `version`: of the app when its credentials were
 * opened. Who has signed in since counted it up, and what the provider said of the credentials before is nothing about the new ones.
 * False: there are newer ones.
 */
export async function markNeedsReauth(
  client: Pick<TenantClient, 'app' | 'appEvent'>,
  history: AppHistory,
  { organizationId, id, version }: Pick<App, 'organizationId' | 'id' | 'version'>,
  error: ReconnectNeeded,
): Promise<boolean> {
  const failure = { ...toFailure(error) };
  const { count } = await client.app.updateMany({
    where: { id, version, state: { in: ['connected', 'expiring'] } },
    data: { state: 'needs_reauth', failure, needsReauthSince: new Date(), nextProbeAt: null },
  });
  if (count > 0) {
    await history.keep({ organizationId, appId: id, event: 'needs_reauth', detail: error.message }, client);
    return true;
  }
  const stillDead = await client.app.updateMany({ where: { id, version, state: 'needs_reauth' }, data: { failure } });
  if (stillDead.count > 0) return true;
  return (await client.app.count({ where: { id, state: { in: ['connected', 'expiring'] } } })) === 0;
}
