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
  original: { id: string; state: ConversionEventState; targetKey: string | null } | null;
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
  originalTargetKey: string | null;
  originalPayload: Record<string, unknown> | null;
  originalOccurredAt: Date;
  currency: string | null;
  originalCurrency: string | null;
  /** Null: the original has no value. */
  remaining: string | null;
}

/** Refunds and corrections that were not sent yet. */
@Injectable()
export class Adjustments {
  constructor(private readonly tenants: TenantDatabase) {}

  /** At most one for each original, the oldest, because each contains the value that remains after the earlier ones. */
  async listDue({ organizationId, conversionId }: Claim, limit: number): Promise<DueAdjustment[]> {
    const rows = await this.tenants.query<Row>(
      organizationId,
      `select distinct on (a.adjusts) a.id, a.attempts, a.dedupe_key as "dedupeKey", a.occurred_at as "occurredAt",
              a.received_at as "receivedAt", o.id as "originalId", o.dedupe_key as "originalKey", 
              case when o.state = 'accepted' and o.code in ('conversions.partly_processed', 'conversions.result_unknown')
                   then 'processed' else o.state end as "originalState",
              o.target_key as "originalTargetKey",
              o.payload as "originalPayload", o.occurred_at as "originalOccurredAt", a.currency, o.currency as "originalCurrency",
              case when o.value is not null
                   then trim_scale(greatest(0, o.value - coalesce(sum(abs(e.value)), 0)))::text end as remaining
         from conversion_events a
         left join conversion_events o
           on o.organization_id = a.organization_id and o.conversion_id = a.conversion_id and o.dedupe_key = a.adjusts
         left join conversion_events e
           on e.organization_id = a.organization_id and e.conversion_id = a.conversion_id and e.adjusts = a.adjusts
              and (e.id = a.id or e.state in ('sent', 'accepted', 'processed'))
        where a.organization_id = $1 and a.conversion_id = $2 and a.adjusts is not null
          and (a.state = 'queued' or (a.state = 'retrying' and a.next_attempt_at <= now()))
        group by a.organization_id, a.conversion_id, a.id, o.organization_id, o.id
        order by a.adjusts, a.id limit $3`,
      [conversionId, limit],
    );
    return rows.map(toDue);
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
  const original = { id: originalId, state: row.originalState, targetKey: row.originalTargetKey };
  const problem = problemOf(row);
  if (problem || remaining === null || !originalPayload) return { ...due, original, adjustment: null, problem };
  const adjustment: Adjustment = {
    id: row.dedupeKey,
    original: { id: row.originalKey, payload: originalPayload },
    originalOccurredAt: row.originalOccurredAt,
    occurredAt: row.occurredAt,
    value: remaining,
    currency: row.originalCurrency ?? row.currency ?? '',
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
