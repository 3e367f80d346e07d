import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccessWatch, type Identity } from '../access/index.js';
import { AnalyticsService } from '../analytics/index.js';
import { AuditService } from '../audit/index.js';
import { Database, type SqlQuery } from '../core/database/database.js';
import { withoutOrganization } from '../core/outbox/outbox.js';
import { Problem } from '../core/http/problem.js';
import type { UserWork } from './revoke-access.service.js';
import type { GetOrSaveUserBody } from './users.dto.js';

// SQL: locks the user's row.

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
    const { uid, email } = identity;
    const fullName = body.fullName?.trim() || identity.name || email;
    const photoURL = body.photoURL === undefined ? identity.picture : body.photoURL;
    await this.database.write(async (transaction, query) => {
      const user = await store({ transaction, query }, identity, { fullName, photoURL });
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
    const { uid, email } = identity;
    await this.database.write(async (transaction, query) => {
      const [user] = await transaction.user.updateManyAndReturn({
        where: { uid, email, isEmailVerified: false },
        data: { isEmailVerified: true },
      });
      if (!user) return;
      const traits = { name: user.fullName, created_at: Math.round(user.createdAt.getTime() / 1_000) };
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

interface StoredUser extends Record<string, unknown> {
  email: string;
  isEmailVerified: boolean;
}

const lockUser = async (query: SqlQuery, uid: string): Promise<StoredUser | undefined> =>
  (
    await query<StoredUser>('select email, is_email_verified as "isEmailVerified" from users where uid = $1 for no key update', [
      uid,
    ])
  )[0];

/** Inserts the user or updates the stored one, which the lock keeps as it was read. */
async function store(
  { transaction, query }: UserWork,
  { uid, email, isEmailVerified }: Identity,
  first: { fullName: string; photoURL: string | null },
): Promise<SavedUser> {
  const lastSeenAt = new Date();
  let before = await lockUser(query, uid);
  const data = [{ uid, email, isEmailVerified, ...first, lastSeenAt }];
  const isNew = !before && (await transaction.user.createMany({ data, skipDuplicates: true })).count > 0;
  // Another request has created the user meanwhile.
  if (!before && !isNew) before = await lockUser(query, uid);
  const wasVerified = before?.isEmailVerified === true;
  const isVerified = isEmailVerified || (wasVerified && before?.email === email);
  const changed = { email, isEmailVerified: isVerified, lastSeenAt };
  const { fullName, createdAt } = isNew
    ? await transaction.user.findUniqueOrThrow({ where: { uid } })
    : await transaction.user.update({ where: { uid }, data: changed });
  return {
    isNew,
    hasNewEmail: before?.email !== email,
    isNewlyVerified: before !== undefined && isVerified && !wasVerified,
    name: fullName,
    createdAtSeconds: Math.round(createdAt.getTime() / 1_000),
  };
}
