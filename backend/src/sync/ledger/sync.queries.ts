import { Injectable } from '@nestjs/common';
import type { AdAccount, Day } from '../../connectors/kit/contract.js';
import type { EmptyPolicy, RunKind, SchemaPolicy } from '../../generated/prisma/client.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { notFound } from '../../core/http/problem.js';
import { readAfterEnd } from '../../read-models/index.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ExcludedColumns } from '../../connectors/kit/rows/excluded-columns.js';
import type { HashedColumns } from '../../connectors/kit/rows/hashed-columns.js';
import { readDayRanges } from '../run/day-ranges.js';
import { coverageKey, type PlanInput } from '../run/plan-slices.js';
import type { PendingChange } from '../run/review-schema.js';
import type { OfferedStreams } from '../run/schema-diff.js';
import type { RunScope } from '../run/run-scope.js';

// SQL: one statement for each step of a run, some of them in the transaction of its lease.

export interface RunConnection {
  connectionId: string;
  /** Kind of the run. */
  kind: RunKind;
  name: string;
  sourceId: string;
  destinationId: string;
  streams: string[];
  leftOut: ExcludedColumns;
  hashed: HashedColumns;
  emptyPolicy: EmptyPolicy;
  lookbackDays: number | null;
  historyFrom: Day;
  /** The days to read; null: the run selects them itself. */
  scope: RunScope | null;
  /** Name of the new table of a re-sync, without the prefix of the destination; null for other runs. */
  resyncTable: string | null;
  /** The organization's, for converted costs. */
  currency: string;
  /** Some of its streams were loaded before their columns were stored. */
  hasUnknownColumns: boolean;
  schemaPolicy: SchemaPolicy;
  /** What the source offered to the last run; null before the first one. */
  knownSchema: OfferedStreams | null;
  pendingChanges: PendingChange[];
}

export interface RunParties {
  destinationId: string;
  /** Incremented by every change of a user. */
  destinationVersion: number;
  sourceAppId: string;
  /** Incremented by every sign-in. */
  sourceAppVersion: number;
  sourceProvider: string;
  destinationAppId: string;
  destinationAppVersion: number;
  destinationProvider: string;
  /** An earlier run marked the destination as broken. */
  isDestinationBroken: boolean;
  /** The usage that the source's platform reported last. */
  sourceQuota: { usedPercent: number; resetAt: string | null } | null;
  /** Until when the platforms throttle the two apps, and why. */
  sourcePausedUntil: Date | null;
  sourcePause: Failure | null;
  destinationPausedUntil: Date | null;
  destinationPause: Failure | null;
}

export interface SliceRow {
  id: string;
  stream: string;
  accountId: string;
  from: Day;
  to: Day;
  attempts: number;
  /** Transient errors so far. */
  faults: number;
  /** Contradictory responses so far. */
  corruptAnswers: number;
  /** Earliest time of the retry; null if it can run now. */
  resumeAt: Date | null;
  /** The error because of which it waits. */
  failure: Failure | null;
  /** Id of the provider's report that an earlier attempt requested. */
  remoteJobId: string | null;
  /** When the report was requested: its rows show the state at that time. */
  remoteJobAt: Date | null;
  /** Start of the current wait for the report. */
  remoteJobWaitAt: Date | null;
}

export interface SliceSummary {
  total: number;
  done: number;
  failed: number;
  skipped: number;
  /** Slices whose rows were counted and compared at the source and the destination. */
  compared: number;
  /** Slices whose rows could not be read back or whose emptiness is not confirmed. */
  unverified: number;
  rowsRead: bigint;
  rowsFound: bigint;
  costMicros: bigint;
  costFound: bigint;
}

const READ_AFTER_END = readAfterEnd('c', 'zone.name');

/** Queries of the engine before and during a run. */
@Injectable()
export class SyncQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  async getRunConnection(organizationId: string, runId: string): Promise<RunConnection> {
    const [row] = await this.tenants.query<RunConnection>(
      organizationId,
      `select c.id as "connectionId", r.kind, c.name, c.source_id as "sourceId", c.destination_id as "destinationId", c.streams,
              c.left_out as "leftOut", c.hashed, c.empty_policy as "emptyPolicy",
              c.lookback_days as "lookbackDays", c.history_from as "historyFrom", r.scope, o.currency,
              (select s.table_name from resyncs s where s.organization_id = r.organization_id
                  and s.backfill_id = (r.scope->'resync'->>'id')::uuid) as "resyncTable",
              exists (select from stream_targets t where t.organization_id = c.organization_id and t.connection_id = c.id
                         and t.columns is null) as "hasUnknownColumns",
              c.schema_policy as "schemaPolicy",
              (select streams from offered_schemas f where f.organization_id = c.organization_id and f.connection_id = c.id) as "knownSchema",
              (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'stream', p.stream, 'kind', p.kind, 'diff', p.diff) order by p.id), '[]')
                 from schema_changes p
                where p.organization_id = c.organization_id and p.connection_id = c.id and p.state = 'pending') as "pendingChanges"
         from runs r
         join connections c on c.organization_id = r.organization_id and c.id = r.connection_id
         join organizations o on o.id = r.organization_id
        where r.organization_id = $1 and r.id = $2`,
      [runId],
    );
    if (!row) throw notFound('The run');
    return row;
  }

  /**
   * Loaded days by stream and account: the final ones, and those verified since midnight in the account's time zone. As ranges,
   * because hundreds of accounts have millions of days.
   */
  async listArrivedDays(
    organizationId: string,
    connectionId: string,
    accounts: AdAccount[],
    now: Date,
  ): Promise<Pick<PlanInput, 'settledDays' | 'freshDays'>> {
    const rows = await this.tenants.query<{ stream: string; accountId: string; settled: string | null; fresh: string | null }>(
      organizationId,
      `select c.stream, c.account_id as "accountId",
              range_agg(daterange(c.day, c.day, '[]')) filter (where c.state <> 'provisional' and ${READ_AFTER_END}) as settled,
              range_agg(daterange(c.day, c.day, '[]')) filter (
                where (c.last_verified_at at time zone zone.name)::date = ($5::timestamptz at time zone zone.name)::date) as fresh
         from coverage c
         left join unnest($3::text[], $4::text[]) as zone(account_id, name) on zone.account_id = c.account_id
        where c.organization_id = $1 and c.connection_id = $2 and c.state in ('provisional', 'final', 'restated', 'empty_confirmed')
        group by c.stream, c.account_id`,
      [connectionId, accounts.map(({ externalId }) => externalId), accounts.map(({ timeZone }) => timeZone), now],
    );
    const daysOf = (kind: 'settled' | 'fresh') =>
      new Map(rows.map((row) => [coverageKey(row.stream, row.accountId), readDayRanges(row[kind])]));
    return { settledDays: daysOf('settled'), freshDays: daysOf('fresh') };
  }

  /** Days before the history of the connection that were loaded by a backfill and are missing at the destination now. */
  async listLostDays(
    organizationId: string,
    { connectionId, historyFrom }: Pick<RunConnection, 'connectionId' | 'historyFrom'>,
    earliest: Day | null,
  ): Promise<PlanInput['lostDays']> {
    const rows = await this.tenants.query<{ stream: string; accountId: string; days: Day[] }>(
      organizationId,
      `select stream, account_id as "accountId", array_agg(day::text) as days from coverage
        where organization_id = $1 and connection_id = $2 and day < $3 and day >= coalesce($4::date, '-infinity')
          and state in ('missing', 'failed') and first_loaded_at is not null
        group by stream, account_id`,
      [connectionId, historyFrom, earliest],
    );
    return new Map(rows.map(({ stream, accountId, days }) => [coverageKey(stream, accountId), days]));
  }

  /** The apps and the destination of a run, to assign an error to one of them. */
  async getRunParties(organizationId: string, runId: string): Promise<RunParties> {
    const [row] = await this.tenants.query<RunParties>(
      organizationId,
      `select c.destination_id as "destinationId", d.version as "destinationVersion", sa.id as "sourceAppId", sa.version as "sourceAppVersion",
              sa.provider as "sourceProvider", da.id as "destinationAppId", da.version as "destinationAppVersion", da.provider as "destinationProvider",
              d.state in ('unreachable', 'permission_denied') as "isDestinationBroken", sa.quota as "sourceQuota",
              sa.quota_paused_until as "sourcePausedUntil", sa.quota_pause as "sourcePause",
              da.quota_paused_until as "destinationPausedUntil", da.quota_pause as "destinationPause"
         from runs r
         join connections c on c.organization_id = r.organization_id and c.id = r.connection_id
         join sources s on s.organization_id = c.organization_id and s.id = c.source_id
         join apps sa on sa.organization_id = s.organization_id and sa.id = s.app_id
         join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
         join apps da on da.organization_id = d.organization_id and da.id = d.app_id
        where r.organization_id = $1 and r.id = $2`,
      [runId],
    );
    if (!row) throw notFound('The run');
    return row;
  }

  /**
   * In processing order. Slices with transient errors come last, preceded by streams and accounts that failed in the previous
   * run.
   */
  listPendingSlices(organizationId: string, runId: string): Promise<SliceRow[]> {
    return this.tenants.query<SliceRow>(
      organizationId,
      `with before as (
         select earlier.id from runs r
           join runs earlier on earlier.organization_id = r.organization_id and earlier.connection_id = r.connection_id
                            and earlier.queued_at < r.queued_at
          where r.organization_id = $1 and r.id = $2 order by earlier.queued_at desc limit 1),
       failed as materialized (
         select distinct s.stream, s.account_id from run_slices s join before on before.id = s.run_id
          where s.organization_id = $1 and s.state in ('failed', 'skipped') and s.faults > 0)
       select s.id, s.stream, s.account_id as "accountId", s.day_from as from, s.day_to as to, s.attempts, s.faults,
              s.corrupt_answers as "corruptAnswers", s.resume_at as "resumeAt", s.failure, s.remote_job_id as "remoteJobId",
              s.remote_job_at as "remoteJobAt", greatest(s.remote_job_at, s.remote_job_wait_at) as "remoteJobWaitAt"
         from run_slices s left join failed on failed.stream = s.stream and failed.account_id = s.account_id
        where s.organization_id = $1 and s.run_id = $2 and s.state = 'pending'
        order by s.faults, s.attempts, s.remote_job_id is null, failed.stream is not null, s.id`,
      [runId],
    );
  }

  async hasVerifiedSlice(organizationId: string, runId: string): Promise<boolean> {
    const verified = await this.tenants.query(
      organizationId,
      `select from run_slices where organization_id = $1 and run_id = $2 and state = 'done' limit 1`,
      [runId],
    );
    return verified.length > 0;
  }

  async summarizeSlices(organizationId: string, runId: string): Promise<SliceSummary> {
    const [row] = await this.tenants.query<SliceSummary>(
      organizationId,
      `select count(*)::int as total,
              count(*) filter (where state = 'done')::int as done,
              count(*) filter (where state = 'failed')::int as failed,
              count(*) filter (where state = 'skipped')::int as skipped,
              count(*) filter (where state = 'failed' and failure->>'code' like 'sync.unverified%')::int as unverified,
              count(*) filter (where state = 'done' or failure->>'code' in ('sync.mismatch', 'sync.unverified_late'))::int as compared,
              coalesce(sum(rows_read), 0)::bigint as "rowsRead", coalesce(sum(rows_found), 0)::bigint as "rowsFound",
              coalesce(sum(cost_micros), 0)::bigint as "costMicros", coalesce(sum(cost_found), 0)::bigint as "costFound"
         from run_slices where organization_id = $1 and run_id = $2`,
      [runId],
    );
    if (!row) throw new Error('an aggregate always has a row');
    return row;
  }

  /** The failure of the most slices, shown for the whole run. Lost or changed rows come first: other chunks were only not read. */
  async findWorstFailure(organizationId: string, runId: string): Promise<Failure | null> {
    const [row] = await this.tenants.query<{ failure: Failure }>(
      organizationId,
      `select (array_agg(failure order by id))[1] as failure
         from run_slices where organization_id = $1 and run_id = $2 and failure is not null and state in ('failed', 'skipped')
        group by failure->>'code' order by failure->>'code' = 'sync.mismatch' desc, count(*) desc limit 1`,
      [runId],
    );
    return row?.failure ?? null;
  }
}
