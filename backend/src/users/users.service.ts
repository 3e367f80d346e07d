import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccessWatch, type Identity } from '../access/index.js';
import { AnalyticsService } from '../analytics/index.js';
import { AuditService } from '../audit/index.js';
import { Database } from '../core/database/database.js';
import { withoutOrganization } from '../core/outbox/outbox.js';
import { Problem } from '../core/http/problem.js';
import type { GetOrSaveUserBody } from './users.dto.js';

interface SavedUser {
  isNew: boolean;
  /** The e-mail differs from the stored one. */
  hasNewEmail: boolean;
  /** The stored e-mail has been verified. */
  isNewlyVerified: boolean;
  name: string;
  createdAtSeconds: number;
}

@Injectable()
export class UsersService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly analytics: AnalyticsService,
    private readonly audit: AuditService,
    private readonly watch: AccessWatch,
  ) {}

  onModuleInit(): void {
    this.watch.onNotice(async (notice) => {
      if (notice.kind === 'email-verified') await this.markVerified(notice.identity);
    });
  }

  /**
   * Creates the caller's record at the first sign-in and updates its e-mail; the name is set only once. A verified address
   * remains verified, because another tab may still use an older token.
   */
  async save(identity: Identity, body: GetOrSaveUserBody): Promise<void> {
    const { uid, email, isEmailVerified } = identity;
    const fullName = body.fullName?.trim() || identity.name || email;
    await this.database.transaction(async (query) => {
      const [user] = await query<SavedUser>(
        `with before as (select email, is_email_verified from users where uid = $1)
         insert into users (uid, email, is_email_verified, full_name, photo_url, last_seen_at) values ($1, $2, $3, $4, $5, now())
         on conflict (uid) do update set email = excluded.email, last_seen_at = now(),
           is_email_verified = excluded.is_email_verified or (users.is_email_verified and users.email = excluded.email)
         returning xmax = 0 as "isNew", email is distinct from (select email from before) as "hasNewEmail", full_name as name,
                   is_email_verified and not (select is_email_verified from before) as "isNewlyVerified",
                   extract(epoch from created_at)::int as "createdAtSeconds"`,
        [uid, email, isEmailVerified, fullName, body.photoURL ?? identity.picture],
      );
      if (!user) return;
      const { isNew, hasNewEmail, isNewlyVerified, name, createdAtSeconds } = user;
      const traits = { name, created_at: createdAtSeconds };
      if (isNew || hasNewEmail || isNewlyVerified) await this.analytics.identifyIn(withoutOrganization(query), identity, traits);
      if (!isNew) return;
      await this.analytics.raise(withoutOrganization(query), {
        name: 'Account Created',
        userId: uid,
        properties: { user_id: uid },
        onceKey: `account-created:${uid}`,
      });
    });
  }

  /** The token is newer than the stored user. Only the stored address is marked as verified. */
  private async markVerified(identity: Identity): Promise<void> {
    await this.database.transaction(async (query) => {
      const [user] = await query<Pick<SavedUser, 'name' | 'createdAtSeconds'>>(
        `update users set is_email_verified = true where uid = $1 and email = $2 and not is_email_verified
         returning full_name as name, extract(epoch from created_at)::int as "createdAtSeconds"`,
        [identity.uid, identity.email],
      );
      if (!user) return;
      const traits = { name: user.name, created_at: user.createdAtSeconds };
      await this.analytics.identifyIn(withoutOrganization(query), identity, traits);
    });
  }

  /** Users may read their own record. Platform staff may read all records, which is audited. */
  async assertMayRead(identity: Identity, uid: string): Promise<void> {
    if (uid === identity.uid) return;
    if (!identity.isSuperAdmin) throw new Problem('access.not_yours', 'You can only do this for your own account.');
    await this.audit.recordOverAll(identity, { action: 'super_admin.read', target: { type: 'user', id: uid } });
  }
}
