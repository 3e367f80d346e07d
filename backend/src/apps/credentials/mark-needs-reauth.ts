import type { ReconnectNeeded } from '../../connectors/kit/errors.js';
import type { App } from '../../generated/prisma/client.js';
import { toFailure } from '../../core/http/failures.js';
import { queryWithin, type TenantClient } from '../../core/database/tenant-database.js';
import type { Alerts } from '../../alerts/index.js';
import type { AppHistory } from '../../audit/index.js';
import { nextProbeAt } from '../expiry.js';
import { saysGivenUp } from './refresh-errors.js';

/**
 * Marks the app: it needs reauthentication until a user signs in again. `version` is the app's version when its credentials were
 * opened. Each sign-in increments it, so an error of older credentials does not mark newer ones. False: there are newer
 * credentials. `client` is a transaction, of which the alert is a part.
 */
export async function markNeedsReauth(
  client: Pick<TenantClient, 'app' | 'appEvent' | '$queryRawUnsafe'>,
  { history, alerts }: { history: AppHistory; alerts: Alerts },
  { organizationId, id, version }: Pick<App, 'organizationId' | 'id' | 'version'>,
  error: ReconnectNeeded,
): Promise<boolean> {
  const failure = { ...toFailure(error) };
  const now = new Date();
  // A sign-in that was not rejected is still probed: its next renewal may work.
  const isGivenUp = saysGivenUp(error);
  const { count } = await client.app.updateMany({
    where: { id, version, state: { in: ['connected', 'expiring'] } },
    data: { state: 'needs_reauth', failure, needsReauthSince: now, nextProbeAt: isGivenUp ? nextProbeAt(now) : null },
  });
  if (count > 0) {
    await history.record({ organizationId, appId: id, event: 'needs_reauth', detail: error.message }, client);
    await alerts.open(queryWithin(client, organizationId), organizationId, { kind: 'app.needs_reauth', subjectId: id, failure });
    return true;
  }
  const stillDead = await client.app.updateMany({
    where: { id, version, state: 'needs_reauth' },
    data: { failure, ...(isGivenUp ? {} : { nextProbeAt: null }) },
  });
  if (stillDead.count > 0) return true;
  return (await client.app.count({ where: { id, state: { in: ['connected', 'expiring'] } } })) === 0;
}
