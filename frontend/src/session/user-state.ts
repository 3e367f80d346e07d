import { isRecord } from '~/lib/is-record';
import { readJson, storage, tabStorage } from '~/lib/storage';
import type { OrganizationEntry, UserRecord } from '~/api/types';
import { readPendingInvitation } from './pending-invitation';

const USER_KEY = 'fb_user';
const ORGANIZATION_KEY = 'orgId';

/** The stored data of the signed-in user, with the names of the specification. It never contains a token or secret. */
export interface UserState {
  id: string;
  /** The same as `id`. The specification names both. */
  uid: string;
  email: string;
  displayName: string;
  isAuthenticated: boolean;
  /** The picture in the server's record. */
  profileUrl: string | null;
  /** The picture on the screens: the record's, or else the provider's. */
  photoURL: string | null;
  orgId: string | null;
  organizations: OrganizationEntry[] | null;
  organization: { name: string; logo: string | null } | null;
  pendingInvitationId: string | null;
  super_admin: boolean;
  checkedForSuperAdmin: boolean;
}

const isUserState = (value: unknown): value is UserState =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.email === 'string' &&
  typeof value.isAuthenticated === 'boolean';

/** States of earlier versions have no uid. Each visit loads the server's record again, so what an earlier one checked does not count. */
export function readUserState(): UserState | null {
  const state = readJson(USER_KEY, isUserState);
  return state && { ...state, uid: state.id, checkedForSuperAdmin: false };
}

export const writeUserState = (state: UserState | null): void =>
  state === null ? storage.remove(USER_KEY) : storage.set(USER_KEY, JSON.stringify(state));

/** The last organization of this tab, or that of any tab in a new one. */
export const readRememberedOrganization = (): string | null => tabStorage.get(ORGANIZATION_KEY) ?? storage.get(ORGANIZATION_KEY);

export function rememberOrganization(organizationId: string | null): void {
  for (const one of [tabStorage, storage])
    if (organizationId === null) one.remove(ORGANIZATION_KEY);
    else one.set(ORGANIZATION_KEY, organizationId);
}

export interface IdentityUser {
  uid: string;
  email: string | null;
  emailVerified: boolean;
  displayName: string | null;
  photoURL: string | null;
}

/** The server's record takes precedence over what the provider reports. */
export const profileOf = (
  { email, fullName, photoURL }: UserRecord,
  provided: Pick<IdentityUser, 'photoURL'>,
): Pick<UserState, 'email' | 'displayName' | 'profileUrl' | 'photoURL'> => ({
  email,
  displayName: fullName,
  profileUrl: photoURL,
  photoURL: photoURL ?? provided.photoURL,
});

/**
 * What the server's record says of the user. Without a record (the requests failed), staff stay what the last visit loaded. The server
 * checks every request.
 */
export function checkedStateOf(
  record: UserRecord | null,
  user: Pick<IdentityUser, 'uid' | 'photoURL'>,
  known: UserState | null,
): Partial<UserState> & Pick<UserState, 'super_admin'> {
  const isStaff = record === null ? known?.id === user.uid && known.super_admin : record.role === 'super_admin';
  return { ...(record && profileOf(record, user)), super_admin: isStaff, checkedForSuperAdmin: true };
}

/** The state of a user that the provider reports, until the server's record is loaded. Known data of the same user is kept. */
export function userStateOf(user: IdentityUser, known: UserState | null): UserState {
  const same = known?.id === user.uid ? known : null;
  const email = same?.email || (user.email ?? '');
  return {
    id: user.uid,
    uid: user.uid,
    email,
    displayName: same?.displayName ?? user.displayName ?? (email.split('@')[0] || 'User'),
    isAuthenticated: true,
    profileUrl: same?.profileUrl ?? null,
    photoURL: same?.photoURL ?? user.photoURL,
    orgId: same?.orgId ?? readRememberedOrganization(),
    organizations: same?.organizations ?? null,
    organization: same?.organization ?? null,
    pendingInvitationId: readPendingInvitation()?.invitationId ?? null,
    super_admin: same?.super_admin ?? false,
    checkedForSuperAdmin: false,
  };
}
