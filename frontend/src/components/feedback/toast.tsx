import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { describeError } from '~/api/http/describe-error';
import { icon } from '~/ui/icon';
import { PlanLink } from './PlanLink';

interface ToastAction {
  label: string;
  onClick: () => void;
}

const icons = { good: IconCircleCheck, danger: IconCircleX, accent: IconInfoCircle };

let requestHost: (() => void) | null = null;

/** Calls the listener before a toast is shown. Returns a function that unsubscribes. */
export function onFirstToast(listener: () => void): () => void {
  requestHost = listener;
  return () => {
    requestHost = null;
  };
}

/** The toasts of things that change, by the ID of the thing. */
const shownAbout = new Map<string, string>();

interface Shown {
  message: string;
  tone: 'good' | 'danger' | 'accent';
  action?: ToastAction;
  /** The ID of what the toast is about: it replaces the last toast about the same thing, which it makes false. */
  about?: string;
  /** The label of the link to the subscription page, when a plan is required. */
  planAction?: string | null;
}

async function show({ message, tone, action, about, planAction = null }: Shown): Promise<void> {
  requestHost?.();
  const { notifications } = await import('@mantine/notifications');
  const id = crypto.randomUUID();
  if (about !== undefined) {
    notifications.hide(shownAbout.get(about) ?? '');
    shownAbout.set(about, id);
  }
  const ToastIcon = icons[tone];
  const button = action && (
    <button
      type="button"
      className="toast-action"
      onClick={() => {
        notifications.hide(id);
        action.onClick();
      }}
    >
      {action.label}
    </button>
  );
  notifications.show({
    id,
    message: (
      <span className="toast">
        <ToastIcon {...icon} color={`var(--t-${tone})`} />
        <span>{message}</span>
        {button}
        {planAction !== null && <PlanLink label={planAction} onClick={() => notifications.hide(id)} />}
      </span>
    ),
    withCloseButton: !action || tone === 'accent',
    closeButtonProps: { 'aria-label': 'Close' },
    autoClose: tone === 'accent' ? false : action || planAction !== null ? 12_000 : 5_000,
  });
}

function showFailure(error: unknown): void {
  const { message, planAction } = describeError(error);
  void show({ message, tone: 'danger', planAction });
}

export const toast = {
  done: (message: string, action?: ToastAction): void => void show({ message, tone: 'good', action }),
  /** The result of an action that did not succeed. */
  problem: (message: string, about?: string): void => void show({ message, tone: 'danger', about }),
  /** The state of something that goes on: `about` is its ID. */
  state: (message: string, about: string): void => void show({ message, tone: 'good', about }),
  /** A fact that the user did not cause. */
  notice: (message: string): void => void show({ message, tone: 'accent' }),
  /** Shown until the user clicks or closes it. */
  offer: (message: string, action: ToastAction): void => void show({ message, tone: 'accent', action }),
  failed: showFailure,
};
