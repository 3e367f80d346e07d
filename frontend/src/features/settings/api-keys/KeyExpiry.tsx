import { IconCircleCheck, IconCircleX, IconClockExclamation } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { ApiKey } from '~/api/types';
import type { Tone } from '~/domain/connections/connection-state';
import { formatExpiry } from '~/domain/time/expiry';
import { useNow } from '~/lib/use-now';
import { Status } from '~/components/status/Status';

const STATES: Record<ApiKey['state'], { icon: Icon; tone: Tone }> = {
  active: { icon: IconCircleCheck, tone: 'good' },
  expiring: { icon: IconClockExclamation, tone: 'warn' },
  expired: { icon: IconCircleX, tone: 'danger' },
};

/** `Expires in 12 days`, with the state that the server returned. */
export function KeyExpiry({ apiKey: { state, expiresAt } }: { apiKey: ApiKey }) {
  const now = useNow();
  return <Status {...STATES[state]}>{formatExpiry(expiresAt, now)}</Status>;
}
