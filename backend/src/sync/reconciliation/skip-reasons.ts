import type { Failure } from '../../core/http/failure.dto.js';
import type { ReconciledConnection } from './reconciliations.queries.js';

/** Above this share of the quota, the rest is left to scheduled runs. */
const MOST_QUOTA_PERCENT = 80;
/** A provider that reports no end of its quota window counts again after this time. */
const QUOTA_AGE_MS = 3_600_000;

const skipped = (failure: Omit<Failure, 'providerRequestId'>): Failure => ({ ...failure, providerRequestId: null });

/** Why the platform must not be requested now; null: it can be. Nothing is requested to find out. */
export function skipReason(connection: ReconciledConnection, isClosed: boolean, isNightly: boolean): Failure | null {
  if (isClosed)
    return skipped({
      class: 'config',
      code: 'subscription.required',
      message: 'The subscription has lapsed, so nothing was compared.',
      action: 'Choose a plan',
    });
  if (connection.appState !== 'connected' && connection.appState !== 'expiring')
    return skipped({
      class: 'auth',
      code: connection.appFailure?.code ?? 'app.needs_reauth',
      message: `${connection.appName} needs to be reconnected, so nothing was compared.`,
      action: 'Reconnect the app',
    });
  if (isNightly && isShort(connection.quota))
    return skipped({
      class: 'quota',
      code: 'sync.quota_left_to_runs',
      message: `${connection.appName} has used ${connection.quota?.usedPercent} % of its quota. The rest is left to scheduled runs.`,
      action: 'No action needed: Tributary compares again the next night',
    });
  return null;
}

function isShort(quota: ReconciledConnection['quota']): boolean {
  if (quota === null || quota.usedPercent < MOST_QUOTA_PERCENT) return false;
  const endsAt = quota.resetAt === null ? Date.parse(quota.at) + QUOTA_AGE_MS : Date.parse(quota.resetAt);
  return endsAt > Date.now();
}

export const neverIdle: Failure = skipped({
  class: 'transient',
  code: 'sync.reconciliation_blocked',
  message: 'A run of the connection was active for 12 hours, so its days could not be compared.',
  action: 'Reconcile again when the run has ended',
});
