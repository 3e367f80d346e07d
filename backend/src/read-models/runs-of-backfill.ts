import type { TenantDatabase } from '../core/database/tenant-database.js';
import type { ProviderName } from '../connectors/kit/contract.js';

// SQL: one statement over backfills, their connections and their runs.

export interface CanceledResync extends Record<string, unknown> {
  table: string;
  stream: string;
  provider: ProviderName;
  destinationId: string;
  isBusy: boolean;
}

/** Undefined: there is no table to drop. A table that was swapped in has another name. */
export async function findCanceledResync(
  tenants: TenantDatabase,
  organizationId: string,
  backfillId: string,
): Promise<CanceledResync | undefined> {
  const [row] = await tenants.query<CanceledResync>(
    organizationId,
    `select s.table_name as "table", b.streams[1] as stream, a.provider, c.destination_id as "destinationId",
            exists (select from runs r where r.organization_id = $1 and r.connection_id = c.id and r.ended_at is null
                       and r.scope->'resync'->>'id' = b.id::text) as "isBusy"
       from resyncs s
       join backfills b on b.organization_id = $1 and b.id = s.backfill_id and b.state = 'cancelled'
       join connections c on c.organization_id = $1 and c.id = b.connection_id
       join sources o on o.organization_id = $1 and o.id = c.source_id
       join apps a on a.organization_id = $1 and a.id = o.app_id
      where s.organization_id = $1 and s.backfill_id = $2 and s.dropped_at is null`,
    [backfillId],
  );
  return row;
}

/** The run of a backfill that waits for a slot or a report. */
export async function findIdleRun(
  tenants: TenantDatabase,
  organizationId: string,
  backfillId: string,
): Promise<string | undefined> {
  const [idle] = await tenants.query<{ id: string }>(
    organizationId,
    `select r.id from runs r
      where r.organization_id = $1 and r.state in ('queued', 'waiting')
        and (r.id in (select k.run_id from backfill_chunks k where k.organization_id = $1 and k.backfill_id = $2 and k.state = 'running')
             or r.id in (select s.swap_run_id from resyncs s where s.organization_id = $1 and s.backfill_id = $2))`,
    [backfillId],
  );
  return idle?.id;
}

/** Whether the backfill of a run is still wanted, and whether a regular run of any organization has waited for a slot for so long. */
export async function readWaiting(
  tenants: TenantDatabase,
  { organizationId, runId }: { organizationId: string; runId: string },
  slotWaitSeconds: number,
): Promise<{ isWanted: boolean; isSlotNeeded: boolean }> {
  const [row] = await tenants.query<{ isWanted: boolean; isSlotNeeded: boolean }>(
    organizationId,
    `select exists (select from backfill_chunks k
                      join backfills b on b.organization_id = k.organization_id and b.id = k.backfill_id
                     where k.organization_id = $1 and k.run_id = $2 and b.state = 'running')
            or exists (select from resyncs s join backfills b on b.organization_id = s.organization_id and b.id = s.backfill_id
                        where s.organization_id = $1 and s.swap_run_id = $2 and b.state = 'running') as "isWanted",
            is_slot_needed($3) as "isSlotNeeded"`,
    [runId, slotWaitSeconds],
  );
  return row ?? { isWanted: false, isSlotNeeded: false };
}
