import { lazy, Suspense } from 'react';
import { useSession } from '~/session/session-context';

const EmailBanner = lazy(() => import('./EmailBanner'));

/** Loads the banner only for users whose address is not verified. */
export function EmailNotice() {
  const { user, isEmailVerified } = useSession();
  if (user === null || isEmailVerified) return null;
  return (
    <Suspense>
      <EmailBanner />
    </Suspense>
  );
}
