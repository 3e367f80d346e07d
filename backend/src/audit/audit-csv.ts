import { Injectable } from '@nestjs/common';
import type { AuditEvent, AuditPage, AuditQuery } from './audit.dto.js';
import { AuditQueries } from './audit.queries.js';

const HEADER =
  'at,actor_kind,actor_id,actor_email,api_key_name,role,action,target_type,target_id,target_name,before,after,ip,request_id,last_at,count';
const PAGE_ROWS = 1_000;

/** The audit trail as CSV. It is read page by page, so that a long trail is never in memory as a whole. */
@Injectable()
export class AuditCsv {
  constructor(private readonly queries: AuditQueries) {}

  /** The first page is read before the response starts, so that an invalid filter returns an error. */
  async lines(organizationId: string, query: AuditQuery): Promise<AsyncGenerator<string>> {
    return this.linesFrom(await this.page(organizationId, query, query.cursor), organizationId, query);
  }

  private async *linesFrom(first: AuditPage, organizationId: string, query: AuditQuery): AsyncGenerator<string> {
    yield `${HEADER}\r\n`;
    for (let page = first; ; page = await this.page(organizationId, query, page.nextCursor)) {
      if (page.items.length > 0) yield page.items.map(toLine).join('');
      if (!page.nextCursor) return;
    }
  }

  private page(organizationId: string, query: AuditQuery, cursor: string | null | undefined): Promise<AuditPage> {
    return this.queries.listAuditEvents(organizationId, { ...query, limit: PAGE_ROWS, cursor: cursor ?? undefined });
  }
}

const toLine = (event: AuditEvent): string => {
  const { at, actorKind, actorId, actorEmail, apiKeyName, role, action, target, before, after, ip, requestId, lastAt, count } =
    event;
  const cells = [at, actorKind, actorId, actorEmail, apiKeyName, role, action, target.type, target.id, target.name];
  return `${[...cells, before, after, ip, requestId, lastAt, String(count)].map(toCell).join(',')}\r\n`;
};

/** Spreadsheets evaluate text that starts with one of these characters as a formula. A leading quote prevents that. */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(value: string | object | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const escaped = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
