import { Injectable } from '@nestjs/common';
import type { AdAccount, Day, Target } from '../../connectors/kit/contract.js';
import { FixSettings } from '../../connectors/kit/errors.js';
import { HASHED_IDENTITY } from '../../connectors/kit/rows/hashed-columns.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { Lease } from '../ledger/lease.js';
import { insertPlan, RunLedger } from '../ledger/run-ledger.js';
import { deletePlan, LOST } from '../ledger/stream-targets.js';
import { daysBusy } from '../run/run-errors.js';
import type { ResyncScope } from '../run/run-scope.js';
import { listLoadedRanges, listStaleDays, moveDays } from './resync-days.js';

// SQL: fenced by the lease, in its transaction.

/** What the product database knows of a re-sync. Every write is fenced by the run's lease. */
@Injectable()
export class Resyncs {
  constructor(private readonly ledger: RunLedger) {}

  /** The new table as its first run found it; null: no run has found it yet. */
  async findLoaded(lease: Lease, { id }: ResyncScope): Promise<Target | null> {
    const row = await this.one<{ loaded: Target | null }>(
      lease,
      'select loaded from resyncs where organization_id = $1 and backfill_id = $2',
      [id],
    );
    return row?.loaded ?? null;
  }

  /** Stores the new table of the first run. Later runs must find the same table, with columns of the same meaning. */
  async identify(lease: Lease, { id }: ResyncScope, found: Target): Promise<void> {
    const row = await this.one<{ isSame: boolean }>(
      lease,
      `update resyncs set loaded = coalesce(loaded, $3::jsonb) where organization_id = $1 and backfill_id = $2
       returning loaded = $3::jsonb as "isSame"`,
      [id, JSON.stringify(found)],
    );
    if (!row?.isSame) throw changedMeanwhile();
  }

  /** No other run of the connection may load until the swap, because its rows would be lost with the old table. */
  async planSwap(lease: Lease, { id, stream }: ResyncScope, accounts: AdAccount[], now: Date): Promise<void> {
    await this.ledger.fenced(lease, async (query) => {
      if (await isBusy(query, lease)) throw daysBusy();
      const stale = { connectionId: lease.connectionId, backfillId: id, stream };
      await insertPlan(query, lease.runId, await listStaleDays(query, stale, { accounts, now, readsLastDays: true }));
    });
  }

  /**
   * From now on the re-sync cannot be paused or canceled. Null: it was, or not all of its last days are loaded. If other runs loaded
   * while this one waited for a retry, the last days are planned again.
   */
  async beginSwap(
    lease: Lease,
    { id, stream }: ResyncScope,
    { replaced, accounts }: { replaced: Target | null; accounts: AdAccount[] },
  ): Promise<{ accountId: string; from: Day; to: Day }[] | null> {
    let loaded: { accountId: string; from: Day; to: Day }[] | null = null;
    let isReleased = false;
    await this.ledger.fenced(lease, async (query) => {
      const stale = { connectionId: lease.connectionId, backfillId: id, stream };
      const isLate =
        (await isBusy(query, lease)) ||
        (await listStaleDays(query, stale, { accounts, now: new Date(), readsLastDays: false })).length > 0;
      if (isLate && (await hasLoadedAll(query, lease.runId))) {
        isReleased = true;
        return deletePlan(query, lease.runId);
      }
      const begun = await query(
        `update resyncs s set swap_started_at = now(), replaced = $4 from backfills b
          where s.organization_id = $1 and s.backfill_id = $2 and b.organization_id = $1 and b.id = s.backfill_id and b.state = 'running'
            and not exists (select from run_slices d where d.organization_id = $1 and d.run_id = $3 and d.state <> 'done')
         returning s.backfill_id`,
        [id, lease.runId, replaced && JSON.stringify(replaced)],
      );
      if (begun.length > 0) loaded = await listLoadedRanges(query, id);
    });
    if (isReleased) throw daysBusy();
    return loaded;
  }

  /** The swap was rolled back. Other runs may load again, so the last days are read again by the next attempt. */
  async endAttempt(lease: Lease, { id }: ResyncScope): Promise<void> {
    await this.ledger.fenced(lease, async (query) => {
      await query('update resyncs set swap_started_at = null where organization_id = $1 and backfill_id = $2', [id]);
      await deletePlan(query, lease.runId);
    });
    lease.isPlanned = false;
  }

  /** The swap was applied: coverage and targets follow the table, for all connections that write it. */
  async commit(lease: Lease, { id, stream }: ResyncScope, place: string): Promise<void> {
    await this.ledger.fenced(lease, async (query) => {
      const [resync] = await query<{ loaded: Target; replaced: Target | null }>(
        `update resyncs set swapped_at = now() where organization_id = $1 and backfill_id = $2 and swapped_at is null
         returning loaded, replaced`,
        [id],
      );
      if (!resync) return;
      const { loaded, replaced } = resync;
      await moveDays(query, lease, id, stream);
      if (replaced) await moveOthers(query, lease.connectionId, replaced, { ...loaded, place });
      await query(
        `insert into stream_targets (organization_id, connection_id, stream, target, columns) values ($1, $2, $3, $4, $5)
         on conflict (organization_id, connection_id, stream) do update set since = now(), target = excluded.target, columns = excluded.columns`,
        [lease.connectionId, stream, place, JSON.stringify(loaded.columns)],
      );
      await query(
        `update schema_changes set state = 'applied', decided_at = now()
          where organization_id = $1 and connection_id = $2 and stream = $3 and kind = 'table_changed' and state = 'pending'`,
        [lease.connectionId, stream],
      );
    });
  }

  private async one<Row extends object>(lease: Lease, sql: string, parameters: unknown[]): Promise<Row | undefined> {
    let row: Row | undefined;
    await this.ledger.fenced(lease, async (query) => {
      [row] = await query<Row & Record<string, unknown>>(sql, parameters);
    });
    return row;
  }
}

/** Another run of the connection is going to load. The lock lasts until the transaction ends. */
async function isBusy(query: TenantQuery, { connectionId, runId }: Lease): Promise<boolean> {
  await query('select 1 from connections where organization_id = $1 and id = $2 for no key update', [connectionId]);
  const busy = await query(
    `select from runs r join run_slices s on s.organization_id = r.organization_id and s.run_id = r.id
      where r.organization_id = $1 and r.connection_id = $2 and r.id <> $3 and r.ended_at is null
        and s.state in ('pending', 'running') limit 1`,
    [connectionId, runId],
  );
  return busy.length > 0;
}

async function hasLoadedAll(query: TenantQuery, runId: string): Promise<boolean> {
  const open = await query(`select from run_slices where organization_id = $1 and run_id = $2 and state <> 'done' limit 1`, [
    runId,
  ]);
  return open.length === 0;
}

/**
 * The rows of other connections were copied. A column of theirs is still loaded if it was loaded in the old table and its values
 * were copied unchanged; otherwise it counts as lost and their next run loads it again.
 */
async function moveOthers(query: TenantQuery, connectionId: string, replaced: Target, next: Target): Promise<void> {
  const plain = (identity: string) => `replace(${identity}, '${HASHED_IDENTITY}', '')`;
  await query(
    `update stream_targets l
        set target = $4, since = now(),
            columns = case when l.columns is not null then (
              select coalesce(jsonb_object_agg(held.name,
                       case when ${plain('held.identity')} = $5::jsonb->>held.name and $6::jsonb ? held.name
                            then ${plain('($6::jsonb->>held.name)')} || case when held.identity like '%${HASHED_IDENTITY}' then '${HASHED_IDENTITY}' else '' end
                            else '${LOST}' end), '{}')
                from jsonb_each_text(l.columns) as held(name, identity)) end
      where l.organization_id = $1 and l.connection_id <> $2 and l.target = $3`,
    [connectionId, replaced.place, next.place, JSON.stringify(replaced.columns), JSON.stringify(next.columns)],
  );
}

const changedMeanwhile = (): FixSettings =>
  new FixSettings({
    code: 'resync.changed',
    message: 'The new table was changed or deleted, or the fields of the connection changed. The old table is unchanged.',
    action: 'Cancel the re-sync and start it again',
    failureClass: 'schema',
  });
