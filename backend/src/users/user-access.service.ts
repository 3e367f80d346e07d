import { Injectable } from '@nestjs/common';
import type { Identity } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import type { SqlQuery } from '../core/database/database.js';
import { Notifications } from '../core/database/notifications.js';
import { RevokeAccess } from './revoke-access.service.js';

export type DisabledReason = 'identity_disabled' | 'identity_deleted' | 'staff';

/** The user who changes the access and the reason; null for automatic changes. */
export interface AccessChange {
  actor: Identity | null;
  note: string | null;
}

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
  async disable(query: SqlQuery, uid: string, reason: DisabledReason, change = AUTOMATIC): Promise<boolean> {
    const [user] = await query<{ email: string }>(
      `update users set disabled_at = coalesce(disabled_at, now()), disabled_reason = $2::text::disabled_reason, disabled_note = $3
        where uid = $1 and (disabled_at is null or $2 = 'staff' or disabled_reason::text not in ('staff', $2))
        returning email`,
      [uid, reason, change.note],
    );
    if (!user) return false;
    await this.revokeAccess.revokeEverywhere(query, uid, change.actor);
    await this.record(query, 'user.disabled', { uid, ...user }, { reason, note: change.note }, change);
    return true;
  }

  /** Returns false when nothing changed. Automatic changes only enable users that were disabled by the identity provider. */
  async enable(query: SqlQuery, uid: string, change = AUTOMATIC): Promise<boolean> {
    const [user] = await query<{ email: string }>(
      `update users set disabled_at = null, disabled_reason = null, disabled_note = null
        where uid = $1 and disabled_at is not null and ($2::boolean or disabled_reason in ('identity_disabled', 'identity_deleted'))
        returning email`,
      [uid, change.actor !== null],
    );
    if (user) await this.record(query, 'user.enabled', { uid, ...user }, { note: change.note }, change);
    return Boolean(user);
  }

  /** Rejects tokens of sign-ins before a time. The time never moves backwards. */
  async revokeTokens(query: SqlQuery, uid: string, validAfter: Date): Promise<void> {
    const moved = await query(
      `update users set tokens_valid_after = $2
        where uid = $1 and (tokens_valid_after is null or tokens_valid_after < $2) returning uid`,
      [uid, validAfter],
    );
    if (moved.length > 0) await this.notifications.publishPersonChange(query, uid);
  }

  private record(query: SqlQuery, action: string, user: { uid: string; email: string }, after: object, { actor }: AccessChange) {
    return this.audit.recordOverAll(actor, { action, target: { type: 'user', id: user.uid, name: user.email }, after }, query);
  }
}
