import type { Payment } from '~/api/types';
import { formatNearDay } from '~/lib/dates';
import { useNow } from '~/lib/use-now';
import { RelativeTime } from '~/ui/data/RelativeTime';

/** The last event that Stripe announced. Of events from before the payment was created, only the loaded day is known. */
export function LastEvent({ payment: { lastEventAt, lastEventDay } }: { payment: Payment }) {
  const now = useNow(300_000);
  if (lastEventDay === null || (lastEventAt !== null && lastEventAt.slice(0, 10) >= lastEventDay))
    return <RelativeTime at={lastEventAt} isFocusable />;
  return <>{formatNearDay(lastEventDay, now)}</>;
}
