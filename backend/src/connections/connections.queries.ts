import { Inject, Injectable } from '@nestjs/common';
import { Connectors } from '../catalog/index.js';
import { addDays, listDays } from '../connectors/kit/days.js';
import { accessSql } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { notFound } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { type RunSummary, SyncService } from '../sync/index.js';
import { offeredStreams, readSelection } from '../connectors/kit/source-selection.js';
import { type ConnectionRow, factsSql, storedFactsSql } from './connection-facts.queries.js';
import { type HealthFacts, healthOf } from './connection-health.js';
import { readRowsByDay, type RowsByDay, SPARKLINE_DAYS } from './facts/rows-by-day.js';
import { isExpired, toHealthFacts } from './health-facts.js';
import { toProgress } from './run-progress.js';
import type { ConnectionEntry, ConnectionPause, DayRows } from './connections.dto.js';

// SQL: the facts of a connection in one measured statement.

interface StreamTarget {
  name: string;
  targetTable: string;
}

/** What an entry shows in addition to its row. */
interface RowParts {
  active: RunSummary | undefined;
  lastRun: RunSummary | null;
  /** The streams of the source with their tables at the destination. */
  targets: StreamTarget[];
  /** Where the destination writes, such as `database.schema`. */
  destination: string;
  /** The last `SPARKLINE_DAYS` days. */
  rowsByDay: DayRows[];
}

@Injectable()
export class ConnectionsQueries {
  private readonly facts: string;
  private readonly storedFacts: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly tenants: TenantDatabase,
    private readonly sync: SyncService,
    private readonly connectors: Connectors,
  ) {
    const access = accessSql(env, 'paid');
    this.facts = factsSql(access);
    this.storedFacts = `${storedFactsSql(access)} and f.connection_id = any($2::uuid[])`;
  }

  async getConnection(organizationId: string, connectionId: string): Promise<ConnectionEntry> {
    const rows = await this.tenants.query<ConnectionRow>(organizationId, `${this.facts} and c.id = $2`, [connectionId]);
    const [entry] = await this.entries(organizationId, rows);
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
    const entries = await this.entries(organizationId, rows);
    return entries.map((entry, place) => ({ ...entry, paymentId: rows[place]?.paymentId ?? '' }));
  }

  /** From the stored facts, by id. A connection without facts, such as a deleted one, has no entry. */
  async listStored(organizationId: string, ids: string[]): Promise<Map<string, ConnectionEntry>> {
    if (ids.length === 0) return new Map();
    const rows = await this.tenants.query<ConnectionRow>(organizationId, this.storedFacts, [ids]);
    return new Map((await this.entries(organizationId, rows)).map((entry) => [entry.id, entry]));
  }

  private async summaries(organizationId: string, ids: (string | null)[]): Promise<Map<string, RunSummary>> {
    const known = ids.filter((id) => id !== null);
    if (known.length === 0) return new Map();
    return new Map((await this.sync.listSummaries(organizationId, known)).map((run) => [run.id, run]));
  }

  private async entries(organizationId: string, rows: ConnectionRow[]): Promise<ConnectionEntry[]> {
    const computed = rows.filter(({ rowsByDay }) => !rowsByDay).map(({ id }) => id);
    const [runs, sparklines] = await Promise.all([
      this.summaries(
        organizationId,
        rows.flatMap(({ activeRunId, lastRunId }) => [activeRunId, lastRunId]),
      ),
      computed.length > 0 ? readRowsByDay(this.tenants, organizationId, computed) : new Map<string, RowsByDay>(),
    ]);
    const days = sparklineDays();
    const targets = new Map<string, StreamTarget[]>();
    const descriptions = new Map<string, string>();
    return rows.map((row) => {
      const rowsByDay = row.rowsByDay ?? sparklines.get(row.id) ?? {};
      const pair = `${row.sourceId} ${row.destinationId}`;
      if (!targets.has(pair)) targets.set(pair, this.targetsOf(row));
      if (!descriptions.has(row.destinationId)) descriptions.set(row.destinationId, this.describe(row));
      return this.toEntry(row, {
        active: runs.get(row.activeRunId ?? ''),
        lastRun: runs.get(row.lastRunId ?? '') ?? null,
        targets: targets.get(pair) ?? [],
        destination: descriptions.get(row.destinationId) ?? '',
        rowsByDay: days.map((day) => ({ day, rows: rowsByDay[day] ?? null })),
      });
    });
  }

  private targetsOf({ provider, sourceSettings, destinationProvider, destinationSettings }: ConnectionRow): StreamTarget[] {
    const all = this.connectors.findSource(provider)?.streams ?? [];
    const destination = this.connectors.findDestination(destinationProvider);
    return offeredStreams(all, readSelection(all, sourceSettings)).map((stream) => ({
      name: stream.name,
      targetTable: destination?.tableName(destinationSettings, stream) ?? stream.table,
    }));
  }

  private describe({ destinationProvider, destinationSettings }: ConnectionRow): string {
    return this.connectors.findDestination(destinationProvider)?.describe(destinationSettings, null).target ?? '';
  }

  private toEntry(row: ConnectionRow, { active, lastRun, targets, destination, rowsByDay }: RowParts): ConnectionEntry {
    const facts = toHealthFacts(this.connectors, row, new Date(), active);
    return {
      id: row.id,
      name: row.name,
      source: { id: row.sourceId, name: row.sourceName, provider: row.provider, appId: row.appId, accounts: row.accounts },
      destination: {
        id: row.destinationId,
        name: row.destinationName,
        provider: row.destinationProvider,
        target: destination,
      },
      streams: targets.map(({ name, targetTable }) => ({
        name,
        isSelected: row.streams.includes(name),
        targetTable,
        leftOut: row.leftOut[name] ?? [],
        hashedFields: row.hashed[name] ?? [],
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
        row.activeFailure ??
        row.lastFailure,
      completeThrough: completeThroughOf(row, facts),
      lastRun,
      activeRun: active ? toProgress(active) : null,
      nextRunAt: row.desired === 'active' && !row.isClosed ? (row.nextRunAt?.toISOString() ?? null) : null,
      rowsByDay,
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

/** A day is complete once it is over in all time zones of the accounts. */
function completeThroughOf({ reachedThrough, historyFrom }: ConnectionRow, { wantedThrough }: HealthFacts): string | null {
  if (reachedThrough === null) return null;
  const day = reachedThrough < wantedThrough ? reachedThrough : wantedThrough;
  return day >= historyFrom ? day : null;
}

let sparkline: { today: string; days: string[] } = { today: '', days: [] };

/** The days of a sparkline, computed once a day. */
function sparklineDays(): string[] {
  const today = new Date().toISOString().slice(0, 10);
  if (sparkline.today !== today) sparkline = { today, days: listDays(addDays(today, 1 - SPARKLINE_DAYS), today) };
  return sparkline.days;
}
