import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  type Actor,
  assertOwnId,
  CurrentActor,
  CurrentIdentity,
  type Identity,
  RequirePermission,
  RequireVerifiedEmail,
  SignedIn,
} from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { AcceptInvitation } from './accept-invitation.js';
import {
  AcceptInvitationBody,
  InvitationAcceptedAnswer,
  InvitationRejectedAnswer,
  InvitationSentAnswer,
  PendingInvitationBody,
  PendingInvitationsAnswer,
  RejectInvitationBody,
  SendInvitationBody,
  SentInvitationsAnswer,
  SentInvitationsBody,
} from './invitations.dto.js';
import { InvitationLists } from './invitation-lists.js';
import { InvitationsQueries } from './invitations.queries.js';
import { SendInvitation } from './send-invitation.js';

/** The specified endpoints for invitations. */
@ApiTags('Invitations')
@Controller('api')
export class DocumentedInvitationsController {
  constructor(
    private readonly invitations: SendInvitation,
    private readonly acceptance: AcceptInvitation,
    private readonly lists: InvitationLists,
    private readonly queries: InvitationsQueries,
  ) {}

  /** Invites a person by mail. The inviter comes from the sign-in, and the organization's name from the database. */
  @Post('sendInvitation')
  @HttpCode(200)
  @RequirePermission('invitations.write', { in: 'body', name: 'organization_id' })
  @RequireVerifiedEmail()
  @Answers('access.not_yours', 'invitation.already_pending', 'invitation.already_member', 'invitation.daily_limit')
  async sendInvitation(@CurrentActor() actor: Actor, @Body() body: SendInvitationBody): Promise<InvitationSentAnswer> {
    assertOwnId(actor, { userId: body.inviter_user_id, email: body.inviter_email });
    const invitationId = await this.invitations.send(actor, body.email, body.role ?? 'editor');
    const invitation = await this.queries.getInvitation(actor.organizationId, invitationId);
    return { success: true, message: 'Invitation sent', invitation };
  }

  /** Lists pending invitations for the caller's verified e-mail. */
  @Post('getPendingInvitation')
  @HttpCode(200)
  @SignedIn()
  getPendingInvitation(
    @CurrentIdentity() identity: Identity,
    @Body() body: PendingInvitationBody,
  ): Promise<PendingInvitationsAnswer> {
    return this.lists.pendingFor(identity, body.email);
  }

  /** Joins the organization. A repeated request succeeds too. */
  @Post('acceptInvitation')
  @HttpCode(200)
  @SignedIn()
  @Answers(
    'access.not_yours',
    'not_found',
    'invitation.other_email',
    'invitation.unverified_email',
    'invitation.expired',
    'invitation.revoked',
    'invitation.rejected',
    'invitation.accepted',
  )
  async acceptInvitation(
    @CurrentIdentity() identity: Identity,
    @Body() body: AcceptInvitationBody,
  ): Promise<InvitationAcceptedAnswer> {
    assertOwnId(identity, { userId: body.userId });
    const organizationId = await this.acceptance.accept(identity, body.invitationId, body.token);
    return { success: true, message: 'Invitation accepted', organizationId };
  }

  /** Rejects an invitation. Only the invited person can reject it. */
  @Post('rejectInvitation')
  @HttpCode(200)
  @SignedIn()
  @Answers(
    'not_found',
    'invitation.other_email',
    'invitation.unverified_email',
    'invitation.expired',
    'invitation.accepted',
    'invitation.revoked',
  )
  async rejectInvitation(
    @CurrentIdentity() identity: Identity,
    @Body() body: RejectInvitationBody,
  ): Promise<InvitationRejectedAnswer> {
    await this.acceptance.reject(identity, body.invitationId, body.token);
    return { success: true, message: 'Invitation rejected' };
  }

  /** Lists pending invitations of one of the caller's organizations. */
  @Post('getSentInvitation')
  @HttpCode(200)
  @RequirePermission('invitations.read', { in: 'body', name: 'organizationId' })
  getSentInvitation(@CurrentActor() actor: Actor, @Body() _body: SentInvitationsBody): Promise<SentInvitationsAnswer> {
    return this.lists.sentBy(actor);
  }
}
