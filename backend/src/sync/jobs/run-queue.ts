import { Injectable } from '@nestjs/common';
import type { RunKind, RunTrack } from '../../generated/prisma/client.js';
import { newId } from '../../core/database/identifiers.js';
import { publishLive } from '../../core/database/notifications.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import type { RunScope } from '../run/run-scope.js';
import { queueJobs } from '../../core/jobs/define-job.js';
import { isSuspected, RUN_KEY_PREFIX, runSync, SUSPECTS } from './run-job.js';

// SQL: many runs in one statement (unnest), whose turns follow the runs of all organizations.

/** Job priorities are of type smallint. Runs with a higher turn are ordered by time. */
const HIGHEST_PRIORITY = 32_766;
/** Runs of backfills begin only when no other run waits for a slot. */
const BACKFILL_PRIORITY = 32_767;

export interface RunRequest {
  organizationId: string;
  connectionId: string;
  kind: RunKind;
  /** What requested it: `first_run`, `schedule`, `user`, `reconnect`, `destination`, `subscription`. */
  trigger: string;
  actor: string | null;
  /** Default: regular. */
  track?: RunTrack;
  /** The days to read; the run selects them itself if omitted. */
  scope?: RunScope;
}

/**
 * The order in which runs begin. Organizations take turns: each run gets the turn after the last run of its organization, but no
 * earlier turn than the current one. An organization with thousands of runs therefore delays another one by only one run, and the
 * runs of one organization keep their order (decision 12).
 */
@Injectable()
export class RunQueue {
  constructor(private readonly tenants: TenantDatabase) {}

  /**
   * Queues runs of one organization and returns the ids of the new ones. A connection with an active run gets no second run of the
   * same track: the partial unique index makes two concurrent requests create one run.
   */
  async addWithin(query: TenantQuery, requests: Omit<RunRequest, 'organizationId'>[]): Promise<string[]> {
    const added = await query<{ id: string; connectionId: string }>(
      `with last_turn as (select max(turn) as turn from runs where organization_id = $1 and state = 'queued' and track <> 'backfill'),
            served as (select current_turn() as turn)
       insert into runs (organization_id, id, connection_id, kind, trigger, actor, track, scope, turn, is_initial_load)
       select $1, new.id, new.connection_id, new.kind::run_kind, new.trigger, new.actor, new.track::run_track, new.scope,
              new.place - 1 + greatest(coalesce(last_turn.turn + 1, 0), coalesce(served.turn, 0)),
              new.track = 'regular' and not exists (
                select from runs r where r.organization_id = $1 and r.connection_id = new.connection_id
                   and (r.state = 'succeeded' or r.rows_written > 0))
         from last_turn, served,
              unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])
                with ordinality as new(id, connection_id, kind, trigger, actor, track, scope, place)
       on conflict do nothing
       returning id, connection_id as "connectionId"`,
      [
        requests.map(() => newId()),
        requests.map(({ connectionId }) => connectionId),
        requests.map(({ kind }) => kind),
        requests.map(({ trigger }) => trigger),
        requests.map(({ actor }) => actor),
        requests.map(({ track }) => track ?? 'regular'),
        requests.map(({ scope }) => (scope ? JSON.stringify(scope) : null)),
      ],
    );
    if (added.length === 0) return [];
    await addJobs(
      query,
      added.map(({ id }) => id),
    );
    await publishLive(
      query,
      added.map(({ connectionId }) => ({ connectionId, type: 'connection', data: { connectionId } })),
    );
    return added.map(({ id }) => id);
  }

  /** Queues the job of a run that has begun already, after other resumed runs of the same organization. */
  async addAgain(organizationId: string, runId: string, runAt: Date): Promise<void> {
    await this.tenants.transaction(organizationId, (query) => this.addAgainWithin(query, runId, runAt));
  }

  async addAgainWithin(query: TenantQuery, runId: string, runAt: Date): Promise<void> {
    await query(
      `update runs set turn = coalesce(current_turn(), 0)
                              + (select count(*) from runs where organization_id = $1 and state = 'waiting' and track <> 'backfill' and ended_at is null and id <> $2)
        where organization_id = $1 and id = $2`,
      [runId],
    );
    await addJobs(query, [runId], runAt);
  }
}

interface Waiting extends Record<string, unknown> {
  organizationId: string;
  runId: string;
  track: RunTrack;
  turn: number;
  workerDeaths: number;
}

/** In the caller's transaction. Replaces a job with the same key that has not begun. */
async function addJobs(query: TenantQuery, runIds: string[], runAt?: Date): Promise<void> {
  const runs = await query<Waiting>(
    `select organization_id as "organizationId", id as "runId", track, least(turn, ${HIGHEST_PRIORITY})::int as turn,
            worker_deaths as "workerDeaths"
       from runs where organization_id = $1 and id = any($2::uuid[]) order by runs.turn`,
    [runIds],
  );
  await queueJobs(
    query,
    runSync,
    runs.map(({ organizationId, runId, track, turn, workerDeaths }) => ({
      payload: { organizationId, runId },
      key: `${RUN_KEY_PREFIX}${runId}`,
      priority: track === 'backfill' ? BACKFILL_PRIORITY : turn,
      ...(isSuspected(workerDeaths) && { queue: SUSPECTS }),
      ...(runAt && { runAt }),
    })),
  );
}
