import { Injectable } from '@nestjs/common';
import type { Actor, Identity } from '../access/index.js';
import { LIST_LIMITS } from '../core/http/limits.js';
import type { PendingInvitationsAnswer, SentInvitationsAnswer } from './invitations.dto.js';
import { InvitationsQueries } from './invitations.queries.js';

/** The documented lists, with the specification's words for an empty one. */
@Injectable()
export class InvitationLists {
  constructor(private readonly queries: InvitationsQueries) {}

  /** For any e-mail but the caller's own and verified one the answer is the same as for none. */
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
