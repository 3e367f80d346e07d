import { useEffect } from 'react';
import { identify, identifyUserWithOrganization, setTrackedUser } from '~/api/analytics';
import { sendLater } from '~/api/send-later';
import { followUnhandledErrors, setErrorViewer } from '~/api/error-reports';
import { followProductEvents } from '~/api/product-events';
import type { CurrentOrganization } from '~/session/organization-context';
import { useSession } from '~/session/session-context';

/** Follows the events and errors of all pages. */
export function useProductEvents(): void {
  useEffect(() => {
    const ends = [followProductEvents(), followUnhandledErrors(window)];
    return () => ends.forEach((end) => end());
  }, []);
}

/**
 * Identifies the user once the server's record is loaded, and with each organization that the user opens as a member. What waits is
 * cancelled by a sign-out: it would be sent without a token, or with the token of the next user.
 */
export function useIdentification(organization: CurrentOrganization | null): void {
  const { status, user } = useSession();
  const userId = status === 'authenticated' ? (user?.id ?? null) : null;
  const name = user?.checkedForSuperAdmin ? user.displayName : null;
  const organizationId = organization?.id ?? null;
  const isMember = (organization?.document?.role ?? null) !== null;
  useEffect(() => {
    if (userId === null || name === null) return;
    return sendLater(() => identify(userId, { name }));
  }, [userId, name]);
  useEffect(() => {
    if (userId === null || organizationId === null || !isMember) return;
    return sendLater(() => identifyUserWithOrganization(userId, organizationId));
  }, [userId, organizationId, isMember]);
  useEffect(() => {
    setTrackedUser(userId);
    setErrorViewer(userId === null ? null : { organizationId: isMember ? organizationId : null });
  }, [userId, organizationId, isMember]);
}
