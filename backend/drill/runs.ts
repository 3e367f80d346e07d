import type { Scene } from './scene.js';

export interface NewestRun {
  connectionId: string;
  runId: string;
  state: string;
  endedAt: Date | null;
  failure: string | null;
}

/** The newest run of each connection. */
export function newestRuns({ query, organizationId }: Scene): Promise<NewestRun[]> {
  return query<NewestRun>(
    `select distinct on (connection_id) connection_id as "connectionId", id as "runId", state, ended_at as "endedAt",
            failure->>'message' as failure
       from runs where organization_id = $1 order by connection_id, queued_at desc, id desc`,
    [organizationId],
  );
}

/** Connections whose runs have begun and not ended. */
export async function activeConnections({ query, organizationId }: Scene): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select connection_id as id from runs
      where organization_id = $1 and ended_at is null and state in ('running', 'verifying', 'waiting')`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

/** Connections whose runs this worker is executing. */
export async function connectionsOfWorker({ query }: Scene, pid: number | undefined): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select r.connection_id as id from graphile_worker.jobs j
       join workers w on w.id = j.locked_by and w.description like $1
       join runs r on j.key = 'run:' || r.id::text`,
    [`% pid ${pid}`],
  );
  return rows.map(({ id }) => id);
}

/** A platform decides how long it throttles, up to minutes. The drill measures the product, so it ends these pauses. */
export async function endQuotaPauses({ query }: Scene): Promise<void> {
  await query(`update run_slices set resume_at = now() where resume_at > now() and failure->>'class' = 'quota'`);
  await query('update apps set quota_paused_until = null where quota_paused_until is not null');
  await query(
    `update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now() and key in (
       select 'run:' || id from runs where state = 'waiting' and ended_at is null and failure->>'class' = 'quota')`,
  );
}
