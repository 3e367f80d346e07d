import { createContext, useContext } from 'react';
import type { UserState } from './user-state';

export interface Session {
  status: 'pending' | 'anonymous' | 'authenticated';
  user: UserState | null;
  /** Whether the user's email address is verified; true while unknown. */
  isEmailVerified: boolean;
  /** The user signed out. The next user who signs in here is not redirected to the last page. */
  hasSignedOut: boolean;
  /** Why the server ended the last sign-in; null when it did not. */
  endedBecause: string | null;
  /** Why the organizations could not be loaded; null without an error. */
  organizationsError: unknown;
  /** Why the sign-in service or the instance's settings could not be loaded; null without an error. */
  startError: unknown;
  /** Runs a change of the signed-in user. Events of the provider during the change are applied after it. */
  changeUser: (change: () => Promise<void>) => Promise<void>;
  /** Checks again whether the address is verified. Updates the server when it is. */
  checkEmail: () => Promise<boolean>;
  refreshOrganizations: () => Promise<void>;
  /** Removes a missing organization from the list, and loads the list again. */
  forgetOrganization: (organizationId: string) => void;
  rememberOrganization: (organizationId: string, organization: { name: string; logo: string | null } | null) => void;
  /** Signs out and deletes what the user left in the browser, drafts included. */
  signOut: () => Promise<void>;
  /** Signs out for a new sign-in of the same user, whose drafts stay. */
  endSession: () => Promise<void>;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession requires a SessionProvider');
  return session;
}

/** The signed-in user. Use it only on pages that require a sign-in. */
export function useUser(): UserState {
  const { user } = useSession();
  if (!user) throw new Error('useUser requires a signed-in user');
  return user;
}
