import { useCallback, useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { useSWRConfig } from 'swr';
import { onAccessEnded, provideToken } from '~/api/http/client';
import { isAboutOwnEmail } from '~/api/http/keys';
import { endReadCache } from '~/api/read-cache/read-cache';
import { clearFlowState } from '~/domain/navigation/flow-state';
import { clearCallback } from './callback';
import { clearKeptInput } from './kept-input';
import { loadIdentity } from './load-identity';
import { clearPendingInvitation } from './pending-invitation';
import { SessionContext } from './session-context';
import type { Session } from './session-context';
import { readRequestToken } from './request-token';
import { saveUser } from './sign-in';
import { fetchOrganizations, useProviderUser } from './use-provider-user';
import { useSessionState } from './use-session-state';
import type { SessionUpdates } from './use-session-state';
import { rememberOrganization } from './user-state';

provideToken(() => readRequestToken());

function useEmailCheck({ update }: SessionUpdates): Session['checkEmail'] {
  const { mutate } = useSWRConfig();
  return useCallback(async () => {
    const identity = await loadIdentity();
    const verified = await identity.checkVerified();
    const user = identity.current();
    if (verified === 'no' || !user) return false;
    await saveUser(user);
    update({ isEmailVerified: true });
    void mutate(isAboutOwnEmail);
    return true;
  }, [update, mutate]);
}

function useOrganizations({ latestUser, updateUser }: SessionUpdates) {
  return useMemo<Pick<Session, 'refreshOrganizations' | 'forgetOrganization' | 'rememberOrganization'>>(() => {
    const refreshOrganizations = async () => {
      const user = latestUser();
      if (user) updateUser(user.id, await fetchOrganizations(user.id, user.super_admin));
    };
    return {
      refreshOrganizations,
      forgetOrganization: (lost) => {
        const user = latestUser();
        if (!user?.organizations) return;
        updateUser(user.id, { organizations: user.organizations.filter(({ organizationId }) => organizationId !== lost) });
        refreshOrganizations().catch(() => undefined);
      },
      rememberOrganization: (organizationId, organization) => {
        const user = latestUser();
        if (!user) return;
        rememberOrganization(organizationId);
        if (user.orgId !== organizationId || user.organization?.name !== organization?.name)
          updateUser(user.id, { orgId: organizationId, organization });
      },
    };
  }, [latestUser, updateUser]);
}

/** Signs out on request, and when the server rejects the sign-in. Only the first deletes drafts. */
function useSignOut({ update, setUser }: SessionUpdates): Pick<Session, 'signOut' | 'endSession'> {
  const { unload } = useSWRConfig();
  const endSession = useCallback(async () => {
    update({ hasSignedOut: true });
    await (await loadIdentity()).signOut();
    setUser(null);
    rememberOrganization(null);
    clearFlowState();
    clearCallback();
    clearPendingInvitation();
    unload({ revalidate: false });
    await endReadCache();
  }, [update, setUser, unload]);

  useEffect(() => {
    // Several requests of one page can be rejected at the same time.
    let isEnding = false;
    return onAccessEnded((endedBecause) => {
      update({ endedBecause });
      if (isEnding) return;
      isEnding = true;
      endSession()
        .catch((startError: unknown) => update({ startError }))
        .finally(() => {
          isEnding = false;
        });
    });
  }, [endSession, update]);

  const signOut = useCallback(async () => {
    // Before the next user can sign in.
    clearKeptInput();
    await endSession();
  }, [endSession]);
  return { signOut, endSession };
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const { state, updates } = useSessionState();
  const changeUser = useProviderUser(updates);
  const checkEmail = useEmailCheck(updates);
  const organizations = useOrganizations(updates);
  const { signOut, endSession } = useSignOut(updates);
  const session = useMemo<Session>(
    () => ({ ...state, changeUser, checkEmail, ...organizations, signOut, endSession }),
    [state, changeUser, checkEmail, organizations, signOut, endSession],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
