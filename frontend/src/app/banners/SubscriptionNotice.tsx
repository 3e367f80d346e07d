import { lazy, Suspense } from 'react';
import { useOrganization } from '~/session/organization-context';

const SubscriptionBanner = lazy(() => import('./SubscriptionBanner'));

/** Without billing, nothing is loaded or requested. */
export function SubscriptionNotice() {
  const { document } = useOrganization();
  if (document === null || document.subscription?.isBilled === false) return null;
  return (
    <Suspense>
      <SubscriptionBanner />
    </Suspense>
  );
}
