import { useState } from 'react';

export interface ActionState {
  isBusy: boolean;
  /** The error of the last run; null when it succeeded or is still running. */
  error: unknown;
}

const IDLE: ActionState = { isBusy: false, error: null };

/** Runs the action and reports its states. Returns whether it succeeded; an error is reported, never thrown. */
export async function runAction(
  action: () => Promise<unknown>,
  setState: (state: ActionState) => void,
  onError?: (error: unknown) => void,
): Promise<boolean> {
  setState({ isBusy: true, error: null });
  try {
    await action();
    setState(IDLE);
    return true;
  } catch (error) {
    setState({ isBusy: false, error });
    onError?.(error);
    return false;
  }
}

/**
 * The busy and error state of an async action, such as a request after a click.
 * @param onError for errors that are not shown next to the control, such as `toast.failed`
 */
export function useAction(onError?: (error: unknown) => void) {
  const [state, setState] = useState(IDLE);
  return {
    ...state,
    run: (action: () => Promise<unknown>): Promise<boolean> => runAction(action, setState, onError),
    /** Clears the error. */
    reset: () => setState(IDLE),
  };
}
