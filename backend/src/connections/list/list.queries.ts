import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { accessSql } from '../../access/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { Cursor, sortValues } from '../../core/database/cursor.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { type ConnectionsQuery, HEALTHS } from '../connections.dto.js';
import { ConnectionFacts } from '../facts/connection-facts.service.js';
import { pageSql, type PagePosition } from './page.js';

// SQL: an ordered page of stored facts with the state of the whole list.

const CURSOR = new Cursor<[health: string, name: string, id: string]>(
  'connections',
  z.enum(HEALTHS),
  sortValues.text,
  sortValues.id,
);

/** Of `connection_totals`, and what decides how the list is read. */
interface ListState {
  /** Whether facts must be computed first. */
  isListPending: boolean;
  /** Whether the organization has no access: all active connections are shown as paused. */
  isListClosed: boolean;
  /** JSON, because each row has it and only the first is read. */
  listCounts: string | null;
  listTags: string | null;
}

/** A connection of the list, in its order. */
export interface ListRow {
  id: string;
  name: string;
  /** Its position in the order of healths. */
  place: number;
  /** Changes whenever something that the list shows of the connection may have changed. */
  revision: string;
}

interface Page {
  rows: ListRow[];
  state: ListState;
}

interface ListResult {
  /** One more than the limit, if there is a next page. */
  rows: ListRow[];
  counts: Record<string, number>;
  /** JSON. */
  tags: string;
  /** Whether the organization has no access. */
  isClosed: boolean;
  cursorOf(row: ListRow): string;
}

@Injectable()
export class ConnectionList {
  private readonly state: string;

  constructor(
    @Inject(ENV) env: Env,
    private readonly tenants: TenantDatabase,
    private readonly facts: ConnectionFacts,
  ) {
    const access = accessSql(env, 'paid');
    this.state = `
      select exists (select from connection_marks where organization_id = $1)
             or exists (select from connection_facts where organization_id = $1 and recheck_at <= now()) as "isListPending",
             ${access} = 'closed' as "isListClosed", t.counts::text as "listCounts", to_json(t.tags)::text as "listTags"
        from organizations o
        left join connection_totals t on t.organization_id = o.id
        left join subscriptions paid on paid.organization_id = o.id
       where o.id = $1`;
  }

  async read(organizationId: string, query: ConnectionsQuery): Promise<ListResult> {
    const cursor = CURSOR.decode(query.cursor);
    const after: PagePosition | null = cursor && { severity: severityOf(cursor[0]), name: cursor[1], id: cursor[2] };
    let page = await this.readPage(organizationId, query, after, false);
    if (page.state.isListPending) {
      await this.facts.refresh(organizationId);
      page = await this.readPage(organizationId, query, after, false);
    }
    const { isListClosed, listCounts, listTags } = page.state;
    if (isListClosed) page = await this.readPage(organizationId, query, after, true);
    return {
      rows: page.rows,
      counts: toCounts(
        isListClosed ? await this.countWithoutAccess(organizationId) : (JSON.parse(listCounts ?? '{}') as Record<string, number>),
      ),
      tags: listTags ?? '[]',
      isClosed: isListClosed,
      cursorOf: ({ place, name, id }) => CURSOR.encode([HEALTHS[place] ?? 'paused', name, id]),
    };
  }

  /** One statement for the state and the rows: the state decides only rarely that the rows are read differently. */
  private async readPage(
    organizationId: string,
    { limit, health, search, appId, tag }: ConnectionsQuery,
    after: PagePosition | null,
    isClosed: boolean,
  ): Promise<Page> {
    const wanted = { severity: health && severityOf(health), search: search?.trim().toLowerCase(), appId, tag };
    const { sql: pageOfList, order, parameters } = pageSql(wanted, after, { isClosed, rows: limit + 1 });
    const sql = `
      select state.*, page.*
        from (${this.state}) state left join (${pageOfList}) page on true
       order by ${order}`;
    const found = await this.tenants.query<ListRow & ListState>(organizationId, sql, parameters);
    // Without connections, the state is in a row of its own.
    return { rows: found.filter(({ id }) => id !== null).slice(0, limit + 1), state: found[0] ?? NO_STATE };
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

/** Of an organization that has been deleted in the meantime. */
const NO_STATE: ListState = { isListPending: false, isListClosed: false, listCounts: null, listTags: null };

const severityOf = (health: string): number => HEALTHS.findIndex((name) => name === health);

function toCounts(bySeverity: Record<string, number>): Record<string, number> {
  const counts: Record<string, number> = { all: 0 };
  for (const [severity, count] of Object.entries(bySeverity)) {
    counts['all'] = (counts['all'] ?? 0) + count;
    counts[HEALTHS[Number(severity)] ?? 'paused'] = count;
  }
  return counts;
}
