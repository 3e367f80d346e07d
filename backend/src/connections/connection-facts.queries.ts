import type { AuthMode } from '../connectors/kit/connector.js';
import type { ProviderName } from '../connectors/kit/contract.js';
import type { ExcludedColumns } from '../connectors/kit/rows/excluded-columns.js';
import type { SourceSelection } from '../connectors/kit/source-selection.js';
import type { AdAccountEntry, Failure } from '../core/http/failure.dto.js';
import { CHOSEN_ACCOUNTS, COMPLETE_THROUGH, FIRST_AVAILABLE, IS_LOST, IS_REPAIRED } from '../read-models/index.js';
import type { RunStateName } from '../sync/index.js';
import type { RowsByDay } from './facts/rows-by-day.js';
import type { PausedReason } from './connections.dto.js';
import type { FreshnessTarget } from './freshness-target.dto.js';
import type { ScheduleBody } from './schedule/schedule.dto.js';
import type { EmptyPolicyName, SchemaPolicyName } from './schema/schema.dto.js';

/** What the health and the entry of a connection are computed from. */
export interface ConnectionRow {
  isClosed: boolean;
  id: string;
  /** The payment that it belongs to; null: an ordinary connection. */
  paymentId: string | null;
  name: string;
  desired: 'active' | 'paused';
  pausedByName: string | null;
  pausedAt: Date | null;
  pausedReason: PausedReason | null;
  pausedFailure: Failure | null;
  streams: string[];
  leftOut: ExcludedColumns;
  hashed: ExcludedColumns;
  schedule: ScheduleBody;
  nextRunAt: Date | null;
  lookbackDays: number | null;
  freshnessTarget: FreshnessTarget | null;
  historyFrom: string;
  tags: string[];
  schemaPolicy: SchemaPolicyName;
  emptyPolicy: EmptyPolicyName;
  pendingSchemaChanges: number;
  createdAt: Date;
  version: number;
  sourceId: string;
  sourceName: string;
  sourceSettings: Partial<SourceSelection>;
  provider: ProviderName;
  appId: string;
  /** App of the destination. */
  writerAppId: string;
  appState: string;
  appAuthMode: AuthMode;
  appFailure: Failure | null;
  accounts: AdAccountEntry[];
  destinationId: string;
  destinationName: string;
  destinationState: string;
  destinationAuthMode: AuthMode;
  destinationFailure: Failure | null;
  destinationProvider: ProviderName;
  destinationSettings: Record<string, unknown>;
  lastRunId: string | null;
  /** `succeeded` also if later runs have loaded all rows because of which it failed. */
  lastEndedState: RunStateName | null;
  lastFailure: Failure | null;
  /** Of the last finished run, if they are not loaded since: rows that the destination lacks; negative: rows that it has in addition. Null: no chunk differs. */
  rowsLost: number | null;
  failedInARow: number;
  activeRunId: string | null;
  activeState: RunStateName | null;
  activeFailure: Failure | null;
  activeFaults: number | null;
  /** Also a day that is not over yet. */
  reachedThrough: string | null;
  newestComplete: string | null;
  accountsMissing: number;
  /** Null: no active backfill. */
  backfillPercent: number | null;
  /** Only if it is read from the stored facts. */
  rowsByDay?: RowsByDay;
}

/** The oldest active backfill of the connection `c`, with the share of its days that is loaded. */
const ACTIVE_BACKFILL = `
      select coalesce(floor(100.0 * sum(k.day_to - k.day_from + 1) filter (where k.state = 'done') / sum(k.day_to - k.day_from + 1)), 0)::int as percent
        from backfills b join backfill_chunks k on k.organization_id = b.organization_id and k.backfill_id = b.id
       where b.organization_id = c.organization_id and b.connection_id = c.id and b.state in ('scheduled', 'running')
       group by b.id order by b.id limit 1`;

/** The last ended run, the active run and the failed runs since the last that loaded something, from the runs. */
const RUNS = `
    left join lateral (
      select r.id, r.state, r.failure from runs r
       where r.organization_id = c.organization_id and r.connection_id = c.id and r.ended_at is not null
         and r.track = 'regular' and r.state not in ('cancelled', 'skipped')
       order by r.queued_at desc limit 1) ended on true
    left join lateral (
      select r.id, r.state, r.failure, r.faults from runs r
       where r.organization_id = c.organization_id and r.connection_id = c.id and r.track = 'regular' and r.ended_at is null limit 1) active on true
    cross join lateral (
      select count(*)::int from runs r
       where r.organization_id = c.organization_id and r.connection_id = c.id and r.track = 'regular' and r.state = 'failed'
         and r.queued_at > coalesce((select max(g.queued_at) from runs g
                                      where g.organization_id = c.organization_id and g.connection_id = c.id and g.track = 'regular'
                                        and g.state in ('succeeded', 'partial', 'unverified')), '-infinity')) failed`;

/** The same from the stored facts `f`. */
const STORED_RUNS = `
    left join runs ended on ended.organization_id = c.organization_id and ended.id = f.last_run_id
    left join runs active on active.organization_id = c.organization_id and active.id = f.active_run_id and active.ended_at is null
    cross join lateral (select f.failed_in_a_row as count) failed`;

const COVERAGE = `
    cross join lateral (${COMPLETE_THROUGH}) covered
    cross join lateral (
      select count(distinct v.account_id)::int as accounts from coverage v
       where v.organization_id = c.organization_id and v.connection_id = c.id and v.day >= ${FIRST_AVAILABLE}
         and v.stream = any(c.streams) and v.account_id = any(s.account_ids) and v.state in ('missing', 'failed')) gaps`;

const STORED_COVERAGE = `
    cross join lateral (select f.complete_through as reached, f.newest_complete as newest) covered
    cross join lateral (select f.accounts_missing as accounts) gaps`;

const ROWS_BY_DAY = ', f.rows_by_day as "rowsByDay"';

interface Parts {
  /** Connections `c`, and their facts `f` if a part is stored. */
  connections: string;
  runs: string;
  coverage: string;
  /** Further columns. */
  more?: string;
}

/** Everything is computed. Conditions follow. */
export const factsSql = (access: string): string =>
  `${select(access, { connections: 'connections c', runs: RUNS, coverage: COVERAGE })} where c.organization_id = $1 and c.deleted_at is null`;

/** Facts of coverage are the stored ones, because only others have changed. Conditions follow. */
export const factsOfCoverageSql = (access: string): string =>
  `${select(access, {
    connections: 'connections c join connection_facts f on f.organization_id = c.organization_id and f.connection_id = c.id',
    runs: RUNS,
    coverage: STORED_COVERAGE,
    more: ROWS_BY_DAY,
  })} where c.organization_id = $1 and c.deleted_at is null`;

/** Of the stored facts. Conditions follow. */
export const storedFactsSql = (access: string): string =>
  `${select(access, {
    connections: 'connection_facts f join connections c on c.organization_id = f.organization_id and c.id = f.connection_id',
    runs: STORED_RUNS,
    coverage: STORED_COVERAGE,
    more: ROWS_BY_DAY,
  })} where f.organization_id = $1`;

/** @param access SQL of the access that the subscription `paid` allows */
const select = (access: string, { connections, runs, coverage, more = '' }: Parts): string => `
  select ${access} = 'closed' as "isClosed", c.id, c.payment_id as "paymentId", c.name, c.desired, pauser.full_name as "pausedByName", c.paused_at as "pausedAt", c.paused_reason as "pausedReason", c.paused_failure as "pausedFailure", c.streams, c.left_out as "leftOut", c.hashed, c.schedule,
         c.next_run_at as "nextRunAt", c.lookback_days as "lookbackDays", c.freshness_target as "freshnessTarget", c.history_from as "historyFrom", c.tags,
         c.schema_policy as "schemaPolicy", c.empty_policy as "emptyPolicy", c.created_at as "createdAt", c.version,
         (select count(*)::int from schema_changes sc
           where sc.organization_id = c.organization_id and sc.connection_id = c.id and sc.state = 'pending') as "pendingSchemaChanges",
         s.id as "sourceId", s.name as "sourceName", a.provider, a.id as "appId", a.state as "appState", a.auth_mode as "appAuthMode", a.failure as "appFailure",
         ${CHOSEN_ACCOUNTS} as accounts,
         d.id as "destinationId", d.name as "destinationName", 
         case when da.state in ('needs_reauth', 'revoked') then 'needs_reauth' else d.state::text end as "destinationState",
         case when da.state in ('needs_reauth', 'revoked') then da.failure else d.failure end as "destinationFailure",
         da.id as "writerAppId", da.provider as "destinationProvider", da.auth_mode as "destinationAuthMode", d.settings as "destinationSettings", s.settings as "sourceSettings",
         ended.id as "lastRunId", case when repaired.is_repaired then 'succeeded' else ended.state end as "lastEndedState",
         case when not repaired.is_repaired then ended.failure end as "lastFailure", lost.rows as "rowsLost", failed.count as "failedInARow",
         active.id as "activeRunId", active.state as "activeState", active.failure as "activeFailure", active.faults as "activeFaults", covered.reached as "reachedThrough", covered.newest as "newestComplete", gaps.accounts as "accountsMissing",
         loading.percent as "backfillPercent"${more}
    from ${connections}
    join sources s on s.organization_id = c.organization_id and s.id = c.source_id
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
    join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
    join apps da on da.organization_id = d.organization_id and da.id = d.app_id
    left join subscriptions paid on paid.organization_id = c.organization_id
    left join users pauser on pauser.uid = c.paused_by${runs}
    left join lateral (
      select sum(v.rows_read - v.rows_found)::float8 as rows from run_slices v
       where ended.state in ('partial', 'failed') and v.organization_id = c.organization_id and v.run_id = ended.id
         and v.state = 'failed' and ${IS_LOST}) lost on true
    cross join lateral (select coalesce(${IS_REPAIRED}, false) as is_repaired offset 0) repaired
    left join lateral (${ACTIVE_BACKFILL}) loading on true${coverage}`;
