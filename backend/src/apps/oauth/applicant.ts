import type { Actor } from '../../access/index.js';

/** On whose behalf somebody signs in at a provider: a member's, or that of a link which a member has shared. */
export interface Applicant {
  organizationId: string;
  /** What the state is bound to: the member's uid, or the link. */
  subject: string;
  /** uid that stands for what follows from it. */
  uid: string;
  /** Null: whoever holds the link. */
  actor: Actor | null;
  shareLinkId: string | null;
}

export const memberAs = (actor: Actor): Applicant => ({
  organizationId: actor.organizationId,
  subject: actor.uid,
  uid: actor.uid,
  actor,
  shareLinkId: null,
});

export const linkAs = (link: { organizationId: string; id: string; createdBy: string }): Applicant => ({
  organizationId: link.organizationId,
  subject: `link:${link.id}`,
  uid: link.createdBy,
  actor: null,
  shareLinkId: link.id,
});
