import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Actor, assertKeyMayInvite, assertMayInvite, lockOwnRole, type Role } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { newId } from '../core/database/identifiers.js';
import { Outbox } from '../core/outbox/outbox.js';
import { notFound, Problem } from '../core/http/problem.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
import { type EndedAccess, RevokeAccess } from '../users/index.js';
import { assertBelowOrganizationLimit, assertBelowPersonLimit } from './invitation-limits.js';
import { hashOfToken, newToken } from './invitation-token.js';
import { invitationMail } from './mails.js';

const VALID_DAYS = 7;
const DAY_MS = 86_400_000;

interface Invitee {
  id: string;
  email: string;
  role: Role;
  [column: string]: unknown;
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
    await this.tenants.transaction(
      actor.organizationId,
      async (query) => {
        const organizationName = await lockOrganization(query);
        assertMayInvite(actor, await lockOwnRole(query, actor), role);
        await this.assertFree(query, email);
        await assertBelowOrganizationLimit(query);
        await query(
          `insert into invitations (organization_id, id, email, role, token_hash, inviter_id, expires_at, mail_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [id, email, role, hashOfToken(link.token), actor.uid, link.expiresAt, link.mailId],
        );
        await this.mail(query, actor, organizationName, { id, email, role }, link);
        const target = { type: 'invitation', id, name: email };
        await this.audit.record(actor, { action: 'invitation.sent', target, after: { role } }, query);
      },
      assertBelowPersonLimit(actor),
    );
    return id;
  }

  /** A new link, valid for seven days; the old one is no longer valid. The caller becomes the inviter. */
  async resend(actor: Actor, invitationId: string): Promise<void> {
    const link = newLink();
    await this.tenants.transaction(
      actor.organizationId,
      async (query) => {
        const organizationName = await lockOrganization(query);
        const [invitation] = await query<Invitee & { state: string }>(
          'select id, email, role, state from invitations where organization_id = $1 and id = $2 for update',
          [invitationId],
        );
        if (!invitation) throw notFound('The invitation');
        assertMayInvite(actor, await lockOwnRole(query, actor), invitation.role);
        if (invitation.state !== 'pending' && invitation.state !== 'expired')
          throw new Problem('invitation.not_pending', `The invitation is ${invitation.state}.`);
        if (invitation.state === 'expired') await this.assertFree(query, invitation.email);
        await assertBelowOrganizationLimit(query);
        await query(
          `update invitations set state = 'pending', ended_at = null, token_hash = $3, expires_at = $4, mail_id = $5, inviter_id = $6,
                  sent_at = now()
          where organization_id = $1 and id = $2`,
          [invitationId, hashOfToken(link.token), link.expiresAt, link.mailId, actor.uid],
        );
        await this.mail(query, actor, organizationName, invitation, link);
        const target = { type: 'invitation', id: invitationId, name: invitation.email };
        await this.audit.record(actor, { action: 'invitation.resent', target }, query);
      },
      assertBelowPersonLimit(actor),
    );
  }

  async revoke(actor: Actor, invitationId: string): Promise<void> {
    await this.tenants.transaction(actor.organizationId, async (query) => {
      const [invitation] = await query<{ email: string; role: Role; state: string }>(
        'select email, role, state from invitations where organization_id = $1 and id = $2 for update',
        [invitationId],
      );
      if (!invitation) throw notFound('The invitation');
      assertKeyMayInvite(actor, invitation.role);
      if (invitation.state !== 'pending') throw new Problem('invitation.not_pending', `The invitation is ${invitation.state}.`);
      await query(`update invitations set state = 'revoked', ended_at = now() where organization_id = $1 and id = $2`, [
        invitationId,
      ]);
      const target = { type: 'invitation', id: invitationId, name: invitation.email };
      await this.audit.record(actor, { action: 'invitation.revoked', target }, query);
    });
  }

  /**
   * The address must belong to no member and no pending invitation. A person can register with another person's address, so a
   * member counts only if the address was verified or an invitation to it was accepted, which needs the mailed token.
   */
  private async assertFree(query: TenantQuery, email: string): Promise<void> {
    const members = await query(
      `select from members m join users u on u.uid = m.user_id
        where m.organization_id = $1 and u.email = $2 and (u.is_email_verified or exists (
          select from invitations i where i.organization_id = $1 and i.accepted_by = u.uid and i.email = u.email))`,
      [email],
    );
    if (members.length > 0) throw new Problem('invitation.already_member', `${email} is already a member.`);
    await query(
      `update invitations set state = 'expired', ended_at = expires_at
        where organization_id = $1 and email = $2 and state = 'pending' and expires_at <= now()`,
      [email],
    );
    const pending = await query(`select from invitations where organization_id = $1 and email = $2 and state = 'pending'`, [
      email,
    ]);
    if (pending.length > 0) {
      const detail = `${email} already has a pending invitation.`;
      throw new Problem('invitation.already_pending', { detail, action: 'Resend it, or revoke it first' });
    }
  }

  private async mail(query: TenantQuery, actor: Actor, organizationName: string, invitee: Invitee, link: Link): Promise<void> {
    const [inviter] = await query<{ name: string; email: string }>(
      `select u.full_name as name, u.email from members m join users u on u.uid = m.user_id
        where m.organization_id = $1 and m.user_id = $2`,
      [actor.uid],
    );
    if (!inviter) throw notFound('The organization');
    const content = invitationMail({
      publicUrl: this.env.PUBLIC_URL,
      to: invitee.email,
      organizationId: actor.organizationId,
      organizationName,
      inviterName: inviter.name,
      inviterEmail: inviter.email,
      role: invitee.role,
      invitationId: invitee.id,
      token: link.token,
      expiresAt: link.expiresAt,
    });
    await this.outbox.add(query, { id: link.mailId, kind: 'mail', name: 'invitation', content, userId: actor.uid });
  }
}

async function revokeInvitationsOf(query: TenantQuery, { userId, role }: EndedAccess): Promise<string[]> {
  const invitations = await query<{ email: string }>(
    `update invitations set state = 'revoked', ended_at = now()
      where organization_id = $1 and inviter_id = $2 and state = 'pending' and ($3::member_role is null or role > $3::member_role)
     returning email`,
    [userId, role],
  );
  return invitations.map(({ email }) => email);
}

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
