import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { accessSql } from '../../access/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { Cursor, sortValues } from '../../core/database/cursor.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { type ConnectionRow, storedFactsSql } from '../connection-facts.queries.js';
import { type ConnectionsQuery, HEALTHS } from '../connections.dto.js';
import { ConnectionFacts } from '../facts/connection-facts.service.js';
import { pageSql, type PagePosition } from './page.js';

// SQL: an ordered page of stored facts with everything that its rows show.

const CURSOR = new Cursor<[health: string, name: string, id: string]>(
  'connections',
  z.enum(HEALTHS),
  sortValues.text,
  sortValues.id,
);

/** Of `connection_totals`, and what decides how the list is read. */
interface ListState {
  /** Whether facts must be computed first. */
  isPending: boolean;
  /** Whether the organization has no access: all active connections are shown as paused. */
  isClosed: boolean;
  counts: Record<string, number> | null;
  tags: string[] | null;
  [column: string]: unknown;
}

interface ListRow extends ConnectionRow {
  severity: number;
}

interface ListResult {
  /** One more than the limit, if there is a next page. */
  rows: ListRow[];
  counts: Record<string, number>;
  tags: string[];
  cursorOf(row: ListRow): string;
}

@Injectable()
export class ConnectionList {
  private readonly state: string;
  private readonly access: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly tenants: TenantDatabase,
    private readonly facts: ConnectionFacts,
  ) {
    this.access = accessSql(env, 'paid');
    this.state = `
      select exists (select from connection_marks where organization_id = $1)
             or exists (select from connection_facts where organization_id = $1 and recheck_at <= now()) as "isPending",
             ${this.access} = 'closed' as "isClosed", t.counts, t.tags
        from organizations o
        left join connection_totals t on t.organization_id = o.id
        left join subscriptions paid on paid.organization_id = o.id
       where o.id = $1`;
  }

  async read(organizationId: string, query: ConnectionsQuery): Promise<ListResult> {
    const cursor = CURSOR.decode(query.cursor);
    const after: PagePosition | null = cursor && { severity: severityOf(cursor[0]), name: cursor[1], id: cursor[2] };
    let state = await this.readState(organizationId);
    if (state.isPending) {
      await this.facts.refresh(organizationId);
      state = await this.readState(organizationId);
    }
    const [rows, counts] = await Promise.all([
      this.readPage(organizationId, query, after, state.isClosed),
      state.isClosed ? this.countWithoutAccess(organizationId) : (state.counts ?? {}),
    ]);
    return {
      rows,
      counts: toCounts(counts),
      tags: state.tags ?? [],
      cursorOf: ({ severity, name, id }) => CURSOR.encode([HEALTHS[severity] ?? 'paused', name, id]),
    };
  }

  private async readState(organizationId: string): Promise<ListState> {
    const [state] = await this.tenants.query<ListState>(organizationId, this.state);
    return state ?? { isPending: false, isClosed: false, counts: null, tags: null };
  }

  private readPage(
    organizationId: string,
    { limit, health, search, appId, tag }: ConnectionsQuery,
    after: PagePosition | null,
    isClosed: boolean,
  ): Promise<ListRow[]> {
    const wanted = { severity: health && severityOf(health), search: search?.trim().toLowerCase(), appId, tag };
    const { facts, order, parameters } = pageSql(wanted, after, isClosed);
    const sql = `${storedFactsSql(this.access, facts)} order by ${order}`;
    return this.tenants.query<ListRow>(organizationId, sql, [limit + 1, ...parameters]);
  }

  private async countWithoutAccess(organizationId: string): Promise<Record<string, number>> {
    const rows = await this.tenants.query<{ severity: number; count: number }>(
      organizationId,
      `select case when is_paused then severity else ${severityOf('paused')} end as severity, count(*)::int
         from connection_facts where organization_id = $1 group by 1`,
    );
    return Object.fromEntries(rows.map(({ severity, count }) => [severity, count]));
  }
}

const severityOf = (health: string): number => HEALTHS.findIndex((name) => name === health);

function toCounts(bySeverity: Record<string, number>): Record<string, number> {
  const counts: Record<string, number> = { all: 0 };
  for (const [severity, count] of Object.entries(bySeverity)) {
    counts['all'] = (counts['all'] ?? 0) + count;
    counts[HEALTHS[Number(severity)] ?? 'paused'] = count;
  }
  return counts;
}
