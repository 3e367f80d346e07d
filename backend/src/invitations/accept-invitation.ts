import { Inject, Injectable } from '@nestjs/common';
import type { Identity, Role } from '../access/index.js';
import { AnalyticsService } from '../analytics/index.js';
import { AuditService } from '../audit/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { Outbox } from '../core/outbox/outbox.js';
import { notFound, Problem } from '../core/http/problem.js';
import { type TenantQuery, TenantDatabase, type TenantTransaction } from '../core/database/tenant-database.js';
import { addMember, publishMembers } from '../organizations/index.js';
import { assertInvited } from './assert-invited.js';
import { InvitationsQueries } from './invitations.queries.js';
import { joinedMail } from './mails.js';

// SQL: locks the organization and the invitation; users are outside of Prisma's tenant client.

/** An invitation whose row and organization row are locked. */
interface LockedInvitation {
  id: string;
  organizationId: string;
  organizationName: string;
  email: string;
  role: Role;
  state: 'pending' | 'accepted' | 'rejected' | 'revoked' | 'expired';
  acceptedBy: string | null;
  tokenHash: string;
  inviterId: string;
  inviterEmail: string;
  [column: string]: unknown;
}

const ENDED = {
  expired: { code: 'invitation.expired', text: 'has expired' },
  revoked: { code: 'invitation.revoked', text: 'was revoked' },
  rejected: { code: 'invitation.rejected', text: 'was rejected' },
  accepted: { code: 'invitation.accepted', text: 'was already used' },
} as const;

/** Accepts and rejects invitations. */
@Injectable()
export class AcceptInvitation {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly queries: InvitationsQueries,
    private readonly audit: AuditService,
    private readonly analytics: AnalyticsService,
    private readonly outbox: Outbox,
  ) {}

  /** Idempotent: repeated and concurrent calls create one member and one event, and all succeed. */
  async accept(identity: Identity, invitationId: string, token?: string): Promise<string> {
    const organizationId = await this.queries.getOrganizationId(invitationId);
    await this.tenants.write(organizationId, async (transaction, query) => {
      const invitation = await lockInvitation(query, invitationId);
      assertInvited(identity, invitation, token);
      if (await hasAccepted(transaction, identity, invitation)) return;
      assertPending(invitation);
      const isNew = await join({ transaction, query }, identity, invitation);
      const accepted = { state: 'accepted', acceptedBy: identity.uid, endedAt: new Date() } as const;
      await transaction.invitation.update({ where: { id: invitationId }, data: accepted });
      if (isNew) await this.announceMember(query, identity, invitation);
    });
    return organizationId;
  }

  async reject(identity: Identity, invitationId: string, token?: string): Promise<void> {
    const organizationId = await this.queries.getOrganizationId(invitationId);
    await this.tenants.write(organizationId, async (transaction, query) => {
      const invitation = await lockInvitation(query, invitationId);
      assertInvited(identity, invitation, token);
      if (invitation.state === 'rejected') return;
      assertPending(invitation);
      const rejected = { state: 'rejected', endedAt: new Date() } as const;
      await transaction.invitation.update({ where: { id: invitationId }, data: rejected });
      const target = { type: 'invitation', id: invitationId, name: invitation.email };
      await this.audit.recordIn(organizationId, identity, { action: 'invitation.rejected', target }, query);
    });
  }

  private async announceMember(query: TenantQuery, identity: Identity, invitation: LockedInvitation): Promise<void> {
    const { organizationId, organizationName, role } = invitation;
    const actor = { ...identity, role };
    const accepted = { type: 'invitation', id: invitation.id, name: invitation.email };
    const joined = { type: 'member', id: identity.uid, name: identity.email };
    await this.audit.recordIn(organizationId, actor, { action: 'invitation.accepted', target: accepted }, query);
    await this.audit.recordIn(organizationId, actor, { action: 'member.joined', target: joined, after: { role } }, query);
    await this.analytics.identifyMember(query, identity, organizationId);
    await this.analytics.raise(query, {
      name: 'Organization Joined',
      userId: identity.uid,
      properties: { company_id: organizationId, user_id: identity.uid },
      onceKey: `organization-joined:${invitation.id}`,
    });
    const mail = joinedMail({
      publicUrl: this.env.PUBLIC_URL,
      to: invitation.inviterEmail,
      organizationId,
      organizationName,
      joinedEmail: identity.email,
      role,
    });
    await this.outbox.add(query, { kind: 'mail', name: 'joined', content: mail });
  }
}

/**
 * Locks the organization's row first. All code uses this order to avoid deadlocks. The lock also prevents changes of the
 * inviter's role: an invitation above the inviter's current role counts as revoked, even if the role change did not revoke it.
 */
async function lockInvitation(query: TenantQuery, invitationId: string): Promise<LockedInvitation> {
  const [organization] = await query<{ name: string }>(
    'select name from organizations where id = $1 and deleted_at is null for no key update',
  );
  const [invitation] = await query<LockedInvitation>(
    `select i.id, i.organization_id as "organizationId", i.email, i.role, i.accepted_by as "acceptedBy", i.token_hash as "tokenHash",
            i.inviter_id as "inviterId", u.email as "inviterEmail",
            case when i.state = 'pending' and i.expires_at <= now() then 'expired'
                 when i.state = 'pending' and (m.role is null or m.role < i.role or u.disabled_at is not null) then 'revoked'
                 else i.state end as state
       from invitations i join users u on u.uid = i.inviter_id
       left join members m on m.organization_id = i.organization_id and m.user_id = i.inviter_id
      where i.organization_id = $1 and i.id = $2 for update of i`,
    [invitationId],
  );
  if (!organization || !invitation) throw notFound('The invitation');
  return { ...invitation, organizationName: organization.name };
}

/** Whether the same user has accepted it before and is still a member. */
async function hasAccepted(transaction: TenantTransaction, { uid }: Identity, invitation: LockedInvitation): Promise<boolean> {
  if (invitation.state !== 'accepted' || invitation.acceptedBy !== uid) return false;
  return (await transaction.member.count({ where: { userId: uid } })) > 0;
}

function assertPending({ state, inviterEmail, organizationName }: LockedInvitation): void {
  if (state === 'pending') return;
  const { code, text } = ENDED[state];
  throw new Problem(code, {
    detail: `The invitation of ${inviterEmail} to ${organizationName} ${text}.`,
    action: `Ask ${inviterEmail} for a new invitation`,
  });
}

async function join(
  { transaction, query }: { transaction: TenantTransaction; query: TenantQuery },
  { uid }: Identity,
  { organizationId, role, inviterId }: LockedInvitation,
): Promise<boolean> {
  const [user] = await query<{ uid: string }>('select u.uid from users u join organizations o on o.id = $1 where u.uid = $2', [
    uid,
  ]);
  if (!user) throw notFound('The user');
  const member = { organizationId, userId: uid, role, invitedBy: inviterId };
  const isNew = await addMember(transaction, member);
  if (isNew) await publishMembers(query);
  return isNew;
}
