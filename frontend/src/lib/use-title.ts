import { useEffect } from 'react';

/** Sets the document title: `Connections · Tributary`. Error pages set the whole title. */
export function useTitle(title: string, isWhole = false): void {
  useEffect(() => {
    document.title = isWhole ? title : `${title} · Tributary`;
  }, [title, isWhole]);
}
