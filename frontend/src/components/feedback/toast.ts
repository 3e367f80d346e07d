import { describeError } from '~/api/http/describe-error';
import type { Toast, ToastAction } from './show-toast';
import { withAction } from './with-action';

let requestHost: (() => void) | null = null;

/** Calls the listener before a toast is shown. Returns a function that unsubscribes. */
export function onFirstToast(listener: () => void): () => void {
  requestHost = listener;
  return () => {
    requestHost = null;
  };
}

async function show(shown: Toast): Promise<void> {
  requestHost?.();
  (await import('./show-toast')).showToast(shown);
}

function showFailure(error: unknown): void {
  const description = describeError(error);
  const { message, planAction } = description;
  void show({ message: withAction(message, description), tone: 'danger', planAction });
}

export const toast = {
  done: (message: string, action?: ToastAction): void => void show({ message, tone: 'good', action }),
  /** The result of an action that did not succeed. */
  problem: (message: string, about?: string): void => void show({ message, tone: 'danger', about }),
  /** The present state of a thing, such as a run: `about` is its ID. */
  state: (message: string, about: string): void => void show({ message, tone: 'good', about }),
  /** A fact that the user did not cause. */
  notice: (message: string): void => void show({ message, tone: 'accent' }),
  /** Shown until the user clicks or closes it. */
  offer: (message: string, action: ToastAction): void => void show({ message, tone: 'accent', action }),
  failed: showFailure,
};
