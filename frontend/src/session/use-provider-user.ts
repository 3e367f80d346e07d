import { startTransition, useCallback, useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { getOrganizationIds } from '~/api/accounts';
import { isAboutOwnEmail } from '~/api/http/keys';
import { startIdentity } from './identity-start';
import { loadIdentity } from './load-identity';
import type { Session } from './session-context';
import { fetchRecord } from './sign-in';
import type { SessionUpdates } from './use-session-state';
import { checkedStateOf, userStateOf } from './user-state';
import type { IdentityUser, UserState } from './user-state';

export async function fetchOrganizations(uid: string, superAdmin: boolean): Promise<Partial<UserState>> {
  const { organizations } = await getOrganizationIds(uid, superAdmin);
  return { organizations };
}

async function loadProfile({ latestUser, updateUser }: SessionUpdates, identityUser: IdentityUser): Promise<void> {
  const { uid } = identityUser;
  const record = await fetchRecord(identityUser);
  const checked = checkedStateOf(record, identityUser, latestUser());
  updateUser(uid, checked);
  try {
    updateUser(uid, await fetchOrganizations(uid, checked.super_admin));
  } catch (error) {
    updateUser(uid, {}, error);
  }
}

/** Keeps the session's user the same as the provider's. Returns the function that changes the user. */
export function useProviderUser(updates: SessionUpdates): Session['changeUser'] {
  const isPaused = useRef(false);
  const isFirst = useRef(true);
  const { mutate, unload } = useSWRConfig();

  const apply = useCallback(
    async (identityUser: IdentityUser | null) => {
      if (isPaused.current) return;
      const known = updates.latestUser();
      const applyUser = () => {
        // The session can also end or change in another tab. Unlike `mutate`, this drops lists of several pages and active requests.
        if (known !== null && known.id !== identityUser?.uid) unload({ revalidate: identityUser !== null });
        updates.setUser(identityUser ? userStateOf(identityUser, known) : null);
        updates.update({ isEmailVerified: identityUser?.emailVerified ?? true });
      };
      // The first answer arrives while the page is being rendered: a transition keeps its tasks short.
      if (isFirst.current) startTransition(applyUser);
      else applyUser();
      isFirst.current = false;
      if (!identityUser) return;
      // A failure is ignored here. The next requests fail too and report it.
      const verified = identityUser.emailVerified ? await (await loadIdentity()).checkVerified().catch(() => 'yes') : 'no';
      await loadProfile(updates, identityUser);
      // Data that was loaded before this used the older token.
      if (verified === 'newly') void mutate(isAboutOwnEmail);
    },
    [updates, mutate, unload],
  );

  useEffect(() => {
    let unsubscribe = () => {};
    let isUnmounted = false;
    startIdentity()
      .then((identity) => {
        if (!isUnmounted) unsubscribe = identity.onChange((user) => void apply(user));
      })
      .catch((startError: unknown) => updates.update({ startError }));
    return () => {
      isUnmounted = true;
      unsubscribe();
    };
  }, [apply, updates]);

  return useCallback(
    async (change) => {
      isPaused.current = true;
      updates.update({ endedBecause: null });
      try {
        await change();
      } finally {
        isPaused.current = false;
        await apply((await loadIdentity()).current());
      }
    },
    [apply, updates],
  );
}
