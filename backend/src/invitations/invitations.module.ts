import { Module } from '@nestjs/common';
import { UsersModule } from '../users/index.js';
import { AcceptInvitation } from './accept-invitation.js';
import { DocumentedInvitationsController } from './documented-invitations.controller.js';
import { InvitationLists } from './invitation-lists.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsQueries } from './invitations.queries.js';
import { SendInvitation } from './send-invitation.js';

@Module({
  imports: [UsersModule],
  controllers: [InvitationsController, DocumentedInvitationsController],
  providers: [SendInvitation, AcceptInvitation, InvitationLists, InvitationsQueries],
})
export class InvitationsModule {}
