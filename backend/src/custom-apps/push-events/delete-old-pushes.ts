import type { Database } from '../../core/database/database.js';
import { PUSH_EVENT_DAYS, PUSH_RECEIPT_DAYS } from './push-limits.js';

// SQL: deletes a batch and lowers its counts in one statement that skips locked rows.

const MAX_EVENT_BATCH = 10_000;
const DAY_MS = 86_400_000;

/** Deletes expired events and receipts over all organizations, by age only. */
export async function deleteOldPushes({ pool, prisma }: Pick<Database, 'pool' | 'prisma'>): Promise<void> {
  while ((await deleteEvents(pool)) === MAX_EVENT_BATCH);
  const oldest = new Date(Date.now() - PUSH_RECEIPT_DAYS * DAY_MS);
  await prisma.pushReceipt.deleteMany({ where: { receivedAt: { lt: oldest } } });
}

/**
 * Deletes a batch of expired events and lowers their endpoints' counts. Batches are small, because senders wait for these
 * locks.
 */
async function deleteEvents(pool: Database['pool']): Promise<number> {
  const { rowCount } = await pool.query(
    `with old as (
       select id from push_events where received_at < now() - make_interval(days => $1)
        order by received_at limit $2 for update skip locked),
     gone as (delete from push_events e using old where e.id = old.id returning e.organization_id, e.app_id),
     counted as (
       update push_endpoints p set events_kept = p.events_kept - expired.events
         from (select organization_id, app_id, count(*)::int as events from gone group by organization_id, app_id) expired
        where p.organization_id = expired.organization_id and p.app_id = expired.app_id)
     select from gone`,
    [PUSH_EVENT_DAYS, MAX_EVENT_BATCH],
  );
  return rowCount ?? 0;
}
