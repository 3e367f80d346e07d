import type { Actor } from '../access/index.js';
import type { BackfillMode } from '../generated/prisma/client.js';
import { notFound, Problem } from '../core/http/problem.js';
import type { TenantQuery } from '../core/database/tenant-database.js';
import { SLICE_DAYS } from '../sync/index.js';
import { ACTIVE_BACKFILLS } from './backfill-states.js';
import type { BackfillEstimate } from './backfills.dto.js';
import type { BackfillPlan } from './plan-backfill.js';

// SQL: locks the connection's row.

export async function lockActive(
  query: TenantQuery,
  { connectionId, name }: { connectionId: string; name: string },
): Promise<void> {
  const [connection] = await query<{ desired: string }>(
    'select desired from connections where organization_id = $1 and id = $2 and deleted_at is null for no key update',
    [connectionId],
  );
  if (!connection) throw notFound('The connection');
  if (connection.desired === 'paused')
    throw new Problem('connection.paused', { detail: `${name} is paused.`, action: 'Resume the connection first' });
}

export interface Days {
  id: string;
  connectionId: string;
  streams: string[];
  accountIds: string[];
  from: string;
  to: string;
}

export async function assertNoOverlap(
  query: TenantQuery,
  { id, connectionId, streams, accountIds, from, to }: Days,
): Promise<void> {
  const [other] = await query<{ from: string; to: string }>(
    `select day_from as from, day_to as to from backfills
      where organization_id = $1 and connection_id = $2 and id <> $3 and state = any($4::backfill_state[])
        and streams && $5::text[] and account_ids && $6::text[] and day_from <= $8 and day_to >= $7
      order by id limit 1`,
    [connectionId, id, ACTIVE_BACKFILLS, streams, accountIds, from, to],
  );
  if (other)
    throw new Problem('backfill.overlaps', {
      detail: `An active backfill already loads ${other.from} to ${other.to}.`,
      action: 'Choose other days, or cancel the active backfill',
    });
}

export async function insertBackfill(
  query: TenantQuery,
  id: string,
  actor: Actor,
  plan: Omit<BackfillPlan, 'mode'> & { mode: BackfillMode },
  estimate: BackfillEstimate,
): Promise<void> {
  await query(
    `insert into backfills (organization_id, id, connection_id, mode, streams, account_ids, requested_from, day_from, day_to,
                            adjusted_reason, chunk_days, estimate, actor)
     values ($1, $2, $3, $4::backfill_mode, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      id,
      plan.connectionId,
      plan.mode,
      plan.streams,
      plan.accounts.map(({ externalId }) => externalId),
      plan.requestedFrom,
      plan.from,
      plan.to,
      plan.adjustedReason,
      SLICE_DAYS,
      estimate,
      actor.uid,
    ],
  );
}

export const nothingMissing = (): Problem =>
  new Problem('backfill.nothing_missing', {
    detail: 'All of these days are loaded.',
    action: 'Choose to replace loaded days, or choose other days',
  });
