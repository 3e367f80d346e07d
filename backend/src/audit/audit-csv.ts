import { Injectable } from '@nestjs/common';
import type { AuditEvent, AuditQuery } from './audit.dto.js';
import { AuditQueries } from './audit.queries.js';

const HEADER =
  'at,actor_kind,actor_id,actor_email,api_key_name,role,action,target_type,target_id,target_name,before,after,ip,request_id';
const ROWS_AT_ONCE = 1_000;

/** The trail as a table, page by page: however long it is, it never stands in memory as a whole. */
@Injectable()
export class AuditCsv {
  constructor(private readonly queries: AuditQueries) {}

  async *lines(organizationId: string, query: AuditQuery): AsyncGenerator<string> {
    yield `${HEADER}\r\n`;
    let cursor = query.cursor;
    do {
      const page = await this.queries.listAuditEvents(organizationId, { ...query, limit: ROWS_AT_ONCE, cursor });
      if (page.items.length > 0) yield page.items.map(toLine).join('');
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
  }
}

const toLine = (event: AuditEvent): string => {
  const { at, actorKind, actorId, actorEmail, apiKeyName, role, action, target, before, after, ip, requestId } = event;
  const cells = [at, actorKind, actorId, actorEmail, apiKeyName, role, action, target.type, target.id, target.name];
  return `${[...cells, before, after, ip, requestId].map(toCell).join(',')}\r\n`;
};

/** Spreadsheets run what begins with one of these as a formula; a quote before it keeps it text. */
const FORMULA = /^[=+\-@\t\r]/;

function toCell(value: string | object | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
