import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useSWRConfig } from 'swr';
import { getOrganizationIds } from '~/api/accounts';
import { onAccessEnded, provideToken } from '~/api/http/client';
import { isAboutOwnEmail } from '~/api/http/keys';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { clearCallback } from './callback';
import { loadIdentity } from './load-identity';
import { SessionContext } from './session-context';
import type { Session } from './session-context';
import { fetchRole, saveUser } from './sign-in';
import { readUserState, rememberOrganization, userStateOf, writeUserState } from './user-state';
import type { IdentityUser, UserState } from './user-state';

provideToken(async () => (await loadIdentity()).token());

interface State {
  status: Session['status'];
  user: UserState | null;
  isEmailVerified: boolean;
  hasSignedOut: boolean;
  endedBecause: string | null;
  organizationsError: unknown;
  startError: unknown;
}

/** A user who was signed in on the last visit sees the pages immediately. The provider then confirms or ends the session. */
function initialState(): State {
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

async function fetchOrganizations(uid: string, superAdmin: boolean): Promise<Partial<UserState>> {
  const { organizations } = await getOrganizationIds(uid, superAdmin);
  return { organizations };
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState(initialState);
  const isPaused = useRef(false);
  const latestUser = useRef<UserState | null>(state.user);
  const { mutate } = useSWRConfig();

  const setUser = useCallback((user: UserState | null, error: unknown = null) => {
    latestUser.current = user;
    writeUserState(user);
    setState((before) => ({
      ...before,
      status: user ? 'authenticated' : 'anonymous',
      user,
      organizationsError: error,
      hasSignedOut: user ? false : before.hasSignedOut,
    }));
  }, []);

  const patchUser = useCallback(
    (id: string, change: Partial<UserState>, error: unknown = null) => {
      const user = latestUser.current;
      if (user?.id === id) setUser({ ...user, ...change }, error);
    },
    [setUser],
  );

  const loadProfile = useCallback(
    async (identityUser: IdentityUser) => {
      const { uid } = identityUser;
      const role = await fetchRole(identityUser).catch(() => 'user' as const);
      const isSuperAdmin = role === 'super_admin';
      patchUser(uid, { super_admin: isSuperAdmin, checkedForSuperAdmin: true });
      try {
        patchUser(uid, await fetchOrganizations(uid, isSuperAdmin));
      } catch (error) {
        patchUser(uid, {}, error);
      }
    },
    [patchUser],
  );

  const apply = useCallback(
    async (identityUser: IdentityUser | null) => {
      if (isPaused.current) return;
      setUser(identityUser ? userStateOf(identityUser, latestUser.current) : null);
      setState((before) => ({ ...before, isEmailVerified: identityUser?.emailVerified ?? true }));
      if (!identityUser) return;
      // A failure is ignored here. The next requests fail too and report it.
      const verified = identityUser.emailVerified ? await (await loadIdentity()).checkVerified().catch(() => 'yes') : 'no';
      await loadProfile(identityUser);
      // Data that was loaded before this used the older token.
      if (verified === 'newly') void mutate(isAboutOwnEmail);
    },
    [setUser, loadProfile, mutate],
  );

  useEffect(() => {
    let unsubscribe = () => {};
    let isUnmounted = false;
    loadIdentity()
      .then((identity) => {
        if (!isUnmounted) unsubscribe = identity.onChange((user) => void apply(user));
      })
      .catch((error: unknown) => setState((before) => ({ ...before, startError: error })));
    return () => {
      isUnmounted = true;
      unsubscribe();
    };
  }, [apply]);

  const whileHeld = useCallback(
    async (change: () => Promise<void>) => {
      isPaused.current = true;
      setState((before) => ({ ...before, endedBecause: null }));
      try {
        await change();
      } finally {
        isPaused.current = false;
        await apply((await loadIdentity()).current());
      }
    },
    [apply],
  );

  const checkEmail = useCallback(async () => {
    const identity = await loadIdentity();
    const verified = await identity.checkVerified();
    const user = identity.current();
    if (verified === 'no' || !user) return false;
    await saveUser(user);
    setState((before) => ({ ...before, isEmailVerified: true }));
    void mutate(isAboutOwnEmail);
    return true;
  }, [mutate]);

  const refreshOrganizations = useCallback(async () => {
    const user = latestUser.current;
    if (user) patchUser(user.id, await fetchOrganizations(user.id, user.super_admin));
  }, [patchUser]);

  const remember = useCallback<Session['rememberOrganization']>(
    (organizationId, organization) => {
      const user = latestUser.current;
      if (!user) return;
      rememberOrganization(organizationId);
      if (user.orgId !== organizationId || user.organization?.name !== organization?.name)
        patchUser(user.id, { orgId: organizationId, organization });
    },
    [patchUser],
  );

  const signOut = useCallback(async () => {
    setState((before) => ({ ...before, hasSignedOut: true }));
    await (await loadIdentity()).signOut();
    setUser(null);
    rememberOrganization(null);
    clearFlowState();
    clearCallback();
    await mutate(() => true, undefined, { revalidate: false });
  }, [setUser, mutate]);

  useEffect(() => {
    // Several requests of one page can be rejected at the same time.
    let isEnding = false;
    return onAccessEnded((endedBecause) => {
      setState((before) => ({ ...before, endedBecause }));
      if (isEnding) return;
      isEnding = true;
      signOut()
        .catch((error: unknown) => setState((before) => ({ ...before, startError: error })))
        .finally(() => {
          isEnding = false;
        });
    });
  }, [signOut]);

  const session = useMemo<Session>(
    () => ({ ...state, whileHeld, checkEmail, refreshOrganizations, rememberOrganization: remember, signOut }),
    [state, whileHeld, checkEmail, refreshOrganizations, remember, signOut],
  );

  return <SessionContext value={session}>{children}</SessionContext>;
}
