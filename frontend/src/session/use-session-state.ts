import { useCallback, useMemo, useRef, useState } from 'react';
import { keepInputOf } from './kept-input';
import type { Session } from './session-context';
import { readUserState, writeUserState } from './user-state';
import type { UserState } from './user-state';

export interface SessionState {
  status: Session['status'];
  user: UserState | null;
  isEmailVerified: boolean;
  hasSignedOut: boolean;
  endedBecause: string | null;
  organizationsError: unknown;
  startError: unknown;
}

/** A user who was signed in on the last visit sees the pages immediately. The provider then confirms or ends the session. */
function initialState(): SessionState {
  const user = readUserState();
  const isKnown = user?.isAuthenticated === true;
  return {
    status: isKnown ? 'authenticated' : 'pending',
    user: isKnown ? user : null,
    isEmailVerified: true,
    hasSignedOut: false,
    endedBecause: null,
    organizationsError: null,
    startError: null,
  };
}

/** Changes the state of the session. The functions stay the same on every render. */
export interface SessionUpdates {
  /** The newest user, also between two renders. */
  latestUser: () => UserState | null;
  update: (change: Partial<SessionState>) => void;
  setUser: (user: UserState | null, organizationsError?: unknown) => void;
  /** Changes the user unless another one has signed in. */
  updateUser: (id: string, change: Partial<UserState>, organizationsError?: unknown) => void;
}

/** The state of the session. The user is also stored in the browser. */
export function useSessionState(): { state: SessionState; updates: SessionUpdates } {
  const [state, setState] = useState(initialState);
  const latestRef = useRef(state.user);
  const setUser = useCallback((user: UserState | null, organizationsError: unknown = null) => {
    latestRef.current = user;
    writeUserState(user);
    if (user) keepInputOf(user.id);
    setState((before) => ({
      ...before,
      status: user ? 'authenticated' : 'anonymous',
      user,
      organizationsError,
      hasSignedOut: user ? false : before.hasSignedOut,
    }));
  }, []);
  const updates = useMemo<SessionUpdates>(
    () => ({
      latestUser: () => latestRef.current,
      update: (change) => setState((before) => ({ ...before, ...change })),
      setUser,
      updateUser: (id, change, organizationsError = null) => {
        const user = latestRef.current;
        if (user?.id === id) setUser({ ...user, ...change }, organizationsError);
      },
    }),
    [setUser],
  );
  return { state, updates };
}
