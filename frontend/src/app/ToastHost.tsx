import { lazy, Suspense, useEffect, useState } from 'react';
import { onFirstToast } from '~/components/feedback/toast';

const Toasts = lazy(() => import('./Toasts'));

/** The place for toasts is loaded with the first of them: most visits see none. */
export function ToastHost() {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => onFirstToast(() => setWanted(true)), []);
  return isWanted ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
