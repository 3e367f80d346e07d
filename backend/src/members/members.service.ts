import { Inject, Injectable } from '@nestjs/common';
import { type Actor, assertAllowed, assertNotAbove, isAtMost, lockOwnRole, type Role } from '../access/index.js';
import { removeRecipient } from '../alerts/index.js';
import { AuditService } from '../audit/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { Outbox } from '../core/outbox/outbox.js';
import { notFound, Problem } from '../core/http/problem.js';
import { type TenantQuery, TenantDatabase, type TenantTransaction } from '../core/database/tenant-database.js';
import { publishMembers, removeMember, setMemberRole } from '../organizations/index.js';
import { RevokeAccess } from '../users/index.js';
import { roleChangedMail } from './mails.js';

// SQL: locks the organization's row.

interface Person {
  userId: string;
  email: string;
  role: Role;
  isDisabled: boolean;
}

/** State while the organization's row is locked, so that its members cannot change concurrently. */
interface Locked {
  transaction: TenantTransaction;
  query: TenantQuery;
  organizationName: string;
  /** The caller's current role, which may be lower than when the guard checked it. */
  ownRole: Role;
}

@Injectable()
export class MembersService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
    private readonly outbox: Outbox,
    private readonly revokeAccess: RevokeAccess,
  ) {}

  async changeRole(actor: Actor, userId: string, role: Role): Promise<void> {
    await this.locked(actor, async (locked) => {
      const member = await getMember(locked.transaction, userId);
      for (const required of ['admin', member.role, role] as const) assertNotAbove(locked.ownRole, required);
      if (member.role === role) return;
      if (member.role === 'owner') await assertAnotherOwner(locked.transaction, userId);
      await this.setRole(locked, actor, member, role, 'member.role_changed');
    });
  }

  /** With the caller's own id, the caller leaves. Removing others requires an admin whose role is not below the member's role. */
  async remove(actor: Actor, userId: string): Promise<void> {
    if (userId === actor.uid) return this.leave(actor);
    assertAllowed(actor, 'members.write');
    await this.locked(actor, async (locked) => {
      assertNotAbove(locked.ownRole, 'admin');
      const member = await getMember(locked.transaction, userId);
      assertNotAbove(locked.ownRole, member.role);
      await this.delete(locked, actor, member, 'member.removed');
    });
  }

  async leave(actor: Actor): Promise<void> {
    await this.locked(actor, async (locked) => {
      await this.delete(locked, actor, await getMember(locked.transaction, actor.uid), 'member.left');
    });
  }

  /** Transfers the organization to another member. The caller becomes admin. */
  async transfer(actor: Actor, userId: string): Promise<void> {
    await this.locked(actor, async (locked) => {
      assertNotAbove(locked.ownRole, 'owner');
      if (userId === actor.uid) return;
      const member = await getMember(locked.transaction, userId);
      if (member.isDisabled) throw memberDisabled(member.email);
      if (member.role !== 'owner') await this.setRole(locked, actor, member, 'owner', 'organization.transferred');
      const caller = await getMember(locked.transaction, actor.uid);
      await this.setRole(locked, actor, caller, 'admin', 'member.role_changed');
    });
  }

  /** The lock serializes changes. Without it, two owners who leave concurrently would leave the organization without an owner. */
  private locked<Result>(actor: Actor, work: (locked: Locked) => Promise<Result>): Promise<Result> {
    return this.tenants.write(actor.organizationId, async (transaction, query) => {
      const [organization] = await query<{ name: string }>(
        'select name from organizations where id = $1 and deleted_at is null for no key update',
      );
      if (!organization) throw notFound('The organization');
      const ownRole = await lockOwnRole(query, actor);
      return work({ transaction, query, organizationName: organization.name, ownRole });
    });
  }

  private async setRole(locked: Locked, actor: Actor, member: Person, role: Role, action: string): Promise<void> {
    const { transaction, query, organizationName } = locked;
    await setMemberRole(transaction, member.userId, role);
    await publishMembers(query);
    const target = { type: 'member', id: member.userId, name: member.email };
    await this.audit.record(actor, { action, target, before: { role: member.role }, after: { role } }, query);
    if (isAtMost(role, member.role)) await this.endAccess(locked, actor, member, role);
    if (member.userId === actor.uid) return;
    const mail = roleChangedMail({
      publicUrl: this.env.PUBLIC_URL,
      to: member.email,
      organizationId: actor.organizationId,
      organizationName,
      changedBy: actor.email,
      before: member.role,
      after: role,
    });
    await this.outbox.add(query, { kind: 'mail', name: 'role-changed', content: mail });
  }

  private async delete(locked: Locked, actor: Actor, member: Person, action: string): Promise<void> {
    const { transaction, query } = locked;
    if (member.role === 'owner') await assertAnotherOwner(transaction, member.userId);
    await removeMember(transaction, member.userId);
    await publishMembers(query);
    const target = { type: 'member', id: member.userId, name: member.email };
    await this.audit.record(actor, { action, target, before: { role: member.role } }, query);
    await removeRecipient(locked, this.audit, actor, member.userId);
    await this.endAccess(locked, actor, member, null);
  }

  private endAccess(locked: Locked, actor: Actor, { userId }: Person, role: Role | null): Promise<void> {
    return this.revokeAccess.revoke(locked, { organizationId: actor.organizationId, userId, role }, actor);
  }
}

async function getMember(transaction: TenantTransaction, userId: string): Promise<Person> {
  const member = await transaction.member.findFirst({
    where: { userId },
    include: { user: { select: { email: true, disabledAt: true } } },
  });
  if (!member) throw notFound('The member');
  const { email, disabledAt } = member.user;
  return { userId, email, role: member.role, isDisabled: disabledAt !== null };
}

/** An owner whose account is disabled cannot sign in, so it does not count. */
async function assertAnotherOwner(transaction: TenantTransaction, userId: string): Promise<void> {
  const others = await transaction.member.count({
    where: { role: 'owner', userId: { not: userId }, user: { disabledAt: null } },
  });
  if (others === 0) {
    throw new Problem('member.last_owner', {
      detail: 'This is the only owner of the organization.',
      action: 'Make another member an owner first, or transfer the organization',
    });
  }
}

const memberDisabled = (email: string): Problem =>
  new Problem('member.disabled', { detail: `The account of ${email} is disabled.`, action: 'Choose another member' });
