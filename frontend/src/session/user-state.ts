import { isRecord } from '~/lib/is-record';
import { readJson, storage } from '~/lib/storage';
import type { OrganizationEntry } from '~/api/types';
import { readPendingInvitation } from './pending-invitation';

const USER_KEY = 'fb_user';
const ORGANIZATION_KEY = 'orgId';

/** The stored data of the signed-in user, with the names of the specification. It never contains a token or secret. */
export interface UserState {
  id: string;
  email: string;
  displayName: string;
  isAuthenticated: boolean;
  profileUrl: string | null;
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

export const readUserState = (): UserState | null => readJson(USER_KEY, isUserState);

export const writeUserState = (state: UserState | null): void =>
  state === null ? storage.remove(USER_KEY) : storage.set(USER_KEY, JSON.stringify(state));

export const readRememberedOrganization = (): string | null => storage.get(ORGANIZATION_KEY);

export const rememberOrganization = (organizationId: string | null): void =>
  organizationId === null ? storage.remove(ORGANIZATION_KEY) : storage.set(ORGANIZATION_KEY, organizationId);

export interface IdentityUser {
  uid: string;
  email: string | null;
  emailVerified: boolean;
  displayName: string | null;
  photoURL: string | null;
}

/** The state of a user that the provider reports. Known data of the same user is kept. */
export function userStateOf(user: IdentityUser, known: UserState | null): UserState {
  const same = known?.id === user.uid ? known : null;
  const email = user.email ?? same?.email ?? '';
  return {
    id: user.uid,
    email,
    displayName: user.displayName ?? same?.displayName ?? (email.split('@')[0] || 'User'),
    isAuthenticated: true,
    profileUrl: same?.profileUrl ?? null,
    photoURL: user.photoURL ?? same?.photoURL ?? null,
    orgId: same?.orgId ?? readRememberedOrganization(),
    organizations: same?.organizations ?? null,
    organization: same?.organization ?? null,
    pendingInvitationId: readPendingInvitation()?.invitationId ?? null,
    super_admin: same?.super_admin ?? false,
    checkedForSuperAdmin: false,
  };
}
