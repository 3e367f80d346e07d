import { Inject, Injectable } from '@nestjs/common';
import { Connectors } from '../catalog/index.js';
import type { AuthMode } from '../connectors/kit/connector.js';
import type { DestinationProvider, SourceProvider } from '../connectors/kit/contract.js';
import type { ExcludedColumns } from '../connectors/kit/rows/excluded-columns.js';
import { addDays, dayInTimeZone, listDays } from '../connectors/kit/days.js';
import { CHOSEN_ACCOUNTS } from '../sources/index.js';
import { COMPLETE_THROUGH } from '../coverage/index.js';
import { accessSql } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { IdCursor } from '../core/database/cursor.js';
import type { AdAccountEntry, Failure } from '../core/http/failure.dto.js';
import { notFound } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { type RunProgress, type RunStateName, type RunSummary, SyncService } from '../sync/index.js';
import { offeredStreams, readSelection, type SourceSelection } from '../connectors/kit/source-selection.js';
import { type HealthFacts, healthOf } from './connection-health.js';
import { dueThrough } from './schedule/due-through.js';
import type { Schedule } from './schedule/schedule.js';
import { type ConnectionEntry, type ConnectionPage, type ConnectionsQuery, type DayRows, HEALTHS } from './connections.dto.js';
import type { ScheduleBody } from './schedule/schedule.dto.js';

interface ConnectionRow {
  isClosed: boolean;
  id: string;
  name: string;
  desired: 'active' | 'paused';
  pausedByName: string | null;
  pausedAt: Date | null;
  streams: string[];
  leftOut: ExcludedColumns;
  schedule: ScheduleBody;
  nextRunAt: Date | null;
  lookbackDays: number | null;
  historyFrom: string;
  tags: string[];
  createdAt: Date;
  version: number;
  sourceId: string;
  sourceName: string;
  sourceSettings: Partial<SourceSelection>;
  provider: SourceProvider;
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
  destinationProvider: DestinationProvider;
  destinationSettings: Record<string, unknown>;
  lastRunId: string | null;
  lastEndedState: RunStateName | null;
  lastFailure: Failure | null;
  failedInARow: number;
  activeRunId: string | null;
  completeThrough: string | null;
  newestComplete: string | null;
  accountsMissing: number;
}

/** @param access SQL of the access that the subscription `paid` allows */
const factsSql = (access: string): string => `
  select ${access} = 'closed' as "isClosed", c.id, c.name, c.desired, pauser.full_name as "pausedByName", c.paused_at as "pausedAt", c.streams, c.left_out as "leftOut", c.schedule,
         c.next_run_at as "nextRunAt", c.lookback_days as "lookbackDays", c.history_from as "historyFrom", c.tags,
         c.created_at as "createdAt", c.version,
         s.id as "sourceId", s.name as "sourceName", a.provider, a.id as "appId", a.state as "appState", a.auth_mode as "appAuthMode", a.failure as "appFailure",
         ${CHOSEN_ACCOUNTS} as accounts,
         d.id as "destinationId", d.name as "destinationName", 
         case when da.state in ('needs_reauth', 'revoked') then 'needs_reauth' else d.state::text end as "destinationState",
         case when da.state in ('needs_reauth', 'revoked') then da.failure else d.failure end as "destinationFailure",
         da.id as "writerAppId", da.provider as "destinationProvider", da.auth_mode as "destinationAuthMode", d.settings as "destinationSettings", s.settings as "sourceSettings",
         ended.id as "lastRunId", ended.state as "lastEndedState", ended.failure as "lastFailure", failed.count as "failedInARow",
         active.id as "activeRunId", covered.through as "completeThrough", covered.newest as "newestComplete", gaps.accounts as "accountsMissing"
    from connections c
    join sources s on s.organization_id = c.organization_id and s.id = c.source_id
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
    join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
    join apps da on da.organization_id = d.organization_id and da.id = d.app_id
    left join subscriptions paid on paid.organization_id = c.organization_id
    left join users pauser on pauser.uid = c.paused_by
    left join lateral (
      select r.id, r.state, r.failure from runs r
       where r.organization_id = c.organization_id and r.connection_id = c.id and r.ended_at is not null
         and r.state not in ('cancelled', 'skipped')
       order by r.queued_at desc limit 1) ended on true
    left join lateral (
      select r.id from runs r
       where r.organization_id = c.organization_id and r.connection_id = c.id and r.ended_at is null limit 1) active on true
    cross join lateral (
      select count(*)::int from runs r
       where r.organization_id = c.organization_id and r.connection_id = c.id and r.state = 'failed'
         and r.queued_at > coalesce((select max(g.queued_at) from runs g
                                      where g.organization_id = c.organization_id and g.connection_id = c.id
                                        and g.state in ('succeeded', 'partial', 'unverified')), '-infinity')) failed
    cross join lateral (${COMPLETE_THROUGH}) covered
    cross join lateral (
      select count(distinct v.account_id)::int as accounts from coverage v
       where v.organization_id = c.organization_id and v.connection_id = c.id and v.state in ('missing', 'failed')) gaps
   where c.organization_id = $1 and c.deleted_at is null`;

/** The list shows at most this many connections. */
const MAX_CONNECTIONS = 1_000;
const SPARKLINE_DAYS = 30;

const CURSOR = new IdCursor('connections');

@Injectable()
export class ConnectionsQueries {
  private readonly facts: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly tenants: TenantDatabase,
    private readonly sync: SyncService,
    private readonly connectors: Connectors,
  ) {
    this.facts = factsSql(accessSql(env, 'paid'));
  }

  /** Worst first, then by name. Health is computed, so the rows are sorted here. Details are only read for the page. */
  async listConnections(organizationId: string, query: ConnectionsQuery): Promise<ConnectionPage> {
    const rows = await this.tenants.query<ConnectionRow>(organizationId, `${this.facts} order by c.id limit ${MAX_CONNECTIONS}`);
    const active = await this.activeRuns(organizationId, rows);
    const withHealth = rows
      .map((row) => ({ row, ...healthOf(this.factsOf(row, active.get(row.activeRunId ?? ''))) }))
      .sort(worstFirst);
    const counts: Record<string, number> = { all: withHealth.length };
    for (const { health } of withHealth) counts[health] = (counts[health] ?? 0) + 1;
    const wanted = withHealth.filter(({ row, health }) => (!query.health || health === query.health) && matches(row, query));
    const after = CURSOR.after(query.cursor);
    const start = after === null ? 0 : wanted.findIndex(({ row }) => row.id === after) + 1;
    const page = CURSOR.toPage(wanted.slice(start, start + query.limit + 1), query.limit, ({ row }) => [row.id]);
    return {
      items: await this.entries(
        organizationId,
        page.items.map(({ row }) => row),
        active,
      ),
      nextCursor: page.nextCursor,
      counts,
    };
  }

  async getConnection(organizationId: string, connectionId: string): Promise<ConnectionEntry> {
    const rows = await this.tenants.query<ConnectionRow>(organizationId, `${this.facts} and c.id = $2`, [connectionId]);
    const [entry] = await this.entries(organizationId, rows, await this.activeRuns(organizationId, rows));
    if (!entry) throw notFound('The connection');
    return entry;
  }

  private async activeRuns(organizationId: string, rows: ConnectionRow[]): Promise<Map<string, RunSummary>> {
    return this.summaries(
      organizationId,
      rows.map((row) => row.activeRunId),
    );
  }

  private async summaries(organizationId: string, ids: (string | null)[]): Promise<Map<string, RunSummary>> {
    const known = ids.filter((id) => id !== null);
    if (known.length === 0) return new Map();
    return new Map((await this.sync.listSummaries(organizationId, known)).map((run) => [run.id, run]));
  }

  private async entries(
    organizationId: string,
    rows: ConnectionRow[],
    active: Map<string, RunSummary>,
  ): Promise<ConnectionEntry[]> {
    const [last, sparklines] = await Promise.all([
      this.summaries(
        organizationId,
        rows.map((row) => row.lastRunId),
      ),
      this.sparklines(
        organizationId,
        rows.map((row) => row.id),
      ),
    ]);
    return rows.map((row) => {
      const activeRun = active.get(row.activeRunId ?? '');
      return this.toEntry(row, activeRun, last.get(row.lastRunId ?? '') ?? null, sparklines.get(row.id) ?? new Map());
    });
  }

  private async sparklines(organizationId: string, ids: string[]): Promise<Map<string, Map<string, number>>> {
    const rows = await this.tenants.query<{ connectionId: string; day: string; rows: number }>(
      organizationId,
      `select connection_id as "connectionId", day, sum(rows)::float8 as rows
         from coverage
        where organization_id = $1 and connection_id = any($2::uuid[]) and day >= $3::date
        group by connection_id, day having bool_and(state not in ('missing', 'loading', 'failed'))`,
      [ids, addDays(today(), 1 - SPARKLINE_DAYS)],
    );
    const result = new Map<string, Map<string, number>>();
    for (const row of rows) {
      const days = result.get(row.connectionId) ?? new Map<string, number>();
      result.set(row.connectionId, days.set(row.day, row.rows));
    }
    return result;
  }

  private factsOf(row: ConnectionRow, active: RunSummary | undefined): HealthFacts {
    const failure = active?.failure ?? row.lastFailure;
    return {
      desired: row.desired,
      isClosed: row.isClosed,
      pausedByName: row.pausedByName,
      expiredApp: this.expiredAppOf(row),
      isDestinationBroken: row.destinationState !== 'ready',
      providerName: this.connectors.nameOf(row.provider),
      lastEndedState: row.lastEndedState,
      failedInARow: row.failedInARow,
      failureMessage: row.lastFailure?.message ?? null,
      failureClass: failure?.class ?? null,
      waitsFor: this.partyOf(row, active?.failure?.code),
      activeState: active?.state ?? null,
      isFirstLoad: row.lastEndedState === null || row.completeThrough === null,
      percentLoaded: active && active.slicesTotal > 0 ? Math.floor((100 * active.slicesDone) / active.slicesTotal) : 0,
      newestComplete: row.newestComplete,
      dueThrough: dueThrough(
        row.schedule as Schedule,
        row.accounts.map(({ timeZone }) => timeZone),
        new Date(),
      ),
      wantedThrough: yesterdayOfAll(row.accounts.map(({ timeZone }) => timeZone)),
      accountsMissing: row.accountsMissing,
      accounts: row.accounts.length,
    };
  }

  /** The end of the connection that a failure's code names by its prefix. */
  private partyOf({ provider, destinationProvider }: ConnectionRow, code: string | undefined): string | null {
    const [prefix] = code?.split('.') ?? [];
    if (prefix === provider) return this.connectors.nameOf(provider);
    // A rejected address: no request was sent to the destination.
    return prefix === destinationProvider || prefix === 'egress' ? this.connectors.nameOf(destinationProvider) : null;
  }

  /** The app whose access has expired, the source's first. */
  private expiredAppOf(row: ConnectionRow): HealthFacts['expiredApp'] {
    const isSource = isExpired(row.appState);
    if (!isSource && !isExpired(row.destinationState)) return null;
    const { provider, appAuthMode, destinationProvider, destinationAuthMode } = row;
    return {
      side: isSource ? 'source' : 'destination',
      providerName: this.connectors.nameOf(isSource ? provider : destinationProvider),
      isTyped: (isSource ? appAuthMode : destinationAuthMode) !== 'oauth2',
    };
  }

  private toEntry(
    row: ConnectionRow,
    active: RunSummary | undefined,
    lastRun: RunSummary | null,
    sparkline: Map<string, number>,
  ): ConnectionEntry {
    const all = this.connectors.findSource(row.provider)?.streams ?? [];
    const streams = offeredStreams(all, readSelection(all, row.sourceSettings));
    const destination = this.connectors.findDestination(row.destinationProvider);
    const facts = this.factsOf(row, active);
    return {
      id: row.id,
      name: row.name,
      source: { id: row.sourceId, name: row.sourceName, provider: row.provider, appId: row.appId, accounts: row.accounts },
      destination: {
        id: row.destinationId,
        name: row.destinationName,
        provider: row.destinationProvider,
        target: destination?.describe(row.destinationSettings, null).target ?? '',
      },
      streams: streams.map((stream) => ({
        name: stream.name,
        isSelected: row.streams.includes(stream.name),
        targetTable: destination?.tableName(row.destinationSettings, stream) ?? stream.table,
        leftOut: row.leftOut[stream.name] ?? [],
      })),
      schedule: row.schedule,
      lookbackDays: row.lookbackDays,
      historyFrom: row.historyFrom,
      desired: row.desired,
      ...healthOf(facts),
      endedAccess: facts.expiredApp?.side ?? null,
      failure:
        (isExpired(row.appState) ? row.appFailure : row.destinationState !== 'ready' ? row.destinationFailure : null) ??
        active?.failure ??
        row.lastFailure,
      completeThrough: row.completeThrough !== null && row.completeThrough >= row.historyFrom ? row.completeThrough : null,
      lastRun,
      activeRun: active ? toProgress(active) : null,
      nextRunAt: row.desired === 'active' && !row.isClosed ? (row.nextRunAt?.toISOString() ?? null) : null,
      rowsByDay: listDays(addDays(today(), 1 - SPARKLINE_DAYS), today()).map((day): DayRows => ({
        day,
        rows: sparkline.get(day) ?? null,
      })),
      tags: row.tags,
      createdAt: row.createdAt.toISOString(),
      version: row.version,
    };
  }
}

const isExpired = (state: string): boolean => state === 'needs_reauth' || state === 'revoked';

/** The last day that has ended in every account's time zone. */
const yesterdayOfAll = (timeZones: string[]): string => {
  const now = new Date();
  const days = (timeZones.length > 0 ? timeZones : ['UTC']).map((timeZone) => dayInTimeZone(now, timeZone));
  return addDays(days.toSorted()[0] ?? today(), -1);
};

const today = (): string => new Date().toISOString().slice(0, 10);

const worstFirst = (left: { row: ConnectionRow; health: (typeof HEALTHS)[number] }, right: typeof left): number =>
  HEALTHS.indexOf(left.health) - HEALTHS.indexOf(right.health) ||
  left.row.name.localeCompare(right.row.name) ||
  (left.row.id < right.row.id ? -1 : 1);

const matches = (row: ConnectionRow, { search = '', appId }: ConnectionsQuery): boolean =>
  (appId === undefined || appId === row.appId || appId === row.writerAppId) &&
  [row.name, row.sourceName, row.destinationName, ...row.tags].some((text) =>
    text.toLowerCase().includes(search.trim().toLowerCase()),
  );

function toProgress(run: RunSummary): RunProgress {
  const {
    id: runId,
    connectionId,
    kind,
    isStuck,
    state,
    step,
    slicesDone,
    slicesTotal,
    rowsRead,
    rowsWritten,
    apiCalls,
    quotaWaitMs,
    resumeAt,
    startedAt,
  } = run;
  const seconds = startedAt ? Math.max(1, (Date.now() - Date.parse(startedAt)) / 1_000) : 1;
  return {
    runId, connectionId, kind, isStuck, state, step, slicesDone, slicesTotal, rowsRead, rowsWritten, apiCalls, quotaWaitMs, resumeAt, startedAt,
    rowsPerSecond: Math.round(rowsRead / seconds),
    updatedAt: new Date().toISOString(),
  }; // prettier-ignore
}
