import { Inject, Injectable } from '@nestjs/common';
import { accessSql } from '../access/index.js';
import { addDays, countDays } from '../connectors/kit/days.js';
import { CHOSEN_ACCOUNTS, JOIN_COMPLETE_THROUGH } from '../read-models/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { IdCursor } from '../core/database/cursor.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import { notFound, Problem } from '../core/http/problem.js';
import { completenessSql, type CompletenessRow } from '../read-models/index.js';
import type { ConnectionRow, StoredDay } from './connection-row.js';
import { describeFreshness } from './describe-freshness.js';
import type { FreshnessEntry, FreshnessListQuery, FreshnessPage, FreshnessQuery } from './freshness.dto.js';
import { lastEndedDay } from './target.js';

// SQL: a page of one statement over the connection, its ends and its last run, with the access rule.

const DEFAULT_DAYS = 14;

/** Read through indexes on (organization_id, id), on runs by connection, and on coverage by its key. Only for the connections of a page. */
const connectionsSql = (access: string, where: string): string => `
  select c.id, c.name, c.freshness_target as target, c.history_from as "historyFrom", covered.through as "completeThrough",
         ${CHOSEN_ACCOUNTS} as accounts, ${access} = 'closed' as "isClosed", c.desired, c.paused_reason as "pausedReason",
         case when a.state in ('needs_reauth', 'revoked') then a.display_name
              when da.state in ('needs_reauth', 'revoked') then da.display_name end as "expiredApp",
         exists (select from runs r where r.organization_id = c.organization_id and r.connection_id = c.id
                    and r.track = 'regular' and r.ended_at is null) as "hasActiveRun",
         case when ended.state in ('failed', 'partial', 'unverified') then ended.failure end as failure
    from connections c
    join sources s on s.organization_id = c.organization_id and s.id = c.source_id
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
    join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
    join apps da on da.organization_id = d.organization_id and da.id = d.app_id
    left join subscriptions paid on paid.organization_id = c.organization_id
    left join lateral (
      select r.state, r.failure from runs r
       where r.organization_id = c.organization_id and r.connection_id = c.id and r.ended_at is not null
         and r.track = 'regular' and r.state not in ('cancelled', 'skipped')
       order by r.queued_at desc limit 1) ended on true
    ${JOIN_COMPLETE_THROUGH}
   where c.organization_id = $1 and c.deleted_at is null and c.payment_id is null and ${where}`;

const CURSOR = new IdCursor('freshness');

/**
 * Reads whether days are complete. A request reads only the connections of its page and the days of its range, so its cost does
 * not depend on the number of connections or on the length of their history.
 */
@Injectable()
export class FreshnessQueries {
  private readonly pageSql: string;
  private readonly oneSql: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly tenants: TenantDatabase,
  ) {
    const access = accessSql(env, 'paid');
    this.oneSql = connectionsSql(access, 'c.id = $2');
    // An array, which is read first: with `in`, the planner joins all connections before it selects those of the page.
    this.pageSql = connectionsSql(
      access,
      `c.id = any(array(
          select p.id from connections p
           where p.organization_id = $1 and p.deleted_at is null and p.payment_id is null
             and ($2::uuid is null or p.id > $2) and ($3::uuid[] is null or p.id = any($3))
           order by p.id limit $4))
       order by c.id`,
    );
  }

  /** By the time of their creation. */
  async listFreshness(organizationId: string, query: FreshnessListQuery, now: Date): Promise<FreshnessPage> {
    assertRange(query, LIST_LIMITS.freshnessListDays);
    const parameters = [CURSOR.after(query.cursor), query.connectionIds ?? null, query.limit + 1];
    const rows = await this.tenants.query<ConnectionRow>(organizationId, this.pageSql, parameters);
    const page = CURSOR.toPage(rows, query.limit, ({ id }) => [id]);
    return { items: await this.describe(organizationId, page.items, query, now), nextCursor: page.nextCursor };
  }

  async getFreshness(organizationId: string, connectionId: string, query: FreshnessQuery, now: Date): Promise<FreshnessEntry> {
    assertRange(query, LIST_LIMITS.freshnessDays);
    const rows = await this.tenants.query<ConnectionRow>(organizationId, this.oneSql, [connectionId]);
    const [entry] = await this.describe(organizationId, rows, query, now);
    if (!entry) throw notFound('The connection');
    return entry;
  }

  private async describe(
    organizationId: string,
    rows: ConnectionRow[],
    query: FreshnessQuery,
    now: Date,
  ): Promise<FreshnessEntry[]> {
    if (rows.length === 0) return [];
    const spans = rows.map((row) => spanOf(row, query, now));
    const parameters = [rows.map(({ id }) => id), spans.map(({ from }) => from), spans.map(({ to }) => to)];
    const [days, stored] = await Promise.all([
      this.tenants.query<CompletenessRow>(organizationId, completenessSql, parameters),
      this.tenants.query<StoredDay>(organizationId, STORED, parameters),
    ]);
    const [daysOf, storedOf] = [byConnection(days), byConnection(stored)];
    return rows.map((row) => describeFreshness(row, daysOf.get(row.id) ?? [], storedOf.get(row.id) ?? [], now));
  }
}

const STORED = `
  select f.connection_id as "connectionId", f.day::text as day, f.state, f.due_at as "dueAt", f.late_at as "lateAt",
         f.completed_at as "completedAt", f.state = 'waiting' and f.check_at is null as "isExcused"
    from unnest($2::uuid[], $3::date[], $4::date[]) as span(connection_id, first, last)
    join freshness_days f on f.organization_id = $1 and f.connection_id = span.connection_id and f.day between span.first and span.last`;

function byConnection<Row extends { connectionId: string }>(rows: Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.connectionId, [...(groups.get(row.connectionId) ?? []), row]);
  return groups;
}

function spanOf({ accounts }: ConnectionRow, query: FreshnessQuery, now: Date): { from: string; to: string } {
  const last = lastEndedDay(
    now,
    accounts.map(({ timeZone }) => timeZone),
  );
  const to = query.to ?? (query.from && query.from > last ? query.from : last);
  return { from: query.from ?? addDays(to, 1 - DEFAULT_DAYS), to };
}

function assertRange({ from, to }: FreshnessQuery, days: number): void {
  if (from === undefined) return;
  // Without `to` the range ends with the last ended day of each connection, which is today at the latest.
  const last = to ?? [from, new Date().toISOString().slice(0, 10)].toSorted().at(-1) ?? from;
  if (from <= last && countDays(from, last) <= days) return;
  const message = `from must be at most ${days - 1} days before to`;
  throw new Problem('request.invalid', { detail: message, errors: [{ field: 'from', message }] });
}
