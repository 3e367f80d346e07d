import { Injectable } from '@nestjs/common';
import { IdCursor } from '../core/database/cursor.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { AuditEvent, AuditPage, AuditQuery } from './audit.dto.js';

// SQL: filters by a part of a text and by a prefix, and pages that continue after an id.

type AuditRow = Omit<AuditEvent, 'at' | 'lastAt'> & { at: Date; lastAt: Date | null };

const SELECT = `
  select id, at, actor_kind as "actorKind", actor_id as "actorId", actor_email as "actorEmail", api_key_name as "apiKeyName",
         role, action, json_build_object('type', target_type, 'id', target_id, 'name', target_name) as target, before, after, ip,
         request_id as "requestId", count, last_at as "lastAt"
    from audit_events
   where organization_id = $1
     and ($2::text is null or actor_id = $2 or position(lower($2) in lower(actor_email)) > 0)
     and ($3::text is null or action = $3 or (right($3, 1) = '.' and starts_with(action, $3)))
     and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)
     and ($6::uuid is null or id < $6)
   order by id desc limit $7`;

const CURSOR = new IdCursor('audit_events');

@Injectable()
export class AuditQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Newest first. */
  async listAuditEvents(organizationId: string, query: AuditQuery): Promise<AuditPage> {
    const after = CURSOR.after(query.cursor);
    const { actor = null, action = null, from = null, to = null } = query;
    const rows = await this.tenants.query<AuditRow>(organizationId, SELECT, [actor, action, from, to, after, query.limit + 1]);
    return CURSOR.toPage(rows.map(toEvent), query.limit, (event) => [event.id]);
  }
}

const toEvent = (row: AuditRow): AuditEvent => ({
  ...row,
  at: row.at.toISOString(),
  lastAt: row.lastAt?.toISOString() ?? null,
});
