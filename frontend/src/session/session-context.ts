import { createContext, useContext } from 'react';
import type { UserState } from './user-state';

export interface Session {
  status: 'pending' | 'anonymous' | 'authenticated';
  user: UserState | null;
  /** Whether the person's address is verified; true while that is not known. */
  isEmailVerified: boolean;
  /** Left on purpose: the next person to sign in here is not sent to this one's page. */
  hasSignedOut: boolean;
  /** Why the server ended the last sign-in; null when it did not. */
  endedBecause: string | null;
  /** The organizations could not be fetched; null when all is well. */
  organizationsError: unknown;
  /** The sign-in service or this instance's settings could not be loaded. */
  startError: unknown;
  /** Does something that changes who is signed in; what the provider reports meanwhile takes effect when it is done. */
  whileHeld: (change: () => Promise<void>) => Promise<void>;
  /** Checks again whether the address is verified, and updates the server when it is. */
  checkEmail: () => Promise<boolean>;
  refreshOrganizations: () => Promise<void>;
  rememberOrganization: (organizationId: string, organization: { name: string; logo: string | null } | null) => void;
  signOut: () => Promise<void>;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider above it');
  return session;
}

/** The signed-in user. Pages inside an organization are only drawn for one. */
export function useUser(): UserState {
  const { user } = useSession();
  if (!user) throw new Error('useUser needs a signed-in session');
  return user;
}
