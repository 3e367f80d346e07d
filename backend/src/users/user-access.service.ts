import { Injectable } from '@nestjs/common';
import type { Identity } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import type { SqlQuery } from '../core/database/database.js';
import { Notifications } from '../core/database/notifications.js';
import { RevokeAccess, type UserWork } from './revoke-access.service.js';

// SQL: locks the user's row.

export type DisabledReason = 'identity_disabled' | 'identity_deleted' | 'staff';
const BY_IDENTITY = ['identity_disabled', 'identity_deleted'] as const;

/** The user who changes the access and the reason; null for automatic changes. */
export interface AccessChange {
  actor: Identity | null;
  note: string | null;
}

/** The caller's transaction. */

const AUTOMATIC: AccessChange = { actor: null, note: null };

/**
 * The only code that disables and enables users, in the caller's transaction. A change applies from the next request and closes
 * the user's event streams. Enabling does not restore API keys, invitations and share links that disabling revoked.
 */
@Injectable()
export class UserAccess {
  constructor(
    private readonly audit: AuditService,
    private readonly revokeAccess: RevokeAccess,
    private readonly notifications: Notifications,
  ) {}

  /** Returns false when nothing changed. The identity provider's state never overrides a decision of platform staff. */
  async disable(work: UserWork, uid: string, reason: DisabledReason, change = AUTOMATIC): Promise<boolean> {
    const { transaction, query } = work;
    const user = await lockUser(query, uid);
    if (!user) return false;
    const { email, disabledAt, disabledReason } = user;
    if (disabledAt && reason !== 'staff' && (disabledReason === 'staff' || disabledReason === reason)) return false;
    await transaction.user.update({
      where: { uid },
      data: { disabledAt: disabledAt ?? new Date(), disabledReason: reason, disabledNote: change.note },
      select: { uid: true },
    });
    await this.revokeAccess.revokeEverywhere(work, uid, change.actor);
    await this.record(query, 'user.disabled', { uid, email }, { reason, note: change.note }, change);
    return true;
  }

  /** Returns false when nothing changed. Automatic changes only enable users that were disabled by the identity provider. */
  async enable({ transaction, query }: UserWork, uid: string, change = AUTOMATIC): Promise<boolean> {
    const reasons = change.actor === null ? { disabledReason: { in: [...BY_IDENTITY] } } : {};
    const [user] = await transaction.user.updateManyAndReturn({
      where: { uid, disabledAt: { not: null }, ...reasons },
      data: { disabledAt: null, disabledReason: null, disabledNote: null },
      select: { email: true },
    });
    if (user) await this.record(query, 'user.enabled', { uid, ...user }, { note: change.note }, change);
    return Boolean(user);
  }

  /** Rejects tokens of sign-ins before a time. The time never moves backwards. */
  async revokeTokens({ transaction, query }: UserWork, uid: string, validAfter: Date): Promise<void> {
    const { count } = await transaction.user.updateMany({
      where: { uid, OR: [{ tokensValidAfter: null }, { tokensValidAfter: { lt: validAfter } }] },
      data: { tokensValidAfter: validAfter },
    });
    if (count > 0) await this.notifications.publishPersonChange(query, uid);
  }

  private record(query: SqlQuery, action: string, user: { uid: string; email: string }, after: object, { actor }: AccessChange) {
    return this.audit.recordOverAll(actor, { action, target: { type: 'user', id: user.uid, name: user.email }, after }, query);
  }
}

interface LockedUser extends Record<string, unknown> {
  email: string;
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
}

async function lockUser(query: SqlQuery, uid: string): Promise<LockedUser | undefined> {
  const [user] = await query<LockedUser>(
    `select email, disabled_at as "disabledAt", disabled_reason as "disabledReason" from users where uid = $1 for no key update`,
    [uid],
  );
  return user;
}
