import { Injectable } from '@nestjs/common';
import type { Identity } from '../access/index.js';
import { IdCursor } from '../core/database/cursor.js';
import { Database } from '../core/database/database.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import { logoUrlSql } from '../organizations/index.js';
import { Outbox } from '../core/outbox/outbox.js';
import { notFound, Problem } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { isToken } from './invitation-token.js';
import type {
  InvitationPreview,
  InvitationsQuery,
  PendingInvitation,
  SentInvitation,
  SentInvitationPage,
} from './invitations.dto.js';

// SQL: lists and previews whose state follows the clock of the database, with the state of their mail.

type WithDates<Shape, Names extends keyof Shape> = Omit<Shape, Names> & Record<Names, Date>;
type SentRow = WithDates<SentInvitation, 'createdAt' | 'sentAt' | 'expiresAt'> & { endedAt: Date | null };
type PreviewRow = WithDates<InvitationPreview, 'expiresAt'> & { tokenHash: string };

/** An invitation counts as expired from its expiry, before its stored state is updated. */
const STATE = `case when i.state = 'pending' and i.expires_at <= now() then 'expired' else i.state end`;

const SENT = `
  select i.id, i.email, i.role, ${STATE} as state, o.name as "organizationName", u.email as "inviterEmail", u.is_email_verified as "isInviterVerified",
         u.full_name as "inviterName", i.created_at as "createdAt", i.sent_at as "sentAt", i.expires_at as "expiresAt",
         i.ended_at as "endedAt", coalesce(mail.state, 'delivered') as "mailState"
    from invitations i
    join organizations o on o.id = i.organization_id
    join users u on u.uid = i.inviter_id
    left join outbox_messages mail on mail.id = i.mail_id
   where i.organization_id = $1`;

const CURSOR = new IdCursor('invitations');

@Injectable()
export class InvitationsQueries {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly outbox: Outbox,
  ) {}

  /** Newest first. */
  async listInvitations(organizationId: string, query: InvitationsQuery): Promise<SentInvitationPage> {
    const rows = await this.tenants.query<SentRow>(
      organizationId,
      `${SENT} and ($2::text is null or (${STATE})::text = $2) and ($3::uuid is null or i.id < $3) order by i.id desc limit $4`,
      [query.state ?? null, CURSOR.after(query.cursor), query.limit + 1],
    );
    return CURSOR.toPage(
      rows.map((row) => this.toSent(row)),
      query.limit,
      (invitation) => [invitation.id],
    );
  }

  async getInvitation(organizationId: string, invitationId: string): Promise<SentInvitation> {
    const [row] = await this.tenants.query<SentRow>(organizationId, `${SENT} and i.id = $2`, [invitationId]);
    if (!row) throw notFound('The invitation');
    return this.toSent(row);
  }

  /** Pending invitations for a verified e-mail. */
  async listPending(email: string): Promise<PendingInvitation[]> {
    const { rows } = await this.database.pool.query<WithDates<PendingInvitation, 'createdAt' | 'expiresAt'>>(
      `select i.id, i.organization_id as "organizationId", o.name as "organizationName", ${logoUrlSql('o.id')} as "organizationLogo",
              u.email as "inviterEmail", u.is_email_verified as "isInviterVerified", u.full_name as "inviterName", i.role, i.created_at as "createdAt", i.expires_at as "expiresAt"
         from invitations i
         join organizations o on o.id = i.organization_id and o.deleted_at is null
         join users u on u.uid = i.inviter_id
        where i.email = $1 and i.state = 'pending' and i.expires_at > now()
        order by i.id desc limit ${LIST_LIMITS.pendingInvitations}`,
      [email],
    );
    return rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
    }));
  }

  /** For the page of the mailed link. Requires the token or the invited person. */
  async getPreview(identity: Identity | null, invitationId: string, token: string | undefined): Promise<InvitationPreview> {
    const { rows } = await this.database.pool.query<PreviewRow>(
      `select i.id, i.organization_id as "organizationId", o.name as "organizationName", ${logoUrlSql('o.id')} as "organizationLogo",
              u.email as "inviterEmail", u.is_email_verified as "isInviterVerified", u.full_name as "inviterName", i.email, i.role, ${STATE} as state,
              i.expires_at as "expiresAt", i.token_hash as "tokenHash"
         from invitations i
         join organizations o on o.id = i.organization_id and o.deleted_at is null
         join users u on u.uid = i.inviter_id
        where i.id = $1`,
      [invitationId],
    );
    const [row] = rows;
    const hasToken = row !== undefined && isToken(token, row.tokenHash);
    const isForYou = identity && row ? identity.email === row.email : null;
    if (!row || !(hasToken || isForYou)) {
      if (!identity && token === undefined) throw new Problem('auth.missing', 'Sign in to see the invitation.');
      throw notFound('The invitation');
    }
    const { tokenHash: _, ...invitation } = row;
    const needsVerifiedEmail = !hasToken && identity?.isEmailVerified === false;
    return { ...invitation, expiresAt: row.expiresAt.toISOString(), isForYou, needsVerifiedEmail };
  }

  /** The organization of an invitation. The caller then checks the invitation under a lock. */
  async getOrganizationId(invitationId: string): Promise<string> {
    const invitation = await this.database.prisma.invitation.findUnique({
      where: { id: invitationId },
      select: { organizationId: true },
    });
    if (!invitation) throw notFound('The invitation');
    return invitation.organizationId;
  }

  private toSent(row: SentRow): SentInvitation {
    const hasNoMailServer = row.mailState === 'queued' && !this.outbox.canDeliver('mail');
    return {
      ...row,
      mailState: hasNoMailServer ? 'not_configured' : row.mailState,
      createdAt: row.createdAt.toISOString(),
      sentAt: row.sentAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    };
  }
}
