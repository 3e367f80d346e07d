import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Actor, assertKeyMayInvite, assertMayInvite, lockOwnRole, type Role, rolesAbove } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { newId } from '../core/database/identifiers.js';
import { Outbox } from '../core/outbox/outbox.js';
import { notFound, Problem } from '../core/http/problem.js';
import { type TenantQuery, TenantDatabase, type TenantTransaction } from '../core/database/tenant-database.js';
import { RevokeAccess, type Revoker } from '../users/index.js';
import { assertBelowOrganizationLimit, assertBelowPersonLimit } from './invitation-limits.js';
import { hashOfToken, newToken } from './invitation-token.js';
import { invitationMail } from './mails.js';

// SQL: locks the organization and the invitation.

const VALID_DAYS = 7;
const DAY_MS = 86_400_000;

interface Invitee {
  id: string;
  email: string;
  role: Role;
  [column: string]: unknown;
}

interface Work {
  transaction: TenantTransaction;
  query: TenantQuery;
  organizationName: string;
}

/** One mailed link: its token, its mail and its expiry. */
interface Link {
  token: string;
  mailId: string;
  expiresAt: Date;
}

@Injectable()
export class SendInvitation implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
    private readonly outbox: Outbox,
    private readonly revokeAccess: RevokeAccess,
  ) {}

  onModuleInit(): void {
    this.revokeAccess.register('invitations', revokeInvitationsOf);
  }

  async send(actor: Actor, email: string, role: Role): Promise<string> {
    assertMayInvite(actor, actor.role, role);
    const id = newId();
    const link = newLink();
    const { organizationId, uid } = actor;
    await this.tenants.write(
      organizationId,
      async (transaction, query) => {
        const organizationName = await lockOrganization(query);
        assertMayInvite(actor, await lockOwnRole(query, actor), role);
        await this.assertFree(transaction, email);
        await assertBelowOrganizationLimit(query);
        const invitee = { id, email, role };
        await transaction.invitation.create({ data: { organizationId, ...invitee, ...storedOf(link), inviterId: uid } });
        await this.mail({ transaction, query, organizationName }, actor, invitee, link);
        const target = { type: 'invitation', id, name: email };
        await this.audit.record(actor, { action: 'invitation.sent', target, after: { role } }, query);
      },
      { checkPerson: assertBelowPersonLimit(actor) },
    );
    return id;
  }

  /** A new link, valid for seven days; the old one is no longer valid. The caller becomes the inviter. */
  async resend(actor: Actor, invitationId: string): Promise<void> {
    const link = newLink();
    await this.tenants.write(
      actor.organizationId,
      async (transaction, query) => {
        const organizationName = await lockOrganization(query);
        const [invitation] = await query<Invitee & { state: string }>(
          'select id, email, role, state from invitations where organization_id = $1 and id = $2 for update',
          [invitationId],
        );
        if (!invitation) throw notFound('The invitation');
        assertMayInvite(actor, await lockOwnRole(query, actor), invitation.role);
        if (invitation.state !== 'pending' && invitation.state !== 'expired')
          throw new Problem('invitation.not_pending', `The invitation is ${invitation.state}.`);
        if (invitation.state === 'expired') await this.assertFree(transaction, invitation.email);
        await assertBelowOrganizationLimit(query);
        const pending = { state: 'pending', endedAt: null, sentAt: new Date() } as const;
        await transaction.invitation.update({
          where: { id: invitationId },
          data: { ...pending, ...storedOf(link), inviterId: actor.uid },
        });
        await this.mail({ transaction, query, organizationName }, actor, invitation, link);
        const target = { type: 'invitation', id: invitationId, name: invitation.email };
        await this.audit.record(actor, { action: 'invitation.resent', target }, query);
      },
      { checkPerson: assertBelowPersonLimit(actor) },
    );
  }

  async revoke(actor: Actor, invitationId: string): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const [invitation] = await query<{ email: string; role: Role; state: string }>(
        'select email, role, state from invitations where organization_id = $1 and id = $2 for update',
        [invitationId],
      );
      if (!invitation) throw notFound('The invitation');
      assertKeyMayInvite(actor, invitation.role);
      if (invitation.state !== 'pending') throw new Problem('invitation.not_pending', `The invitation is ${invitation.state}.`);
      const revoked = { state: 'revoked', endedAt: new Date() } as const;
      await transaction.invitation.update({ where: { id: invitationId }, data: revoked });
      const target = { type: 'invitation', id: invitationId, name: invitation.email };
      await this.audit.record(actor, { action: 'invitation.revoked', target }, query);
    });
  }

  /**
   * The address must belong to no member and no pending invitation. A person can register with another person's address, so a
   * member counts only if the address was verified or an invitation to it was accepted, which needs the mailed token.
   */
  private async assertFree(transaction: TenantTransaction, email: string): Promise<void> {
    const members = await transaction.member.findMany({
      where: { user: { email } },
      include: { user: { select: { isEmailVerified: true } } },
    });
    const acceptedBy = { in: members.map(({ userId }) => userId) };
    const isVerified = members.some(({ user }) => user.isEmailVerified);
    const hasAccepted = members.length > 0 && (await transaction.invitation.count({ where: { email, acceptedBy } })) > 0;
    if (isVerified || hasAccepted) throw new Problem('invitation.already_member', `${email} is already a member.`);
    const pending = await transaction.invitation.findFirst({ where: { email, state: 'pending' } });
    if (!pending) return;
    if (pending.expiresAt > new Date()) {
      const detail = `${email} already has a pending invitation.`;
      throw new Problem('invitation.already_pending', { detail, action: 'Resend it, or revoke it first' });
    }
    await transaction.invitation.update({ where: { id: pending.id }, data: { state: 'expired', endedAt: pending.expiresAt } });
  }

  private async mail({ transaction, query, organizationName }: Work, actor: Actor, invitee: Invitee, link: Link): Promise<void> {
    const inviter = await transaction.member.findFirst({ where: { userId: actor.uid }, include: { user: true } });
    if (!inviter) throw notFound('The organization');
    const content = invitationMail({
      publicUrl: this.env.PUBLIC_URL,
      to: invitee.email,
      organizationId: actor.organizationId,
      organizationName,
      inviterName: inviter.user.fullName,
      inviterEmail: inviter.user.email,
      role: invitee.role,
      invitationId: invitee.id,
      token: link.token,
      expiresAt: link.expiresAt,
    });
    await this.outbox.add(query, { id: link.mailId, kind: 'mail', name: 'invitation', content, userId: actor.uid });
  }
}

const revokeInvitationsOf: Revoker = async (transaction, { organizationId, userId, role }) => {
  const invitations = await transaction.invitation.updateManyAndReturn({
    where: { organizationId, inviterId: userId, state: 'pending', role: { in: rolesAbove(role) } },
    data: { state: 'revoked', endedAt: new Date() },
    select: { email: true },
  });
  return invitations.map(({ email }) => email);
};

const storedOf = ({ token, mailId, expiresAt }: Link) => ({ tokenHash: hashOfToken(token), mailId, expiresAt });

const newLink = (): Link => ({
  token: newToken(),
  mailId: newId(),
  expiresAt: new Date(Date.now() + VALID_DAYS * DAY_MS),
});

/** Serializes the counting and creation of an organization's invitations. */
async function lockOrganization(query: TenantQuery): Promise<string> {
  const [organization] = await query<{ name: string }>(
    'select name from organizations where id = $1 and deleted_at is null for no key update',
  );
  if (!organization) throw notFound('The organization');
  return organization.name;
}
