import { useCallback, useLayoutEffect, useRef } from 'react';

/** Forms with changes that are not saved. */
const changedForms = new Set<object>();

export const hasUnsavedChanges = (): boolean => changedForms.size > 0;

/** The user decided to leave. */
export const discardUnsavedChanges = (): void => changedForms.clear();

const warn = (event: BeforeUnloadEvent): void => {
  if (hasUnsavedChanges()) event.preventDefault();
};

/**
 * Asks before the page is left while the form has changes. Returns a function that ends this at once: a navigation right after a
 * save comes before the next render.
 */
export function useUnsavedChanges(hasChanges: boolean): () => void {
  const form = useRef({});
  useLayoutEffect(() => {
    if (!hasChanges) return;
    const own = form.current;
    changedForms.add(own);
    window.addEventListener('beforeunload', warn);
    return () => {
      changedForms.delete(own);
      window.removeEventListener('beforeunload', warn);
    };
  }, [hasChanges]);
  return useCallback(() => void changedForms.delete(form.current), []);
}
