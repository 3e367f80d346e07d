import type { RunKind } from '../../generated/prisma/client.js';
import type { Failure } from '../../core/http/failure.dto.js';
import type { RunParties } from '../ledger/sync.queries.js';

/** Scheduled runs keep the rest of the quota: from this usage on, backfills wait for its reset. */
const BACKFILL_LIMIT_PERCENT = 75;
/** The reported usage may be outdated, so a backfill does not wait longer before it asks again. */
const LONGEST_BACKFILL_WAIT_MS = 15 * 60_000;

export interface QuotaPause {
  until: Date;
  reason: Failure;
}

/** Why a run must not call the platforms of its source and destination yet; null if it may. The longest pause applies. */
export function quotaPauseOf(parties: RunParties, kind: RunKind, now: Date): QuotaPause | null {
  const pauses = [
    pauseOf(parties.sourcePausedUntil, parties.sourcePause),
    pauseOf(parties.destinationPausedUntil, parties.destinationPause),
    kind === 'backfill' ? backfillPauseOf(parties, now) : null,
  ];
  return pauses
    .filter((pause) => pause !== null && pause.until > now)
    .reduce((longest, pause) => (longest && pause && longest.until >= pause.until ? longest : pause), null);
}

const pauseOf = (until: Date | null, reason: Failure | null): QuotaPause | null => (until && reason ? { until, reason } : null);

function backfillPauseOf({ sourceQuota, sourceProvider }: RunParties, now: Date): QuotaPause | null {
  if (!sourceQuota?.resetAt || sourceQuota.usedPercent < BACKFILL_LIMIT_PERCENT) return null;
  const until = new Date(Math.min(Date.parse(sourceQuota.resetAt), now.getTime() + LONGEST_BACKFILL_WAIT_MS));
  const used = Math.round(sourceQuota.usedPercent);
  return {
    until,
    reason: {
      class: 'quota',
      code: `${sourceProvider}.quota_kept_for_schedule`,
      message: `${used} % of the platform's quota is used. The rest is kept for scheduled runs.`,
      action: 'No action needed: the backfill continues automatically',
      providerRequestId: null,
    },
  };
}
