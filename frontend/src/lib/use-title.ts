import { useEffect } from 'react';

/** `Connections · Tributary`; error pages give their title whole. */
export function useTitle(title: string, isWhole = false): void {
  useEffect(() => {
    document.title = isWhole ? title : `${title} · Tributary`;
  }, [title, isWhole]);
}
