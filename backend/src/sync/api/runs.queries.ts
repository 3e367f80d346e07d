import { Injectable } from '@nestjs/common';
import { Cursor, sortValues } from '../../core/database/cursor.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { notFound } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { olderLogCursor } from './run-log.queries.js';
import { IS_COMPARED, IS_SKIPPED, SLICES_OF_RUN } from './slices-of-run.js';
import { IS_STUCK } from './stuck.js';
import type {
  AccountVerification,
  RunAttempt,
  RunDetail,
  RunLogLine,
  RunPage,
  RunRequestLine,
  RunSliceEntry,
  RunStepDurations,
  RunsQuery,
  RunSummary,
} from './runs.dto.js';

// SQL: pages of one statement with the ends of the connection and the slices as JSON.

interface RunRow extends Omit<
  RunSummary,
  | 'window'
  | 'rowsRead'
  | 'rowsWritten'
  | 'rowsRejected'
  | 'bytes'
  | 'quotaWaitMs'
  | 'resumeAt'
  | 'queuedAt'
  | 'startedAt'
  | 'endedAt'
> {
  windowFrom: string | null;
  windowDays: number;
  windowTo: string | null;
  rowsRead: bigint;
  rowsWritten: bigint;
  rowsRejected: bigint;
  bytes: bigint;
  quotaWaitMs: bigint;
  resumeAt: Date | null;
  queuedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

/** @param more further columns */
const select = (more = ''): string => `
  select r.id, r.connection_id as "connectionId", r.kind, r.trigger, r.is_initial_load as "isInitialLoad", u.full_name as actor, r.window_from as "windowFrom",
         r.window_to as "windowTo", (select coalesce(sum(upper(d) - lower(d)), 0)::int from unnest(s.days) d) as "windowDays", r.state, r.step, ${IS_STUCK} as "isStuck", r.has_follow_up and r.ended_at is null as "hasFollowUp", coalesce(s.done, 0) as "slicesDone", coalesce(s.total, 0) as "slicesTotal",
         coalesce(s.failed, 0) as "slicesFailed", coalesce(s.skipped, 0) as "slicesSkipped",
         r.rows_read as "rowsRead", r.rows_written as "rowsWritten", r.rows_rejected as "rowsRejected", r.bytes,
         r.api_calls as "apiCalls", r.quota_wait_ms as "quotaWaitMs", r.resume_at as "resumeAt", r.failure, r.verify,
         r.queued_at as "queuedAt", r.started_at as "startedAt", r.ended_at as "endedAt"${more}
    from runs r
    left join users u on u.uid = r.actor
    left join lateral (
      select count(*)::int as total, count(*) filter (where s.state in ('done', 'failed') or ${IS_SKIPPED})::int as done,
             count(*) filter (where s.state = 'failed')::int as failed, count(*) filter (where ${IS_SKIPPED})::int as skipped,
             range_agg(daterange(s.day_from, s.day_to, '[]')) as days
        from run_slices s where s.organization_id = r.organization_id and s.run_id = r.id) s on true
   where r.organization_id = $1`;

const SELECT = select();
const DETAIL = `${select(', r.attempts')} and r.id = $2`;
const BY_IDS = `${SELECT} and r.id = any($2::uuid[])`;

const SUMMED_STEPS = ['extract', 'stage', 'load', 'verify']
  .map((step) => `sum((s.step_ms->>'${step}')::int)::float8 as ${step}`)
  .join(', ');

const CURSOR = new Cursor<[queuedAt: string, id: string]>('runs', sortValues.moment, sortValues.id);

@Injectable()
export class RunsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  async listRuns(organizationId: string, query: RunsQuery): Promise<RunPage> {
    const [queuedAt, id] = CURSOR.decode(query.cursor) ?? [null, null];
    const rows = await this.tenants.query<RunRow>(
      organizationId,
      `${SELECT} and ($2::uuid is null or r.connection_id = $2) and ($3::run_state is null or r.state = $3)
          and ($4::timestamptz is null or (r.queued_at, r.id) < ($4, $5::uuid))
        order by r.queued_at desc, r.id desc limit $6`,
      [query.connectionId ?? null, query.state ?? null, queuedAt, id, query.limit + 1],
    );
    return CURSOR.toPage(rows.map(toSummary), query.limit, (run) => [run.queuedAt, run.id]);
  }

  async getRunSummary(organizationId: string, runId: string): Promise<RunSummary> {
    return toSummary(await this.getRow(organizationId, runId));
  }

  async listSummaries(organizationId: string, runIds: string[]): Promise<RunSummary[]> {
    return (await this.tenants.query<RunRow>(organizationId, BY_IDS, [runIds])).map(toSummary);
  }

  async getRun(organizationId: string, runId: string): Promise<RunDetail> {
    const [row, stepMs, slices, verification, shownLog, requests] = await Promise.all([
      this.getRow(organizationId, runId),
      this.findStepDurations(organizationId, runId),
      this.listSlices(organizationId, runId),
      this.listVerification(organizationId, runId),
      this.listLog(organizationId, runId),
      this.listRequests(organizationId, runId),
    ]);
    return {
      ...toSummary(row),
      stepMs,
      attempts: row.attempts.slice(-LIST_LIMITS.runAttempts).map(toAttempt),
      slices,
      verification,
      ...shownLog,
      requests,
    };
  }

  private async findStepDurations(organizationId: string, runId: string): Promise<RunStepDurations> {
    const [row] = await this.tenants.query<RunStepDurations>(
      organizationId,
      `select r.plan_ms as plan, ${SUMMED_STEPS},
              (extract(epoch from r.ended_at - max(s.ended_at)) * 1000)::int as commit
         from runs r left join run_slices s on s.organization_id = r.organization_id and s.run_id = r.id
        where r.organization_id = $1 and r.id = $2 group by r.plan_ms, r.ended_at`,
      [runId],
    );
    return row ?? { plan: null, extract: null, stage: null, load: null, verify: null, commit: null };
  }

  private async getRow(organizationId: string, runId: string): Promise<RunRow & { attempts: RunAttempt[] }> {
    const [row] = await this.tenants.query<RunRow & { attempts: RunAttempt[] }>(organizationId, DETAIL, [runId]);
    if (!row) throw notFound('The run');
    return row;
  }

  /** Failed and unfinished slices first. */
  private async listSlices(organizationId: string, runId: string): Promise<RunSliceEntry[]> {
    const rows = await this.tenants.query<Omit<RunSliceEntry, 'resumeAt'> & { resumeAt: Date | null }>(
      organizationId,
      `select s.id, s.stream, s.account_id as "accountId", coalesce(account->>'name', s.account_id) as "accountName",
              coalesce(account->>'currency', 'XXX') as currency, s.day_from as from, s.day_to as to, s.attempts,
              case when s.state = 'failed' and s.failure->>'code' like 'sync.unverified%' then 'unverified'
                   when ${IS_SKIPPED} then 'skipped' else s.state::text end as state,
              s.resume_at as "resumeAt",
              s.rows_read::float8 as rows, s.cost_micros::text as "costMicros",
              s.total_cost_micros::text as "totalCostMicros", s.failure
         ${SLICES_OF_RUN}
        order by array_position(array['failed', 'running', 'pending', 'skipped'], s.state::text) nulls last, s.id
        limit ${LIST_LIMITS.runSlices}`,
      [runId],
    );
    return rows.map((row) => ({ ...row, resumeAt: row.resumeAt?.toISOString() ?? null }));
  }

  private listVerification(organizationId: string, runId: string): Promise<AccountVerification[]> {
    return this.tenants.query<AccountVerification>(
      organizationId,
      `select s.account_id as "accountId", coalesce(min(account->>'name'), s.account_id) as "accountName",
              coalesce(min(account->>'currency'), 'XXX') as currency,
              sum(s.rows_read)::float8 as "rowsExpected", sum(s.rows_found)::float8 as "rowsFound",
              sum(s.cost_micros)::text as "costMicrosExpected", sum(s.cost_found)::text as "costMicrosFound",
              bool_and(s.state = 'done') as "isEqual", count(*)::int as slices,
              count(*) filter (where ${IS_COMPARED})::int as "slicesCompared",
              count(*) filter (where s.failure->>'code' = 'sync.unverified_late')::int as "slicesLate"
         ${SLICES_OF_RUN} group by s.account_id order by bool_and(s.state = 'done'), min(account->>'name')
        limit ${LIST_LIMITS.sourceAccounts}`,
      [runId],
    );
  }

  private async listLog(organizationId: string, runId: string): Promise<Pick<RunDetail, 'log' | 'olderLogCursor'>> {
    const rows = await this.tenants.query<RunLogLine & { at: Date }>(
      organizationId,
      `select l.id::text as position, l.at, l.level, l.message from run_log_entries l
        where l.organization_id = $1 and l.run_id = $2 and l.request is null
        order by l.level = 'info', l.id desc limit ${LIST_LIMITS.runLogLines + 1}`,
      [runId],
    );
    const shown = rows.slice(0, LIST_LIMITS.runLogLines);
    const log = shown.map((row) => ({ ...row, at: row.at.toISOString() }));
    return {
      log: log.toSorted((one, other) => Number(one.position) - Number(other.position)),
      olderLogCursor: rows.length > shown.length ? olderLogCursor(shown) : null,
    };
  }

  private async listRequests(organizationId: string, runId: string): Promise<RunRequestLine[]> {
    const rows = await this.tenants.query<{ at: Date; request: Omit<RunRequestLine, 'at'> }>(
      organizationId,
      `select at, request from run_log_entries
        where organization_id = $1 and run_id = $2 and request is not null order by id desc limit ${LIST_LIMITS.runRequestLines}`,
      [runId],
    );
    return rows.reverse().map((row) => ({ at: row.at.toISOString(), ...row.request }));
  }
}

/** Converts times from PostgreSQL's JSON format to ISO 8601. */
const toAttempt = (attempt: RunAttempt): RunAttempt => ({
  ...attempt,
  startedAt: new Date(attempt.startedAt).toISOString(),
  endedAt: attempt.endedAt === null ? null : new Date(attempt.endedAt).toISOString(),
});

function toSummary(row: RunRow): RunSummary {
  return {
    id: row.id,
    connectionId: row.connectionId,
    kind: row.kind,
    trigger: row.trigger,
    isInitialLoad: row.isInitialLoad,
    actor: row.actor,
    window: row.windowFrom && row.windowTo ? { from: row.windowFrom, to: row.windowTo, days: row.windowDays } : null,
    state: row.state,
    isStuck: row.isStuck,
    hasFollowUp: row.hasFollowUp,
    step: row.step,
    slicesDone: row.slicesDone,
    slicesTotal: row.slicesTotal,
    slicesFailed: row.slicesFailed,
    slicesSkipped: row.slicesSkipped,
    rowsRead: Number(row.rowsRead),
    rowsWritten: Number(row.rowsWritten),
    rowsRejected: Number(row.rowsRejected),
    bytes: Number(row.bytes),
    apiCalls: row.apiCalls,
    quotaWaitMs: Number(row.quotaWaitMs),
    resumeAt: row.resumeAt?.toISOString() ?? null,
    failure: row.failure,
    verify: row.verify,
    queuedAt: row.queuedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}
