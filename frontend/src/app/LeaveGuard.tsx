import { lazy, Suspense, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { ContextType, ReactNode } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, useLocation } from 'react-router-dom';
import { isRecord } from '~/lib/is-record';
import { discardUnsavedChanges, hasUnsavedChanges } from '~/lib/unsaved-changes';

const LeaveDialog = lazy(() => import('./LeaveDialog'));

type Navigator = ContextType<typeof NavigationContext>['navigator'];
type Ask = (proceed: () => void) => void;

/** The navigator of links and `navigate`. The router's own blocker requires another kind of router, which is larger. */
const guarded = (navigator: Navigator, ask: Ask): Navigator => ({
  ...navigator,
  push: (...target) => ask(() => navigator.push(...target)),
  replace: (...target) => ask(() => navigator.replace(...target)),
});

/** Place of the current page in the history, as the router stores it. */
const historyIndex = (): number => {
  const state: unknown = history.state;
  return isRecord(state) && typeof state.idx === 'number' ? state.idx : 0;
};

let onPop: ((event: PopStateEvent) => void) | null = null;
// Before the router's own listener: a window calls its listeners in the order of their registration.
window.addEventListener('popstate', (event) => onPop?.(event));

/** Back and Forward have already changed the URL when they are reported, so they are undone until the user decides. */
function useGuardedHistory(ask: Ask): void {
  const location = useLocation();
  const lastIndex = useRef(historyIndex());
  const isRestoring = useRef(false);
  useEffect(() => {
    lastIndex.current = historyIndex();
  }, [location]);
  useEffect(() => {
    onPop = (event) => {
      const steps = historyIndex() - lastIndex.current;
      if (isRestoring.current) isRestoring.current = false;
      else if (steps === 0 || !hasUnsavedChanges()) return;
      else {
        isRestoring.current = true;
        history.go(-steps);
        ask(() => history.go(steps));
      }
      // The router must not see it.
      event.stopImmediatePropagation();
    };
    return () => {
      onPop = null;
    };
  }, [ask]);
}

/** Asks before a page with unsaved changes is left within the product. Reloads are guarded by `useUnsavedChanges`. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const context = useContext(NavigationContext);
  const [proceed, setProceed] = useState<(() => void) | null>(null);
  const ask = useMemo<Ask>(() => (next) => (hasUnsavedChanges() ? setProceed(() => next) : next()), []);
  const value = useMemo(() => ({ ...context, navigator: guarded(context.navigator, ask) }), [context, ask]);
  useGuardedHistory(ask);
  const leave = () => {
    discardUnsavedChanges();
    setProceed(null);
    proceed?.();
  };
  return (
    <NavigationContext.Provider value={value}>
      {children}
      {proceed && (
        <Suspense>
          <LeaveDialog onStay={() => setProceed(null)} onLeave={leave} />
        </Suspense>
      )}
    </NavigationContext.Provider>
  );
}
