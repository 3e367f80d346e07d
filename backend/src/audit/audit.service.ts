import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AccessNotice, AccessWatch, type Actor, type Identity, type Role } from '../access/index.js';
import { Database, type SqlQuery } from '../core/database/database.js';
import { newId } from '../core/database/identifiers.js';
import { withoutOrganization } from '../core/outbox/outbox.js';
import { currentRequest } from '../core/http/request-context.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
import { redact } from './redact.js';

// SQL: counts a repeated entry in one statement (upsert), by the hour of the database.

export interface AuditEntry {
  /** Kind of resource and verb, such as member.removed. */
  action: string;
  target: { type: string; id?: string | null; name?: string | null };
  /** Changed fields with their previous values, and with their new values in `after`. */
  before?: object;
  after?: object;
  /** Entries with the same key in one organization and hour are stored as one entry with a count. */
  repeats?: string;
}

/** The caller; role and visit are set for actions in an organization. */
export type AuditActor = Identity & { role?: Role | null; isVisit?: boolean };

/** Stores audit entries. With the query of a transaction, the entry is part of that transaction. */
@Injectable()
export class AuditService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly watch: AccessWatch,
  ) {}

  onModuleInit(): void {
    this.watch.onNotice((notice) => this.recordNotice(notice));
  }

  /** Records an action of a member. */
  record(actor: Actor, entry: AuditEntry, query?: TenantQuery): Promise<void> {
    return this.recordIn(actor.organizationId, actor, entry, query);
  }

  /** Records an action of a user who may not be a member. Null: an automatic action. */
  async recordIn(organizationId: string, actor: AuditActor | null, entry: AuditEntry, query?: TenantQuery): Promise<void> {
    const send: TenantQuery = query ?? ((text, parameters) => this.tenants.query(organizationId, text, parameters));
    await insert(send, actor, entry);
  }

  /** Records an action of platform staff over all organizations. Null: an automatic action. */
  async recordOverAll(actor: AuditActor | null, entry: AuditEntry, query?: SqlQuery): Promise<void> {
    const send: SqlQuery = query ?? (async (text, parameters) => (await this.database.pool.query(text, parameters)).rows);
    await insert(withoutOrganization(send), actor && { ...actor, isVisit: true }, entry);
  }

  /** Stores one entry per hour, caller, target and code, so that repeated rejections do not fill the table. */
  async recordRejection(
    actor: AuditActor & { organizationId: string },
    target: { type: string; id: string },
    code: string,
  ): Promise<void> {
    const repeats = [actor.apiKey?.id ?? actor.uid, target.type, target.id, code].join(' ');
    await this.recordIn(actor.organizationId, actor, { action: 'access.refused', target, after: { code }, repeats });
  }

  private async recordNotice(notice: AccessNotice): Promise<void> {
    if (notice.kind !== 'refused' && notice.kind !== 'visited') return;
    const { organizationId, identity, permission } = notice;
    const target = { type: 'permission', id: permission };
    if (notice.kind === 'visited') {
      const actor = { ...identity, role: null, isVisit: true };
      return this.recordIn(organizationId, actor, { action: 'super_admin.read', target });
    }
    await this.recordRejection({ ...identity, organizationId, role: notice.role }, target, notice.code);
  }
}

/** Stores nothing for an organization that does not exist. */
async function insert(query: TenantQuery, actor: AuditActor | null, entry: AuditEntry): Promise<void> {
  const { requestId, ip } = currentRequest();
  const { action, target, before, after, repeats } = entry;
  await query(
    `insert into audit_events (organization_id, id, actor_kind, actor_id, actor_email, api_key_name, role, action,
                               target_type, target_id, target_name, before, after, ip, request_id, repeat_key)
     select $1::uuid, $2::uuid, $3::audit_actor_kind, $4::text, $5::text, $6::text, $7::member_role, $8::text,
            $9::text, $10::text, $11::text, $12::jsonb, $13::jsonb, $14::text, $15::text,
            $1::text || ' ' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24') || ' ' || $16::text
      where $1 is null or exists (select from organizations where id = $1)
     on conflict (repeat_key) do update set count = audit_events.count + 1, last_at = excluded.at`,
    [
      newId(),
      kindOf(actor),
      actor?.uid ?? null,
      actor?.email ?? null,
      actor?.apiKey?.name ?? null,
      actor?.role ?? null,
      action,
      target.type,
      target.id ?? null,
      target.name ?? null,
      before ? JSON.stringify(redact(before)) : null,
      after ? JSON.stringify(redact(after)) : null,
      ip,
      requestId,
      repeats ?? null,
    ],
  );
}

function kindOf(actor: AuditActor | null): 'user' | 'api_key' | 'super_admin' | 'system' {
  if (!actor) return 'system';
  if (actor.apiKey) return 'api_key';
  return actor.isVisit ? 'super_admin' : 'user';
}
