import type { ConversionOutcome, ConversionTraits } from '../../connectors/kit/conversion-target.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { ConversionLedger } from '../ledger/conversion-ledger.js';

// SQL: in the ledger's fenced transaction.

interface SentBatch {
  conversionId: string;
  requestId: string;
  isAdjustment: boolean;
  outcomes: ConversionOutcome[];
  statusAfter: ConversionTraits['statusPoll'];
  now: Date;
}

/** A batch may have been split: each id of the platform becomes a request. Returns the request of an outcome. */
export async function storeRequests(
  ledger: ConversionLedger,
  query: TenantQuery,
  { conversionId, requestId, isAdjustment, outcomes, statusAfter, now }: SentBatch,
): Promise<(outcome: ConversionOutcome) => string> {
  const nextStatusAt = statusAfter && new Date(now.getTime() + statusAfter.firstAfterSeconds * 1_000);
  const ids = new Map<string, string>();
  for (const providerId of new Set(outcomes.flatMap((outcome) => providerIdOf(outcome) ?? []))) {
    const own = outcomes.filter((outcome) => providerIdOf(outcome) === providerId);
    const id =
      ids.size === 0 ? requestId : await ledger.addRequest(query, conversionId, { eventCount: own.length, isAdjustment });
    ids.set(providerId, id);
    const isPending = own.some(({ state }) => state === 'pending');
    await query(
      `update conversion_requests set state = $3::conversion_request_state, provider_request_id = $4, event_count = $5,
              next_status_at = $6, answered_at = now() where organization_id = $1 and id = $2`,
      [id, isPending ? 'processing' : 'answered', providerId, own.length, isPending ? nextStatusAt : null],
    );
  }
  if (ids.size === 0) {
    const isUnknown = outcomes.some(({ state }) => state === 'unknown');
    await query(
      `update conversion_requests set state = $3::conversion_request_state, answered_at = case when $4 then null else now() end
        where organization_id = $1 and id = $2`,
      [requestId, isUnknown ? 'unknown' : 'answered', isUnknown],
    );
  }
  return (outcome) => ids.get(providerIdOf(outcome) ?? '') ?? requestId;
}

const providerIdOf = (outcome: ConversionOutcome): string | null =>
  outcome.state === 'accepted' || outcome.state === 'pending' ? outcome.requestId : null;

/**
 * Up to this many events are sent one by one to a platform that reports its later decision only for a whole request. Their
 * outcomes are then exact. Google allows 300 requests a minute for the whole installation.
 */
export const EXACT_EVENTS = 100;

export function batchSize({ exactness, maxBatchSize }: ConversionTraits, due: number): number {
  return exactness.processing === 'request' && due <= EXACT_EVENTS ? 1 : maxBatchSize;
}
