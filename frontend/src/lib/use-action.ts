import { useCallback, useState } from 'react';
import { logFailure } from './log-failure';

export interface ActionState {
  isBusy: boolean;
  /** The error of the last run; null when it succeeded or is still running. */
  error: unknown;
}

export interface ActionOptions {
  /** For errors that are not shown next to the control, such as `toast.failed`. */
  onError?: (error: unknown) => void;
  /** The action opens another page when it succeeds. It stays busy until then, so that it cannot be started twice. */
  leavesPage?: boolean;
}

const IDLE: ActionState = { isBusy: false, error: null };

/** Runs the action and reports its states. Returns whether it succeeded; an error is logged and reported, never thrown. */
export async function runAction(
  action: () => Promise<unknown>,
  setState: (state: ActionState) => void,
  { onError, leavesPage = false }: ActionOptions = {},
): Promise<boolean> {
  setState({ isBusy: true, error: null });
  try {
    await action();
    if (!leavesPage) setState(IDLE);
    return true;
  } catch (error) {
    logFailure('Action', error);
    setState({ isBusy: false, error });
    onError?.(error);
    return false;
  }
}

/**
 * The busy and error state of an async action, such as a request after a click. Actions of which only one can run at a time, such
 * as accept and reject, share one state; `busyWith` is the name of the running one.
 */
export function useAction<Name extends string>(options?: ActionOptions) {
  const [state, setState] = useState(IDLE);
  const [latestName, setLatestName] = useState<Name | null>(null);
  const reset = useCallback(() => setState(IDLE), []);
  return {
    ...state,
    busyWith: state.isBusy ? latestName : null,
    run: (action: () => Promise<unknown>, name: Name | null = null): Promise<boolean> => {
      setLatestName(name);
      return runAction(action, setState, options);
    },
    /** Ends the busy state and clears the error. */
    reset,
  };
}
