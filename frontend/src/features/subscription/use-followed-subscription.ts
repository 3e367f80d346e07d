import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { refreshSubscription, useSubscription } from '~/api/billing';
import type { Subscription } from '~/api/types';
import { clearCallback, readCallback } from '~/session/callback';
import { useOrganization } from '~/session/organization-context';
import { useAccessInStep } from '~/session/use-access-in-step';
import { targetAfterCheckout } from './checkout/after-checkout';

/** While something is expected to change at the payment provider's, the page looks this often. */
const FOLLOW_EVERY_MS = 5_000;

const isSettled = (subscription: Subscription | undefined): boolean =>
  subscription === undefined || (subscription.access === 'open' && !subscription.cancelAtPeriodEnd);

/** Who comes back from the provider's pages sees what they did there, also when its message to us is late. */
function useRefreshOnce(organizationId: string, subscription: Subscription | undefined, show: (latest: Subscription) => void) {
  const hasAsked = useRef(false);
  const isWorthIt = subscription?.hasCustomer === true && !isSettled(subscription);
  useEffect(() => {
    if (!isWorthIt || hasAsked.current) return;
    hasAsked.current = true;
    // What is stored stands when the provider cannot be asked.
    refreshSubscription(organizationId).then(show, () => undefined);
  }, [isWorthIt, organizationId, show]);
}

/** Who was sent here because nothing could be checked goes back as soon as it can, and all is well. */
function useWayBack(isOpen: boolean): void {
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

/** The organization's subscription, and the guard's knowledge of it kept in step. */
export function useFollowedSubscription() {
  const { id } = useOrganization();
  const { data: subscription, error, mutate } = useSubscription(id, (latest) => (isSettled(latest) ? 0 : FOLLOW_EVERY_MS));
  useAccessInStep(subscription);
  useRefreshOnce(id, subscription, (latest) => void mutate(latest, { revalidate: false }));
  useWayBack(subscription !== undefined && subscription.access !== 'closed');
  return { subscription, error, retry: () => void mutate() };
}
