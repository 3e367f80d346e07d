import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { refreshSubscription, useSubscription } from '~/api/billing';
import type { Subscription } from '~/api/types';
import { clearCallback, readCallback } from '~/session/callback';
import { useOrganization } from '~/session/organization-context';
import { useAccessRefresh } from '~/session/use-access-refresh';
import { targetAfterCheckout } from './checkout/after-checkout';

/** Polling interval while a change at the payment provider is expected. */
const FOLLOW_EVERY_MS = 5_000;

const isSettled = (subscription: Subscription | undefined): boolean =>
  subscription === undefined || (subscription.access === 'open' && !subscription.cancelAtPeriodEnd);

/** Refreshes once after the return from the provider's pages, because its webhook can be late. */
function useRefreshOnce(organizationId: string, subscription: Subscription | undefined, show: (latest: Subscription) => void) {
  const hasRefreshed = useRef(false);
  const mayHaveChanged = subscription?.hasCustomer === true && !isSettled(subscription);
  useEffect(() => {
    if (!mayHaveChanged || hasRefreshed.current) return;
    hasRefreshed.current = true;
    // If the provider is not reachable, the stored subscription is shown.
    refreshSubscription(organizationId).then(show, () => undefined);
  }, [mayHaveChanged, organizationId, show]);
}

/** Returns to the requested page once the subscription is loaded, if the guard redirected here because of an error. */
function useReturnToCallback(isOpen: boolean): void {
  const { id, status } = useOrganization();
  const navigate = useNavigate();
  const hasFailed = useRef(false);
  useEffect(() => {
    if (status === 'failed') hasFailed.current = true;
    const callback = readCallback();
    if (status !== 'present' || !isOpen || !hasFailed.current || callback === null) return;
    clearCallback();
    void navigate(targetAfterCheckout(id, callback), { replace: true });
  }, [id, status, isOpen, navigate]);
}

/** Subscription of the organization. Keeps the guard's copy synchronized. */
export function useFollowedSubscription() {
  const { id } = useOrganization();
  const { data: subscription, error, mutate } = useSubscription(id, (latest) => (isSettled(latest) ? 0 : FOLLOW_EVERY_MS));
  useAccessRefresh(subscription);
  useRefreshOnce(id, subscription, (latest) => void mutate(latest, { revalidate: false }));
  useReturnToCallback(subscription !== undefined && subscription.access !== 'closed');
  return { subscription, error, retry: () => void mutate() };
}
