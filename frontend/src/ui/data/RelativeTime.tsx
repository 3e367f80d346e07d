import { Tooltip } from '@mantine/core';
import { formatExact } from '~/lib/dates';
import { formatFuture, formatPast } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';

interface RelativeTimeProps {
  at: string | null;
  /** What is to come reads differently from what was. */
  isFuture?: boolean;
  /** Reachable by keyboard, where the exact time is worth a stop. */
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
