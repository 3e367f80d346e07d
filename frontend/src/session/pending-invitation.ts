import { deleteCookie, readCookie, writeCookie } from '~/lib/cookies';
import { paths } from '~/domain/navigation/paths';
import { UUID } from './decide';

const PENDING_INVITATION_COOKIE = 'pending-invitation';
/** As long as an invitation is good for. */
const MAX_AGE_SECONDS = 7 * 24 * 60 * 60;

/** An invitation somebody opened before it was known who they are. */
export interface PendingInvitationLink {
  organizationId: string;
  invitationId: string;
  /** Of the mailed link; stands for a verified e-mail. */
  token: string | null;
}

const SHAPE = new RegExp(`^(${UUID})/(${UUID})(?:/([A-Za-z0-9_-]{1,200}))?$`, 'i');

/** Anything that is not exactly two ids and a token is no invitation: the cookie decides where the browser goes next. */
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
