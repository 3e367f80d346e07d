import type { Actor } from '../../access/index.js';

/** On whose behalf a person signs in at a provider: a member, or the holder of a link that a member has shared. */
export interface OAuthRequester {
  organizationId: string;
  /** Subject of the state: the member's uid, or the link. */
  subject: string;
  /** uid of the responsible member. */
  uid: string;
  /** Null for the holder of a link. */
  actor: Actor | null;
  shareLinkId: string | null;
}

export const memberRequester = (actor: Actor): OAuthRequester => ({
  organizationId: actor.organizationId,
  subject: actor.uid,
  uid: actor.uid,
  actor,
  shareLinkId: null,
});

export const linkRequester = (link: { organizationId: string; id: string; createdBy: string }): OAuthRequester => ({
  organizationId: link.organizationId,
  subject: `link:${link.id}`,
  uid: link.createdBy,
  actor: null,
  shareLinkId: link.id,
});
