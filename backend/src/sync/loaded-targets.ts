import { Injectable } from '@nestjs/common';
import type { Targets } from '../connectors/kit/contract.js';
import type { TenantQuery } from '../platform/tenant.js';
import { type Lease, RunLedger } from './run-ledger.js';

/**
 * Remembers where each stream of a connection was loaded into. Once the destination says that it is another place (other
 * settings, a table that somebody deleted), nothing that was known of its days holds there: they are missing, and loaded again.
 */
@Injectable()
export class LoadedTargets {
  constructor(private readonly ledger: RunLedger) {}

  /** Names of the streams whose days were forgotten. A plan of before is forgotten with them: what it has loaded lies elsewhere. */
  async keep(lease: Lease, targets: Targets): Promise<string[]> {
    let moved: string[] = [];
    await this.ledger.fenced(lease, async (query) => {
      const changed = await findChanged(query, lease.connectionId, targets);
      moved = await forgetDays(query, lease.connectionId, changed);
      if (moved.length > 0 && lease.isPlanned) await forgetPlan(query, lease.runId);
      await save(query, lease.connectionId, changed, targets);
    });
    if (moved.length > 0) lease.isPlanned = false;
    return moved;
  }
}

/** A stream of which nothing is kept counts as changed: what is not known is not believed. */
async function findChanged(query: TenantQuery, connectionId: string, targets: Targets): Promise<string[]> {
  const kept = await query<{ stream: string; target: string }>(
    'select stream, target from loaded_targets where organization_id = $1 and connection_id = $2',
    [connectionId],
  );
  const known = new Map(kept.map(({ stream, target }) => [stream, target]));
  return [...targets.keys()].filter((stream) => known.get(stream) !== targets.get(stream));
}

async function forgetDays(query: TenantQuery, connectionId: string, streams: string[]): Promise<string[]> {
  if (streams.length === 0) return [];
  const rows = await query<{ stream: string }>(
    `with gone as (delete from coverage where organization_id = $1 and connection_id = $2 and stream = any($3::text[]) returning stream)
     select distinct stream from gone order by stream`,
    [connectionId, streams],
  );
  return rows.map(({ stream }) => stream);
}

async function forgetPlan(query: TenantQuery, runId: string): Promise<void> {
  await query('delete from run_slices where organization_id = $1 and run_id = $2', [runId]);
  await query(
    `update runs set window_from = null, window_to = null, rows_read = 0, rows_written = 0, bytes = 0
      where organization_id = $1 and id = $2`,
    [runId],
  );
}

async function save(query: TenantQuery, connectionId: string, streams: string[], targets: Targets): Promise<void> {
  await query(
    `insert into loaded_targets (organization_id, connection_id, stream, target)
     select $1, $2, stream, target from unnest($3::text[], $4::text[]) as t(stream, target)
     on conflict (organization_id, connection_id, stream) do update set target = excluded.target, since = now()`,
    [connectionId, streams, streams.map((stream) => targets.get(stream))],
  );
}
