import { useEffect } from 'react';
import { useSession } from '~/session/session-context';
import { updateSupport } from '~/session/support';

/** The messenger's identity proof expires after one hour. */
const RENEW_EVERY_MS = 50 * 60_000;

const follow = (userId: string | null): void => {
  updateSupport(userId).catch((error: unknown) => console.warn('Failed to load the support messenger', error));
};

/** Starts the support messenger after a sign-in and ends it with the sign-out. */
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
