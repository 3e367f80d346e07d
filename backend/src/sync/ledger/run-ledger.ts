import { Injectable } from '@nestjs/common';
import { AnalyticsService } from '../../analytics/index.js';
import { LeaseLost } from '../../connectors/kit/errors.js';
import type { RunState, RunStep, RunTrack } from '../../generated/prisma/client.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import type { Lease, SliceOutcome } from './lease.js';
import { newId } from '../../core/database/identifiers.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import type { PlannedSlice } from '../run/plan-slices.js';
import { MAX_WORKER_DEATHS } from '../jobs/run-job.js';
import { MAX_FAULTS } from '../run/back-off.js';
import { ACTIVE_STATES, statesBefore } from '../run/run-states.js';
import { saveCoverage } from './save-coverage.js';
import { addToRun, saveSlice } from './save-slice.js';
import { saveResyncDays } from '../resync/resync-days.js';
import { releaseDays, withoutBusy } from './busy-days.js';
import { DecisionNeeded } from '../run/decision-needed.js';
import { RunAlerts } from './run-alerts.js';
import type { SliceRow } from './sync.queries.js';

// SQL: fenced by the lease in the same statement or transaction, without Prisma (`TenantDatabase.together`).

type EndedRun = Pick<Lease, 'organizationId' | 'connectionId' | 'runId'>;

/** All writes to a run go through this class. Each one is fenced by the lease's epoch. */
@Injectable()
export class RunLedger {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly analytics: AnalyticsService,
    private readonly alerts: RunAlerts,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Claims the run from the queue or from a crashed worker; null if it has ended. A run that crashed too many workers is claimed
   * only to fail it and gets no further attempt.
   */
  async claim(organizationId: string, runId: string): Promise<Lease | null> {
    return this.tenants.transaction(organizationId, async (query) => {
      const [run] = await query<Omit<Lease, 'organizationId' | 'runId'> & Record<string, unknown>>(
        `update runs set state = 'running', step = coalesce(step, 'plan'), lease_epoch = nextval('lease_epoch'), heartbeat_at = now(),
                progress_at = now(), stuck_at = null, started_at = coalesce(started_at, now()), resume_at = null,
                attempts = case when state = 'waiting' and attempts->-1->>'startedAt' is not null and attempts->-1->>'endedAt' is null
                                then attempts
                                else (select coalesce(jsonb_agg(attempt || case when attempt->>'endedAt' is null
                                               then jsonb_build_object('endedAt', now()) else '{}' end), '[]')
                                        from jsonb_array_elements(attempts) attempt)
                                     || case when worker_deaths >= $4 then '[]' else jsonb_build_array(jsonb_build_object(
                                          'n', jsonb_array_length(attempts) + 1, 'startedAt', now(), 'endedAt', null, 'failure', null)) end
                           end
          where organization_id = $1 and id = $2 and state = any($3::run_state[])
        returning connection_id as "connectionId", lease_epoch as epoch, window_from is not null as "isPlanned", faults,
                  quota_faults as "quotaFaults",
                  worker_deaths as "workerDeaths", kind, track, scope->'resync' as resync,
                  (select count(*)::int from jsonb_array_elements(attempts) attempt
                    where attempt->'failure'->>'class' = 'internal') as "internalErrors",
                  started_at as "startedAt"`,
        [runId, statesBefore('running'), MAX_WORKER_DEATHS],
      );
      if (!run) return null;
      // Slices of a crashed worker restart from the beginning: a slice is replaced as a whole.
      await query(`update run_slices set state = 'pending' where organization_id = $1 and run_id = $2 and state = 'running'`, [
        runId,
      ]);
      return { organizationId, runId, ...run };
    });
  }

  /** Heartbeat, current step, and whether there was progress since the last heartbeat. */
  async heartbeat(lease: Lease, { step, hasMoved = false }: { step?: RunStep; hasMoved?: boolean } = {}): Promise<void> {
    const progress = hasMoved ? ', progress_at = now(), stuck_at = null' : '';
    await this.update(lease, `heartbeat_at = now(), step = coalesce($4::run_step, step)${progress}`, [step ?? null]);
  }

  /** Returns the slices without the days that another active run of the connection is loading. */
  async savePlan(lease: Lease, wanted: PlannedSlice[]): Promise<PlannedSlice[]> {
    let slices = wanted;
    await this.fenced(lease, async (query) => {
      if (lease.resync) return insertPlan(query, lease.runId, slices);
      slices = await withoutBusy(query, lease, wanted);
      await insertPlan(query, lease.runId, slices);
      await query(
        `insert into coverage (organization_id, connection_id, stream, account_id, day, state, run_id)
         select $1, $2, s.stream, s.account_id, day, 'loading', $3
           from run_slices s cross join lateral generate_series(s.day_from, s.day_to, interval '1 day') day
          where s.organization_id = $1 and s.run_id = $3
         on conflict (organization_id, connection_id, stream, account_id, day) do update
            set state = 'loading', run_id = excluded.run_id where coverage.state in ('missing', 'failed')`,
        [lease.connectionId, lease.runId],
      );
    });
    return slices;
  }

  async startSlice(lease: Lease, sliceId: string): Promise<void> {
    await this.fenced(lease, (query) =>
      query(
        `update run_slices set state = 'running', attempts = attempts + 1, resume_at = null where organization_id = $1 and id = $2`,
        [sliceId],
      ),
    );
  }

  /** The provider's id of a report in preparation: the next attempt at the slice continues to poll it. */
  async saveRemoteJob(lease: Lease, { id, remoteJobId, remoteJobAt, remoteJobWaitAt }: SliceRow): Promise<void> {
    await this.fenced(lease, (query) =>
      query(
        `update run_slices set remote_job_id = $3, remote_job_at = $4, remote_job_wait_at = $5 where organization_id = $1 and id = $2`,
        [id, remoteJobId, remoteJobAt, remoteJobWaitAt],
      ),
    );
  }

  /**
   * Slices with a transient error are retried later; null means when the run resumes. A used-up quota alone never exhausts the
   * retries of a slice: `retryLimit` limits those of the run.
   */
  async deferSlices(lease: Lease, sliceIds: string[], resumeAt: Date | null, failure: Failure): Promise<void> {
    await this.fenced(lease, (query) =>
      query(
        `update run_slices set state = 'pending', resume_at = $3, failure = $4,
                faults = case when $5 then greatest(faults, least(faults + 1, $6)) else faults + 1 end
          where organization_id = $1 and id = any($2::uuid[])`,
        [sliceIds, resumeAt, failure, failure.class === 'quota', MAX_FAULTS - 1],
      ),
    );
  }

  /** After a contradictory response. Stored, because the run may release its slot before the next one arrives. */
  async requestSliceAgain(lease: Lease, sliceId: string): Promise<void> {
    await this.fenced(lease, (query) =>
      query(
        `update run_slices set state = 'pending', corrupt_answers = corrupt_answers + 1 where organization_id = $1 and id = $2`,
        [sliceId],
      ),
    );
  }

  /** A verified slice: its sums, its days and the run's counts are updated in one transaction. */
  async commitSlice(lease: Lease, outcome: SliceOutcome): Promise<void> {
    await this.fenced(lease, async (query) => {
      await saveSlice(query, outcome, 'done', null);
      await addToRun(query, lease.runId, outcome);
      if (lease.resync) await saveResyncDays(query, lease.resync.id, outcome);
      else await saveCoverage(query, lease, outcome);
    });
    forgetFaults(lease);
  }

  /** A slice whose rows at the destination differ from the source or do not show yet. Stores what was found for the users. */
  async failVerification(lease: Lease, outcome: SliceOutcome, failure: Failure): Promise<void> {
    await this.fenced(lease, async (query) => {
      await saveSlice(query, outcome, 'failed', failure);
      await addToRun(query, lease.runId, outcome);
      if (!lease.resync) await saveCoverage(query, lease, outcome);
    });
    forgetFaults(lease);
  }

  /** A slice that was not loaded. Days loaded earlier are still at the destination, so only missing days are marked. */
  async failSlice(lease: Lease, slice: SliceRow, state: 'failed' | 'skipped', failure: Failure): Promise<void> {
    await this.fenced(lease, async (query) => {
      await query(
        `update run_slices set state = $3, failure = $4, resume_at = null, ended_at = now() where organization_id = $1 and id = $2`,
        [slice.id, state, failure],
      );
      if (lease.resync) return;
      await query(
        `update coverage set state = 'failed'
          where organization_id = $1 and connection_id = $2 and stream = $3 and account_id = $4 and day between $5 and $6
            and state in ('loading', 'missing')`,
        [lease.connectionId, slice.stream, slice.accountId, slice.from, slice.to],
      );
    });
  }

  async splitSlice(lease: Lease, slice: SliceRow, halves: PlannedSlice[]): Promise<void> {
    await this.fenced(lease, async (query) => {
      await query(`delete from run_slices where organization_id = $1 and id = $2`, [slice.id]);
      await insertSlices(query, lease.runId, halves);
    });
  }

  /** Back to the queue until `resumeAt`; the caller queues the job. A used-up quota is counted separately: `retryLimit`. */
  async wait(lease: Lease, resumeAt: Date, failure: Failure, { isFault } = { isFault: true }): Promise<void> {
    const isQuota = failure.class === 'quota';
    await this.fenced(lease, async (query) => {
      await query(
        `update runs set state = 'waiting', resume_at = $3, failure = $4,
                faults = faults + case when $6 and not $5 then 1 else 0 end, quota_faults = quota_faults + case when $6 and $5 then 1 else 0 end,
                quota_wait_ms = quota_wait_ms + case when $5 then greatest(0, extract(epoch from $3::timestamptz - now()) * 1000)::bigint else 0 end,
                attempts = ${endedAttempt('$4')}
          where organization_id = $1 and id = $2`,
        [lease.runId, resumeAt, failure, isQuota, isFault],
      );
      await query(`update run_slices set state = 'pending' where organization_id = $1 and run_id = $2 and state = 'running'`, [
        lease.runId,
      ]);
    });
  }

  /** While the provider prepares reports: not a fault, and the same attempt continues. `enqueue` joins the transaction. */
  async pause(lease: Lease, resumeAt: Date, reason: Failure, enqueue: (query: TenantQuery) => Promise<void>): Promise<void> {
    await this.fenced(lease, async (query) => {
      await query(`update runs set state = 'waiting', resume_at = $3, failure = $4 where organization_id = $1 and id = $2`, [
        lease.runId,
        resumeAt,
        reason,
      ]);
      await query(
        `update run_slices set state = 'pending', attempts = greatest(0, attempts - 1)
          where organization_id = $1 and run_id = $2 and state = 'running'`,
        [lease.runId],
      );
      await enqueue(query);
    });
  }

  async finish(lease: Lease, state: RunState, failure: Failure | null, verify: object | null): Promise<void> {
    await this.fenced(lease, async (query) => {
      const [run] = await query<{ hasFollowUp: boolean; hasTarget: boolean }>(
        `update runs set state = $3::run_state, failure = $4, verify = $5, ended_at = now(), resume_at = null, attempts = ${endedAttempt('$4')},
                has_follow_up = has_follow_up and $3::run_state <> 'cancelled'
          where organization_id = $1 and id = $2
        returning has_follow_up as "hasFollowUp", ${HAS_TARGET} as "hasTarget"`,
        [lease.runId, state, failure, verify],
      );
      lease.hasFollowUp = run?.hasFollowUp ?? false;
      await query(
        `update run_slices set state = 'skipped', resume_at = null, ended_at = now()
          where organization_id = $1 and run_id = $2 and state in ('pending', 'running')`,
        [lease.runId],
      );
      await releaseDays(query, lease.runId);
      if (state === 'failed' && failure) await this.raiseFailed(query, lease, failure);
      if (lease.track === 'backfill') await this.reportEnd(query, lease);
      if (run?.hasTarget) await this.reportCoverage(query, lease);
      if (failure?.code === DecisionNeeded.code) return this.alerts.waitsForDecision(query, lease, failure);
      if (lease.track !== 'regular') return this.alerts.repaired(query, lease);
      if (state === 'failed' && failure) await this.alerts.failed(query, lease, failure);
      else if (state === 'partial' && failure) await this.alerts.partial(query, lease, failure);
      else if (state === 'unverified' && failure) await this.alerts.unverified(query, lease, failure);
      else if (state === 'succeeded') await this.alerts.succeeded(query, lease);
    });
  }

  /** The next chunks of the backfill follow. */
  private reportEnd(query: TenantQuery, { organizationId, connectionId, runId }: EndedRun): Promise<void> {
    return this.events.emit(query, 'run.ended', { organizationId, connectionId, runId });
  }

  private reportCoverage(query: TenantQuery, { organizationId, connectionId }: EndedRun): Promise<void> {
    return this.events.emit(query, 'coverage.changed', { organizationId, connectionId });
  }

  private async raiseFailed(query: TenantQuery, lease: Lease, failure: Failure): Promise<void> {
    const { organizationId, connectionId, runId } = lease;
    const [run] = await query<{ actor: string | null }>('select actor from runs where organization_id = $1 and id = $2', [runId]);
    await this.analytics.raiseOfConnection(query, {
      name: 'Error Received',
      organizationId,
      connectionId,
      userId: run?.actor,
      properties: { type: failure.class, error_message: failure.message },
      onceKey: `run-failed:${runId}`,
    });
  }

  async verifying(lease: Lease): Promise<void> {
    await this.update(lease, `state = 'verifying', step = 'verify', heartbeat_at = now()`, []);
  }

  /** Ends a run that any worker may hold: the new epoch invalidates its lease. */
  cancel(organizationId: string, runId: string): Promise<boolean> {
    return this.tenants.transaction(organizationId, (query) => this.cancelWithin(query, organizationId, runId));
  }

  private async cancelWithin(query: TenantQuery, organizationId: string, runId: string): Promise<boolean> {
    const [run] = await query<{ connectionId: string; track: RunTrack; hasTarget: boolean }>(
      `update runs set state = 'cancelled', lease_epoch = nextval('lease_epoch'), ended_at = now(), resume_at = null,
              has_follow_up = false, attempts = ${endedAttempt('null')}
        where organization_id = $1 and id = $2::uuid and state = any($3::run_state[])
      returning connection_id as "connectionId", track, ${HAS_TARGET} as "hasTarget"`,
      [runId, ACTIVE_STATES],
    );
    if (!run) return false;
    await releaseDays(query, runId);
    if (run.track === 'backfill') await this.reportEnd(query, { organizationId, runId, ...run });
    if (run.hasTarget) await this.reportCoverage(query, { organizationId, runId, ...run });
    return true;
  }

  /**
   * Locks the active runs of a connection, or of all connections. A transaction that also locks the connection calls this first,
   * because every transaction locks runs before connections.
   */
  async lockActive(query: TenantQuery, connectionId: string | null): Promise<string[]> {
    const rows = await query<{ id: string }>(
      `select id from runs where organization_id = $1 and ($2::uuid is null or connection_id = $2::uuid) and ended_at is null
        order by id for update`,
      [connectionId],
    );
    return rows.map(({ id }) => id);
  }

  async cancelActive(query: TenantQuery, organizationId: string, connectionId: string | null): Promise<void> {
    for (const id of await this.lockActive(query, connectionId)) await this.cancelWithin(query, organizationId, id);
  }

  private async update(lease: Lease, assignments: string, parameters: unknown[]): Promise<void> {
    const rows = await this.tenants.query(
      lease.organizationId,
      `update runs set ${assignments} where organization_id = $1 and id = $2 and lease_epoch = $3 and ended_at is null returning id`,
      [lease.runId, lease.epoch, ...parameters],
    );
    if (rows.length === 0) throw new LeaseLost('another worker has claimed the run, or it has ended');
  }

  /** The row lock prevents a new epoch until the transaction ends. */
  async fenced(lease: Lease, work: (query: TenantQuery) => Promise<unknown>): Promise<void> {
    await this.tenants.transaction(lease.organizationId, async (query) => {
      const rows = await query(
        `select 1 from runs where organization_id = $1 and id = $2 and lease_epoch = $3 and ended_at is null for update`,
        [lease.runId, lease.epoch],
      );
      if (rows.length === 0) throw new LeaseLost('another worker has claimed the run, or it has ended');
      await work(query);
    });
  }
}

/** Whether the connection of a row of `runs` has a freshness target. Part of the statement that ends the run. */
const HAS_TARGET = `exists (select from connections c
  where c.organization_id = runs.organization_id and c.id = runs.connection_id and c.freshness_target is not null)`;

/** As `addToRun` does with the stored counts, which a lease contains as of its claim. */
function forgetFaults(lease: Lease): void {
  lease.faults = 0;
  lease.quotaFaults = 0;
}

const endedAttempt = (failure: string): string =>
  `case when jsonb_array_length(attempts) = 0 then attempts
        else jsonb_set(attempts, '{-1}', attempts->-1 || jsonb_build_object('endedAt', now(), 'failure', ${failure}::jsonb)) end`;

export async function insertPlan(query: TenantQuery, runId: string, slices: PlannedSlice[]): Promise<void> {
  const days = slices.flatMap(({ from, to }) => [from, to]).sort();
  await query(
    `update runs set window_from = $3, window_to = $4, step = 'extract',
            plan_ms = extract(epoch from now() - (attempts->-1->>'startedAt')::timestamptz) * 1000
      where organization_id = $1 and id = $2`,
    [runId, days[0], days.at(-1)],
  );
  await insertSlices(query, runId, slices);
}

async function insertSlices(query: TenantQuery, runId: string, slices: PlannedSlice[]): Promise<void> {
  await query(
    `insert into run_slices (organization_id, id, run_id, stream, account_id, day_from, day_to)
     select $1, id, $2, stream, account_id, day_from, day_to
       from unnest($3::uuid[], $4::text[], $5::text[], $6::date[], $7::date[]) as s(id, stream, account_id, day_from, day_to)`,
    [
      runId,
      slices.map(() => newId()),
      slices.map((slice) => slice.stream),
      slices.map((slice) => slice.accountId),
      slices.map((slice) => slice.from),
      slices.map((slice) => slice.to),
    ],
  );
}
