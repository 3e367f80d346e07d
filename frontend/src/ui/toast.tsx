import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { describeError } from './describe-error';
import { icon } from './icon';

interface ToastAction {
  label: string;
  onClick: () => void;
}

let wake: (() => void) | null = null;

/** Tells the page that there is something to say; returns how to stop listening. */
export function onFirstToast(listener: () => void): () => void {
  wake = listener;
  return () => {
    wake = null;
  };
}

async function show(message: string, tone: 'good' | 'danger', action?: ToastAction): Promise<void> {
  wake?.();
  const { notifications } = await import('@mantine/notifications');
  const id = crypto.randomUUID();
  const ToastIcon = tone === 'good' ? IconCircleCheck : IconCircleX;
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
      </span>
    ),
    withCloseButton: !action,
    autoClose: action ? 12_000 : 5_000,
  });
}

export const toast = {
  done: (message: string, action?: ToastAction): void => void show(message, 'good', action),
  failed: (error: unknown): void => void show(describeError(error).message, 'danger'),
};
