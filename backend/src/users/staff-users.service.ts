import { Injectable } from '@nestjs/common';
import type { Identity } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { Database } from '../core/database/database.js';
import { notFound, Problem } from '../core/http/problem.js';
import type { UserEntry, UserPage, UsersQuery } from './staff-users.dto.js';
import { UserAccess } from './user-access.service.js';
import { UsersQueries } from './users.queries.js';

/** User administration for platform staff. Other users get 404. */
@Injectable()
export class StaffUsers {
  constructor(
    private readonly database: Database,
    private readonly queries: UsersQueries,
    private readonly access: UserAccess,
    private readonly audit: AuditService,
  ) {}

  async list(identity: Identity, query: UsersQuery): Promise<UserPage> {
    assertStaff(identity);
    await this.audit.recordOverAll(identity, {
      action: 'super_admin.read',
      target: { type: 'user', name: query.email ?? 'all' },
    });
    return this.queries.listUsers(query);
  }

  async disable(identity: Identity, uid: string, note: string): Promise<UserEntry> {
    await this.assertOther(identity, uid);
    await this.database.write((transaction, query) =>
      this.access.disable({ transaction, query }, uid, 'staff', { actor: identity, note }),
    );
    return this.queries.getUserEntry(uid);
  }

  async enable(identity: Identity, uid: string, note: string): Promise<UserEntry> {
    await this.assertOther(identity, uid);
    await this.database.write((transaction, query) => this.access.enable({ transaction, query }, uid, { actor: identity, note }));
    return this.queries.getUserEntry(uid);
  }

  private async assertOther(identity: Identity, uid: string): Promise<void> {
    assertStaff(identity);
    if (uid === identity.uid)
      throw new Problem('user.own_account', 'You cannot change the access of your own account. Ask another staff member.');
    await this.queries.getUserEntry(uid);
  }
}

function assertStaff({ isSuperAdmin }: Identity): void {
  if (!isSuperAdmin) throw notFound('The user');
}
