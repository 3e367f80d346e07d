import { Button } from '@mantine/core';
import { IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { useSWRConfig } from 'swr';
import { useStaleness } from '~/api/read-cache/staleness';
import { formatTime } from '~/lib/dates';
import { formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import { icon } from '~/ui/icon';
import { Notice } from '~/ui/feedback/Notice';
import styles from './StaleBanner.module.css';

/**
 * Marks data of the last visit, without the word for the health of a connection whose data is late: a mark that covers no content while newer data is loaded, and a banner when that has failed.
 */
export function StaleBanner() {
  const { storedAtMs, hasFailed, keys } = useStaleness();
  const { mutate } = useSWRConfig();
  const now = useNow();
  if (storedAtMs === null) return null;
  const storedAt = new Date(storedAtMs).toISOString();
  const age = `from ${formatTime(storedAt)}, ${formatPast(storedAt, now)}`;
  if (!hasFailed)
    return (
      <p className={styles.mark} role="status">
        Showing data {age}. Updating.
      </p>
    );
  const retry = () => {
    for (const key of keys) void mutate(key);
  };
  return (
    <div className={styles.banner}>
      <Notice
        tone="warn"
        icon={IconCloudOff}
        title="Couldn’t load newer data"
        isAlert
        actions={
          <Button variant="default" leftSection={<IconRefresh {...icon} />} onClick={retry}>
            Try again
          </Button>
        }
      >
        You see what you saw on your last visit, {age}.
      </Notice>
    </div>
  );
}
