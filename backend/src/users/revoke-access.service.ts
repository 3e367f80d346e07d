import { Injectable } from '@nestjs/common';
import type { Role } from '../access/index.js';
import { type AuditActor, AuditService } from '../audit/index.js';
import type { SqlQuery } from '../core/database/database.js';
import { Notifications } from '../core/database/notifications.js';
import { queryOf, type TenantTransaction, type TenantWork } from '../core/database/tenant-database.js';
import type { Prisma } from '../generated/prisma/client.js';

// SQL: locks organizations and members in one order; Prisma's tenant client cannot read users.

/** A user who lost access to an organization, or whose role was lowered. */
export interface EndedAccess {
  organizationId: string;
  userId: string;
  /** The remaining role; null when the user has no access. */
  role: Role | null;
}

export type RevokedKind = 'apiKeys' | 'invitations' | 'shareLinks';

/**
 * Revokes resources that exceed the user's remaining access, and returns their names. The transaction may be one over several
 * organizations, so that each condition names the organization.
 */
export type Revoker = (transaction: TenantTransaction, ended: EndedAccess) => Promise<string[]>;

/** The caller's transaction over all organizations. */
export interface UserWork {
  transaction: Prisma.TransactionClient;
  query: SqlQuery;
}

/** Maximum number of names of each kind in the audit entry. */
const MAX_NAMES = 100;

/**
 * Revokes a user's API keys, invitations and share links when the user loses access. Each module registers a revoker for its
 * tables. All of them run in the transaction that ends the access, with a lock on the organization's row.
 */
@Injectable()
export class RevokeAccess {
  private readonly revokers = new Map<RevokedKind, Revoker>();

  constructor(
    private readonly audit: AuditService,
    private readonly notifications: Notifications,
  ) {}

  register(kind: RevokedKind, revoker: Revoker): void {
    this.revokers.set(kind, revoker);
  }

  /** Call it after the membership has changed, in the same transaction. A null actor means an automatic action. */
  async revoke(work: TenantWork, ended: EndedAccess, actor: AuditActor | null): Promise<void> {
    const { transaction, query } = work;
    const { organizationId, userId } = ended;
    const revoked: Partial<Record<RevokedKind, string[]>> = {};
    for (const [kind, revoker] of this.revokers) {
      const names = await revoker(transaction, ended);
      if (names.length > 0) revoked[kind] = shortened(names);
    }
    await this.notifications.publishAccessChange(query, { organizationId, userId });
    if (Object.keys(revoked).length === 0) return;
    const [user] = await query<{ email: string }>(
      'select u.email from users u join organizations o on o.id = $1 where u.uid = $2',
      [userId],
    );
    const target = { type: 'member', id: userId, name: user?.email ?? null };
    await this.audit.recordIn(organizationId, actor, { action: 'access.revoked', target, after: revoked }, query);
  }

  /** Revokes access in every organization, for a disabled user. Call it in the transaction that has set `users.disabled_at`. */
  async revokeEverywhere(work: UserWork, userId: string, actor: AuditActor | null): Promise<void> {
    const { transaction, query } = work;
    // Locks organizations before members and by id. All code uses this order to avoid deadlocks.
    const organizations = await query<{ id: string }>(
      `select id from organizations where id in (select organization_id from members where user_id = $1)
        order by id for no key update`,
      [userId],
    );
    await query('select 1 from members where user_id = $1 order by organization_id for no key update', [userId]);
    for (const { id } of organizations)
      await this.revoke({ transaction, query: queryOf(query, id) }, { organizationId: id, userId, role: null }, actor);
    await this.notifications.publishPersonChange(query, userId);
  }
}

const shortened = (names: string[]): string[] =>
  names.length <= MAX_NAMES ? names : [...names.slice(0, MAX_NAMES), `and ${names.length - MAX_NAMES} more`];
