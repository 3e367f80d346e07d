import { lazy, Suspense, useEffect, useState } from 'react';
import { onFirstToast } from '~/components/feedback/toast';

const Toasts = lazy(() => import('./Toasts'));

/** Loads the toast container with the first toast, because most visits show none. */
export function ToastHost() {
  const [isWanted, setWanted] = useState(false);
  useEffect(() => onFirstToast(() => setWanted(true)), []);
  return isWanted ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
