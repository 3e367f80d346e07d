import { Injectable } from '@nestjs/common';
import { Cursor, sortValues } from '../../core/database/cursor.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { notFound } from '../../core/http/problem.js';
import type { RunLogLine, RunLogPage, RunLogQuery } from './runs.dto.js';

// SQL: the log is partitioned, and its pages use the index of the run.

type Row = Omit<RunLogLine, 'at'> & { at: Date };

const BEFORE_FIRST = '0';
const AFTER_LAST = '9'.repeat(18);
const OLDEST_FIRST = new Cursor<[id: string]>('run-log', sortValues.sequence);
const NEWEST_FIRST = new Cursor<[id: string]>('run-log-newest', sortValues.sequence);

/**
 * Where the log continues before the lines of a run.
 * @param shown warnings and errors first, then the newest other lines. Without other lines, any of them may be missing.
 */
export function olderLogCursor(shown: readonly Pick<RunLogLine, 'position' | 'level'>[]): string {
  const last = shown.at(-1);
  return NEWEST_FIRST.encode([last?.level === 'info' ? last.position : AFTER_LAST]);
}

@Injectable()
export class RunLogQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  async listLog(organizationId: string, runId: string, { cursor, limit, order }: RunLogQuery): Promise<RunLogPage> {
    const isNewestFirst = order === 'newest';
    const cursors = isNewestFirst ? NEWEST_FIRST : OLDEST_FIRST;
    const [edge] = cursors.decode(cursor) ?? [isNewestFirst ? AFTER_LAST : BEFORE_FIRST];
    if (!(await this.tenants.of(organizationId).run.findFirst({ where: { id: runId }, select: { id: true } })))
      throw notFound('The run');
    const rows = await this.tenants.query<Row>(
      organizationId,
      `select l.id::text as position, l.at, l.level, l.message from run_log_entries l
        where l.organization_id = $1 and l.run_id = $2 and l.request is null and ${isNewestFirst ? 'l.id < $3::bigint order by l.id desc' : 'l.id > $3::bigint order by l.id'}
        limit $4`,
      [runId, edge, limit + 1],
    );
    const { items, nextCursor } = cursors.toPage(rows, limit, ({ position }) => [position]);
    return { items: items.map((line) => ({ ...line, at: line.at.toISOString() })), nextCursor };
  }
}
