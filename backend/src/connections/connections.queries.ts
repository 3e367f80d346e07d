import { Inject, Injectable } from '@nestjs/common';
import { Connectors } from '../catalog/index.js';
import { addDays, dayInTimeZone, listDays } from '../connectors/kit/days.js';
import { accessSql } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { IdCursor } from '../core/database/cursor.js';
import { notFound } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { type RunSummary, SyncService } from '../sync/index.js';
import { offeredStreams, readSelection } from '../connectors/kit/source-selection.js';
import { type ConnectionRow, factsSql } from './connection-facts.queries.js';
import { type HealthFacts, healthOf } from './connection-health.js';
import { toProgress } from './run-progress.js';
import { dueThrough } from './schedule/due-through.js';
import type { Schedule } from './schedule/schedule.js';
import {
  type ConnectionEntry,
  type ConnectionPage,
  type ConnectionPause,
  type ConnectionsQuery,
  type DayRows,
  HEALTHS,
} from './connections.dto.js';

// SQL: the facts of all connections in one measured statement.

/** The list shows at most this many connections. */
const MAX_CONNECTIONS = 1_000;
/** The filter for tags offers at most this many. */
const MAX_TAGS = 200;
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
    const rows = await this.tenants.query<ConnectionRow>(
      organizationId,
      `${this.facts} and c.payment_id is null order by c.id limit ${MAX_CONNECTIONS}`,
    );
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
      tags: [...new Set(rows.flatMap(({ tags }) => tags))].sort().slice(0, MAX_TAGS),
    };
  }

  async getConnection(organizationId: string, connectionId: string): Promise<ConnectionEntry> {
    const rows = await this.tenants.query<ConnectionRow>(organizationId, `${this.facts} and c.id = $2`, [connectionId]);
    const [entry] = await this.entries(organizationId, rows, await this.activeRuns(organizationId, rows));
    if (!entry) throw notFound('The connection');
    return entry;
  }

  /** The connections of payments. */
  async listOfPayments(organizationId: string, paymentIds: string[]): Promise<(ConnectionEntry & { paymentId: string })[]> {
    const rows = await this.tenants.query<ConnectionRow>(
      organizationId,
      `${this.facts} and c.payment_id = any($2::uuid[]) order by c.id`,
      [paymentIds],
    );
    const entries = await this.entries(organizationId, rows, await this.activeRuns(organizationId, rows));
    return entries.map((entry, place) => ({ ...entry, paymentId: rows[place]?.paymentId ?? '' }));
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
      waitsForDecision: row.pausedReason === 'schema_change',
      isPausedByFailures: row.pausedReason === 'failures',
      waitsForApps: row.pausedReason === 'import',
      expiredApp: this.expiredAppOf(row),
      isDestinationBroken: row.destinationState !== 'ready',
      providerName: this.connectors.nameOf(row.provider),
      lastEndedState: row.lastEndedState,
      rowsLost: row.rowsLost,
      destinationName: this.connectors.nameOf(row.destinationProvider),
      failedInARow: row.failedInARow,
      failureMessage: row.lastFailure?.message ?? null,
      activeFaults: row.activeFaults ?? 0,
      activeFailureMessage: active?.failure?.message ?? null,
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
      backfillPercent: row.backfillPercent,
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
        hashedFields: row.hashed[stream.name] ?? [],
      })),
      schedule: row.schedule,
      lookbackDays: row.lookbackDays,
      freshnessTarget: row.freshnessTarget,
      historyFrom: row.historyFrom,
      desired: row.desired,
      pause: pauseOf(row),
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
      schemaPolicy: row.schemaPolicy,
      emptyPolicy: row.emptyPolicy,
      pendingSchemaChanges: row.pendingSchemaChanges,
      createdAt: row.createdAt.toISOString(),
      version: row.version,
    };
  }
}

function pauseOf({ desired, pausedAt, pausedReason, pausedByName, pausedFailure }: ConnectionRow): ConnectionPause | null {
  if (desired === 'active' || !pausedAt) return null;
  return { reason: pausedReason ?? 'user', by: pausedByName, at: pausedAt.toISOString(), failure: pausedFailure };
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

const matches = (row: ConnectionRow, { search = '', appId, tag }: ConnectionsQuery): boolean =>
  (tag === undefined || row.tags.includes(tag)) &&
  (appId === undefined || appId === row.appId || appId === row.writerAppId) &&
  [row.name, row.sourceName, row.destinationName, ...row.tags].some((text) =>
    text.toLowerCase().includes(search.trim().toLowerCase()),
  );
