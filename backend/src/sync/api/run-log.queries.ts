import { Injectable } from '@nestjs/common';
import { Cursor, sortValues } from '../../core/database/cursor.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { PageQuery } from '../../core/http/page.dto.js';
import { notFound } from '../../core/http/problem.js';
import type { RunLogLine, RunLogPage } from './runs.dto.js';

// SQL: the log is partitioned, and its pages use the index of the run.

type Row = Omit<RunLogLine, 'at'> & { id: string; at: Date };

const CURSOR = new Cursor<[id: string]>('run-log', sortValues.sequence);

@Injectable()
export class RunLogQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Oldest first. */
  async listLog(organizationId: string, runId: string, { cursor, limit }: PageQuery): Promise<RunLogPage> {
    const [after] = CURSOR.decode(cursor) ?? ['0'];
    if (!(await this.tenants.of(organizationId).run.findFirst({ where: { id: runId }, select: { id: true } })))
      throw notFound('The run');
    const rows = await this.tenants.query<Row>(
      organizationId,
      `select l.id::text, l.at, l.level, l.message from run_log_entries l
        where l.organization_id = $1 and l.run_id = $2 and l.request is null and l.id > $3::bigint order by l.id limit $4`,
      [runId, after, limit + 1],
    );
    const { items, nextCursor } = CURSOR.toPage(rows, limit, ({ id }) => [id]);
    return { items: items.map(({ at, level, message }) => ({ at: at.toISOString(), level, message })), nextCursor };
  }
}
