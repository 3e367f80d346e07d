import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  type Actor,
  CurrentActor,
  type Identity,
  MaySignIn,
  OptionalIdentity,
  RequirePermission,
  RequireVerifiedEmail,
} from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import {
  CreateInvitationBody,
  InvitationPreview,
  InvitationsQuery,
  PreviewQuery,
  SentInvitation,
  SentInvitationPage,
} from './invitations.dto.js';
import { InvitationsQueries } from './invitations.queries.js';
import { SendInvitation } from './send-invitation.js';

@ApiTags('Invitations')
@Controller('api/v1')
export class InvitationsController {
  constructor(
    private readonly invitations: SendInvitation,
    private readonly queries: InvitationsQueries,
  ) {}

  /** Lists invitations, newest first. */
  @Get('organizations/:organizationId/invitations')
  @RequirePermission('invitations.read')
  listInvitations(@CurrentActor() actor: Actor, @Query() query: InvitationsQuery): Promise<SentInvitationPage> {
    return this.queries.listInvitations(actor.organizationId, query);
  }

  /** Invites a person by mail. The link is valid for seven days. API keys can invite viewers and editors only. */
  @Post('organizations/:organizationId/invitations')
  @RequirePermission('invitations.write')
  @RequireVerifiedEmail()
  @Answers('access.person_needed', 'invitation.already_pending', 'invitation.already_member', 'invitation.daily_limit')
  async createInvitation(@CurrentActor() actor: Actor, @Body() body: CreateInvitationBody): Promise<SentInvitation> {
    const invitationId = await this.invitations.send(actor, body.email, body.role);
    return this.queries.getInvitation(actor.organizationId, invitationId);
  }

  /** Mails a new link that is valid for seven days. The previous link expires. */
  @Post('organizations/:organizationId/invitations/:invitationId/resend')
  @HttpCode(200)
  @RequirePermission('invitations.write')
  @RequireVerifiedEmail()
  @Answers(
    'access.person_needed',
    'invitation.not_pending',
    'invitation.already_member',
    'invitation.already_pending',
    'invitation.daily_limit',
  )
  async resendInvitation(
    @CurrentActor() actor: Actor,
    @Param('invitationId', ParseUUIDPipe) invitationId: string,
  ): Promise<SentInvitation> {
    await this.invitations.resend(actor, invitationId);
    return this.queries.getInvitation(actor.organizationId, invitationId);
  }

  /** Revokes a pending invitation. */
  @Post('organizations/:organizationId/invitations/:invitationId/revoke')
  @HttpCode(200)
  @RequirePermission('invitations.write')
  @Answers('access.person_needed', 'invitation.not_pending')
  async revokeInvitation(
    @CurrentActor() actor: Actor,
    @Param('invitationId', ParseUUIDPipe) invitationId: string,
  ): Promise<SentInvitation> {
    await this.invitations.revoke(actor, invitationId);
    return this.queries.getInvitation(actor.organizationId, invitationId);
  }

  /** Shows an invitation to callers with the mailed token, with or without a sign-in, and to the invited person. */
  @Get('invitations/:invitationId')
  @MaySignIn()
  @Answers('auth.missing', 'not_found')
  getInvitationPreview(
    @OptionalIdentity() identity: Identity | null,
    @Param('invitationId', ParseUUIDPipe) invitationId: string,
    @Query() query: PreviewQuery,
  ): Promise<InvitationPreview> {
    return this.queries.getPreview(identity, invitationId, query.token);
  }
}
