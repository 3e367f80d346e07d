import { Button } from '@mantine/core';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { formatTime } from '~/lib/dates';
import { formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import { describeError } from '~/api/http/describe-error';
import { icon } from '~/ui/icon';
import { Notice } from '~/ui/feedback/Notice';
import { PlanButton } from './PlanLink';
import { withAction } from './with-action';

interface ErrorNoticeProps {
  error: unknown;
  /** `Couldn't refresh the connections` */
  title: string;
  /** When the data on the page was loaded; null when the page shows no data. */
  loadedAt?: Date | null;
  onRetry: () => void;
  /** Another action, for errors that a retry may not solve. */
  otherWay?: React.ReactNode;
}

/** What failed, the kind of error, what to do, the age of the data on the page, the request id, and a retry button. */
export function ErrorNotice({ error, title, loadedAt = null, onRetry, otherWay }: ErrorNoticeProps) {
  const now = useNow();
  const description = describeError(error);
  const { kind, message, requestId, planAction } = description;
  const seen = loadedAt
    ? ` The data is from ${formatTime(loadedAt.toISOString())}, ${formatPast(loadedAt.toISOString(), now)}.`
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
      {kind}: {withAction(message, description)}
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
