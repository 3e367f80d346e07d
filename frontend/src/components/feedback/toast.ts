import type { Toast, ToastAction } from './show-toast';

let requestHost: (() => void) | null = null;

/** Calls the listener before a toast is shown. Returns a function that unsubscribes. */
export function onFirstToast(listener: () => void): () => void {
  requestHost = listener;
  return () => {
    requestHost = null;
  };
}

const load = () => {
  requestHost?.();
  return import('./show-toast');
};

const show = async (shown: Toast): Promise<void> => (await load()).showToast(shown);

export const toast = {
  done: (message: string, action?: ToastAction): void => void show({ message, tone: 'good', action }),
  /** The result of an action that did not succeed. */
  problem: (message: string, about?: string): void => void show({ message, tone: 'danger', about }),
  /** The present state of a thing, such as a run: `about` is its ID. */
  state: (message: string, about: string): void => void show({ message, tone: 'good', about }),
  /** A fact that the user did not cause. Shown longer than a result, because nobody waits for it. */
  notice: (message: string): void => void show({ message, tone: 'accent' }),
  /** Shown until the user clicks or closes it. */
  offer: (message: string, action: ToastAction): void => void show({ message, tone: 'accent', action }),
  failed: (error: unknown): void => void load().then(({ showFailure }) => showFailure(error)),
};
