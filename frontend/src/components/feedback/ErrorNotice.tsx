import { Button } from '@mantine/core';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { formatTime } from '~/lib/dates';
import { formatPast } from '~/lib/relative-time';
import { sentence } from '~/lib/sentence';
import { useNow } from '~/lib/use-now';
import { describeError } from '~/api/http/describe-error';
import { icon } from '~/ui/icon';
import { Notice } from '~/ui/feedback/Notice';
import { PlanButton } from './PlanLink';

interface ErrorNoticeProps {
  error: unknown;
  /** `Connections could not be refreshed` */
  title: string;
  /** When what still stands on the page was fetched; null when nothing does. */
  seenAt?: Date | null;
  onRetry: () => void;
  /** Where to go when trying again may well fail again. */
  otherWay?: React.ReactNode;
}

/** What failed, its class, how old the state on the page is, the request id, and Try again. */
export function ErrorNotice({ error, title, seenAt = null, onRetry, otherWay }: ErrorNoticeProps) {
  const now = useNow();
  const { kind, message, requestId, planAction } = describeError(error);
  const seen = seenAt
    ? ` You see the state of ${formatTime(seenAt.toISOString())}, ${formatPast(seenAt.toISOString(), now)}.`
    : '';
  const retry = (
    <Button variant="default" leftSection={<IconRefresh {...icon} />} onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Notice
      tone="warn"
      icon={IconCloudOff}
      title={title}
      actions={
        planAction === null ? (
          <>
            {otherWay}
            {retry}
          </>
        ) : (
          <PlanButton label={planAction} />
        )
      }
      isAlert
    >
      {kind}: {sentence(message)}
      {seen}
      {requestId && (
        <>
          {' '}
          Request <code>{requestId}</code>
        </>
      )}
    </Notice>
  );
}

/** One line, for a form or a dialog. */
export function ErrorText({ error }: { error: unknown }) {
  const { title, message, action, requestId, planAction } = describeError(error);
  return (
    <Notice tone="danger" title={title ?? undefined} actions={planAction !== null && <PlanButton label={planAction} />} isAlert>
      {sentence(message)}
      {action && action !== planAction && ` ${sentence(action)}`}
      {requestId && (
        <span className="label">
          {' '}
          Request <code>{requestId}</code>
        </span>
      )}
    </Notice>
  );
}
