import { Injectable } from '@nestjs/common';
import type { Actor, Identity } from '../access/index.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import type { PendingInvitationsAnswer, SentInvitationsAnswer } from './invitations.dto.js';
import { InvitationsQueries } from './invitations.queries.js';

/** The specified list endpoints, with the specification's messages for empty lists. */
@Injectable()
export class InvitationLists {
  constructor(private readonly queries: InvitationsQueries) {}

  /** Returns an empty list unless the e-mail is the caller's verified address. */
  async pendingFor(identity: Identity, email: string): Promise<PendingInvitationsAnswer> {
    const isOwn = identity.isEmailVerified && identity.email === email.trim().toLowerCase();
    const invitations = isOwn ? await this.queries.listPending(identity.email) : [];
    const isEmpty = invitations.length === 0;
    return { success: true, message: isEmpty ? 'No pending invitations found for this user' : 'Invitations found', invitations };
  }

  async sentBy({ organizationId }: Actor): Promise<SentInvitationsAnswer> {
    const { items } = await this.queries.listInvitations(organizationId, {
      limit: LIST_LIMITS.sentInvitations,
      state: 'pending',
    });
    const isEmpty = items.length === 0;
    return { success: true, message: isEmpty ? 'No pending invitations found' : 'Invitations found', invitations: items };
  }
}
