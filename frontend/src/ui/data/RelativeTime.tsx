import { Tooltip } from '@mantine/core';
import { formatExact } from '~/lib/dates';
import { formatFuture, formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';

interface RelativeTimeProps {
  at: string | null;
  /** Formats the time as a future time. */
  isFuture?: boolean;
  /** Makes the exact time reachable by keyboard. */
  isFocusable?: boolean;
}

export function RelativeTime({ at, isFuture = false, isFocusable = false }: RelativeTimeProps) {
  const now = useNow();
  if (at === null) return <>—</>;
  const exact = formatExact(at);
  return (
    <Tooltip label={exact} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} tabIndex={isFocusable ? 0 : undefined}>
        {isFuture ? formatFuture(at, now) : formatPast(at, now)}
      </time>
    </Tooltip>
  );
}
