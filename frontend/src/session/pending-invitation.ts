import { deleteCookie, readCookie, writeCookie } from '~/lib/cookies';
import { paths } from '~/domain/navigation/paths';
import { UUID } from '~/domain/navigation/normalize-path';

const PENDING_INVITATION_COOKIE = 'pending-invitation';
/** Invitations expire after 7 days. */
const MAX_AGE_SECONDS = 7 * 24 * 60 * 60;

/** An invitation that was opened before the user signed in. */
export interface PendingInvitationLink {
  organizationId: string;
  invitationId: string;
  /** The token of the mailed link. It replaces a verified email address. */
  token: string | null;
}

const SHAPE = new RegExp(`^(${UUID})/(${UUID})(?:/([A-Za-z0-9_-]{1,200}))?$`, 'i');

/** Accepts two ids and an optional token only, because the cookie decides which page is opened next. */
export function parsePendingInvitation(text: string | null): PendingInvitationLink | null {
  const [, organizationId, invitationId, token] = SHAPE.exec(text ?? '') ?? [];
  return organizationId && invitationId ? { organizationId, invitationId, token: token ?? null } : null;
}

export const readPendingInvitation = (): PendingInvitationLink | null =>
  parsePendingInvitation(readCookie(PENDING_INVITATION_COOKIE));

export const savePendingInvitation = ({ organizationId, invitationId, token }: PendingInvitationLink): void =>
  writeCookie(PENDING_INVITATION_COOKIE, [organizationId, invitationId, ...(token ? [token] : [])].join('/'), MAX_AGE_SECONDS);

export const clearPendingInvitation = (): void => deleteCookie(PENDING_INVITATION_COOKIE);

export const pathOfInvitation = ({ organizationId, invitationId, token }: PendingInvitationLink): string =>
  paths.acceptInvitation(organizationId, invitationId, { token });
