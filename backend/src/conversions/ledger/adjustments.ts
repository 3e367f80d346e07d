import { Injectable } from '@nestjs/common';
import type { Adjustment } from '../../connectors/kit/conversion-target.js';
import type { ConversionEventState } from '../../generated/prisma/client.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import type { Claim } from './conversion-ledger.js';
import type { LedgerReason } from './prepare-event.js';

// SQL: computes the value that remains of each original in one statement.

export interface DueAdjustment {
  id: string;
  attempts: number;
  receivedAt: Date;
  /** Null: the event that it adjusts was not read yet. */
  original: { id: string; state: ConversionEventState; attempts: number; targetKey: string | null } | null;
  /** Null without an original, or if the value that remains cannot be computed. */
  adjustment: Adjustment | null;
  /** Why it cannot be computed. */
  problem: { code: LedgerReason; message: string } | null;
}

interface Row {
  id: string;
  attempts: number;
  dedupeKey: string;
  occurredAt: Date;
  receivedAt: Date;
  originalId: string | null;
  originalKey: string;
  originalState: ConversionEventState;
  originalAttempts: number;
  originalTargetKey: string | null;
  originalPayload: Record<string, unknown> | null;
  originalOccurredAt: Date;
  currency: string | null;
  originalCurrency: string | null;
  /** Null: the original has no value. */
  remaining: string | null;
  /** The platform took earlier adjustments after which nothing remained. */
  isRemoved: boolean;
}

/** The platform took the original, and never said whether it counts. */
const TAKEN_UNDECIDED = `(o.state in ('accepted', 'dead')
                    and coalesce(o.code, '') in ('conversions.partly_processed', 'conversions.result_unknown'))`;

/**
 * What was refunded in total, including the adjustment `a` itself and earlier ones that the platform rejected or never answered: each
 * adjustment has the value that remains, so a later one also repairs the effect of those. A refund is its amount, with either sign. If one is negative, they are
 * amounts of money that moved, so a positive one gave money back: a refund that failed, or a dispute that was won.
 */
const REFUNDS = `
  select case when min(e.value) < 0 then -1 else 1 end * sum(e.value) filter (
           where e.id = a.id or e.state in ('sent', 'accepted', 'processed')
              or (e.state in ('retrying', 'rejected', 'unmatched', 'dead') and e.attempts > 0)) as total,
         case when min(e.value) < 0 then -1 else 1 end * sum(e.value) filter (
           where e.id <> a.id and e.state in ('accepted', 'processed')) as taken
    from conversion_events e
   where e.organization_id = a.organization_id and e.conversion_id = a.conversion_id and e.adjusts = a.adjusts`;

/** Another adjustment of the same original in a request that the platform has yet to process. */
const OPEN_PREDECESSOR = `
  select from conversion_events e
    join conversion_requests r on r.organization_id = e.organization_id and r.id = e.request_id
   where e.organization_id = a.organization_id and e.conversion_id = a.conversion_id and e.adjusts = a.adjusts
     and e.state = 'accepted' and r.next_status_at is not null`;

/** Refunds and corrections that were not sent yet. */
@Injectable()
export class Adjustments {
  constructor(private readonly tenants: TenantDatabase) {}

  /**
   * At most one for each original, the oldest, because each contains the value that remains after the earlier ones. An adjustment
   * whose predecessor the platform has yet to process is not due: both would change the original in any order.
   *
   * @param isDecidedLater whether the platform decides about accepted events later
   */
  async listDue({ organizationId, conversionId }: Claim, limit: number, isDecidedLater: boolean): Promise<DueAdjustment[]> {
    const rows = await this.tenants.query<Row>(
      organizationId,
      `select distinct on (a.adjusts) a.id, a.attempts, a.dedupe_key as "dedupeKey", a.occurred_at as "occurredAt",
              a.received_at as "receivedAt", o.id as "originalId", o.dedupe_key as "originalKey",
              case when ${TAKEN_UNDECIDED} then 'processed' else o.state end as "originalState",
              o.attempts as "originalAttempts", o.target_key as "originalTargetKey",
              o.payload as "originalPayload", o.occurred_at as "originalOccurredAt", a.currency, o.currency as "originalCurrency",
              case when o.value is not null
                   then trim_scale(least(o.value, greatest(0, o.value - coalesce(refunds.total, 0))))::text end as remaining,
              coalesce(refunds.taken >= o.value, false) as "isRemoved"
         from conversion_events a
         left join conversion_events o
           on o.organization_id = a.organization_id and o.conversion_id = a.conversion_id and o.dedupe_key = a.adjusts
         left join lateral (${REFUNDS}) refunds on true
        where a.organization_id = $1 and a.conversion_id = $2 and a.adjusts is not null
          and (a.state = 'queued' or (a.state = 'retrying' and (a.next_attempt_at <= now()
               or (a.code = 'waiting_for_original' and (o.payload is not null or o.state = 'ineligible')
                   and o.state not in ('queued', 'retrying', 'sent') and (o.state <> 'accepted' or ${TAKEN_UNDECIDED} or not $4)))))
          and not exists (${OPEN_PREDECESSOR})
        order by a.adjusts, a.id limit $3`,
      [conversionId, limit, isDecidedLater],
    );
    return rows.map(toDue);
  }

  /** Those that are due and wait for the platform's decision about an earlier one. */
  async listBlocked(query: TenantQuery, conversionId: string): Promise<string[]> {
    const rows = await query<{ id: string }>(
      `select a.id from conversion_events a
        where a.organization_id = $1 and a.conversion_id = $2 and a.adjusts is not null
          and a.state = 'retrying' and a.next_attempt_at <= now() and exists (${OPEN_PREDECESSOR})`,
      [conversionId],
    );
    return rows.map(({ id }) => id);
  }

  /** The originals of adjustments that the platform took. */
  async listOriginals(query: TenantQuery, conversionId: string, adjustmentIds: string[]): Promise<string[]> {
    const rows = await query<{ id: string }>(
      `select distinct o.id from conversion_events a
         join conversion_events o
           on o.organization_id = a.organization_id and o.conversion_id = a.conversion_id and o.dedupe_key = a.adjusts
        where a.organization_id = $1 and a.conversion_id = $2 and a.id = any($3::uuid[]) and o.state <> 'adjusted'`,
      [conversionId, adjustmentIds],
    );
    return rows.map(({ id }) => id);
  }
}

function toDue(row: Row): DueAdjustment {
  const { id, attempts, receivedAt, originalId, originalPayload, remaining } = row;
  const due = { id, attempts, receivedAt };
  if (!originalId) return { ...due, original: null, adjustment: null, problem: null };
  const original = {
    id: originalId,
    state: row.originalState,
    attempts: row.originalAttempts,
    targetKey: row.originalTargetKey,
  };
  const problem = problemOf(row);
  if (problem || remaining === null || !originalPayload) return { ...due, original, adjustment: null, problem };
  const adjustment: Adjustment = {
    id: row.dedupeKey,
    original: { id: row.originalKey, payload: originalPayload },
    originalOccurredAt: row.originalOccurredAt,
    occurredAt: row.occurredAt,
    value: remaining,
    currency: row.originalCurrency ?? row.currency ?? '',
    isRemoved: row.isRemoved,
  };
  return { ...due, original, adjustment, problem: null };
}

/** A platform would take the value 0 for a full refund. */
function problemOf({ remaining, currency, originalCurrency }: Row): DueAdjustment['problem'] {
  if (remaining === null)
    return { code: 'value_missing', message: 'The order of this refund has no value, so the value that remains is not known.' };
  if (currency !== null && originalCurrency !== null && currency !== originalCurrency)
    return { code: 'currency_differs', message: `The refund is in ${currency} and its order in ${originalCurrency}.` };
  return null;
}
