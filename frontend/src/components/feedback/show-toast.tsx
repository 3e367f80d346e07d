import { notifications } from '@mantine/notifications';
import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { describeError } from '~/api/http/describe-error';
import { icon } from '~/ui/icon';
import { PlanLink } from './PlanLink';
import { withAction } from './with-action';

export interface ToastAction {
  label: string;
  onClick: () => void;
}

export interface Toast {
  message: string;
  tone: 'good' | 'danger' | 'accent';
  action?: ToastAction;
  /** The ID of what the toast is about: it replaces the last toast about the same thing, which it makes false. */
  about?: string;
  /** The label of the link to the subscription page, when a plan is required. */
  planAction?: string | null;
}

const icons = { good: IconCircleCheck, danger: IconCircleX, accent: IconInfoCircle };

/** The toasts of things that change, by the ID of the thing. */
const shownAbout = new Map<string, string>();

/** Loaded with the first toast. */
export function showToast({ message, tone, action, about, planAction = null }: Toast): void {
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
    autoClose: tone === 'accent' && action ? false : tone === 'accent' || action || planAction !== null ? 12_000 : 5_000,
  });
}

/** The error and what to do. */
export function showFailure(error: unknown): void {
  const description = describeError(error);
  const { message, planAction } = description;
  showToast({ message: withAction(message, description), tone: 'danger', planAction });
}
