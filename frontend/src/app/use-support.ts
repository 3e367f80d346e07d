import { useEffect } from 'react';
import { useSession } from '~/session/session-context';
import { followSupport } from '~/session/support';

/** The messenger's proof of identity is good for an hour. */
const RENEW_EVERY_MS = 50 * 60_000;

const follow = (userId: string | null): void => {
  followSupport(userId).catch((error: unknown) => console.warn('Support could not be reached', error));
};

/** The messenger follows the session: it starts when somebody is known, and ends with their sign-out. */
export function useSupport(): void {
  const { status, user } = useSession();
  const userId = status === 'authenticated' && user?.isAuthenticated === true ? user.id : null;
  useEffect(() => {
    follow(userId);
    if (userId === null) return;
    const timer = setInterval(() => follow(userId), RENEW_EVERY_MS);
    return () => clearInterval(timer);
  }, [userId]);
}
