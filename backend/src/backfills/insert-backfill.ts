import { z } from 'zod';
import type { Actor } from '../access/index.js';
import type { BackfillMode } from '../generated/prisma/client.js';
import { notFound, Problem } from '../core/http/problem.js';
import { dateToDay, dayToDate } from '../core/database/days.js';
import { jsonColumn } from '../core/database/json-column.js';
import type { TenantQuery, TenantTransaction } from '../core/database/tenant-database.js';
import { SLICE_DAYS } from '../sync/index.js';
import { ACTIVE_BACKFILLS } from './backfill-states.js';
import type { BackfillEstimate } from './backfills.dto.js';
import type { BackfillPlan } from './plan-backfill.js';

// SQL: locks the connection's row.

const estimateColumn = jsonColumn<BackfillEstimate>(
  z.object({
    from: z.string(),
    to: z.string(),
    adjustedFrom: z.string().nullable(),
    adjustedReason: z.string().nullable(),
    accountDays: z.number(),
    apiCalls: z.number(),
    rows: z.number().nullable(),
    minutes: z.number(),
  }),
);

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
  transaction: TenantTransaction,
  { id, connectionId, streams, accountIds, from, to }: Days,
): Promise<void> {
  const other = await transaction.backfill.findFirst({
    where: {
      ...{ connectionId, id: { not: id }, state: { in: ACTIVE_BACKFILLS } },
      ...{ streams: { hasSome: streams }, accountIds: { hasSome: accountIds } },
      ...{ dayFrom: { lte: dayToDate(to) }, dayTo: { gte: dayToDate(from) } },
    },
    orderBy: { id: 'asc' },
    select: { dayFrom: true, dayTo: true },
  });
  if (other)
    throw new Problem('backfill.overlaps', {
      detail: `An active backfill already loads ${dateToDay(other.dayFrom)} to ${dateToDay(other.dayTo)}.`,
      action: 'Choose other days, or cancel the active backfill',
    });
}

export async function insertBackfill(
  transaction: TenantTransaction,
  id: string,
  { organizationId, uid }: Actor,
  plan: Omit<BackfillPlan, 'mode'> & { mode: BackfillMode },
  estimate: BackfillEstimate,
): Promise<void> {
  const { connectionId, mode, streams, adjustedReason } = plan;
  await transaction.backfill.create({
    data: {
      ...{ organizationId, id, connectionId, mode, streams, adjustedReason, actor: uid },
      accountIds: plan.accounts.map(({ externalId }) => externalId),
      requestedFrom: dayToDate(plan.requestedFrom),
      dayFrom: dayToDate(plan.from),
      dayTo: dayToDate(plan.to),
      chunkDays: SLICE_DAYS,
      estimate: estimateColumn.write(estimate),
    },
    select: { id: true },
  });
}

export const nothingMissing = (): Problem =>
  new Problem('backfill.nothing_missing', {
    detail: 'All of these days are loaded.',
    action: 'Choose to replace loaded days, or choose other days',
  });
