import { IconCircleCheck, IconCircleMinus, IconCircleX, IconLink, IconPencil } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { AppHistoryEvent } from '~/api/types';
import type { Tone } from '~/domain/connections/connection-state';
import { signInName } from '~/domain/accounts/providers';

interface HistoryLine {
  icon: Icon;
  tone: Tone;
  words: string;
  /** The actor, or the platform's message. */
  aside: string;
}

const table: Record<AppHistoryEvent['event'], { icon: Icon; tone: Tone; words: (platform: string) => string }> = {
  connected: { icon: IconCircleCheck, tone: 'good', words: () => 'Connected' },
  reconnected: { icon: IconCircleCheck, tone: 'good', words: () => 'Reconnected' },
  refreshed: { icon: IconCircleCheck, tone: 'good', words: () => 'Renewed' },
  refresh_failed: { icon: IconCircleX, tone: 'danger', words: () => 'Renewal failed' },
  probe_ok: { icon: IconCircleCheck, tone: 'good', words: () => 'Tested' },
  probe_failed: { icon: IconCircleX, tone: 'danger', words: () => 'Test failed' },
  needs_reauth: { icon: IconCircleX, tone: 'danger', words: (platform) => `Ended by ${platform}` },
  renamed: { icon: IconPencil, tone: 'idle', words: () => 'Renamed' },
  disconnected: { icon: IconCircleMinus, tone: 'idle', words: () => 'Disconnected' },
  shared: { icon: IconLink, tone: 'idle', words: () => 'Reconnect link created' },
};

/** Describes one event of an app's history. Events without an actor are automatic. */
export function describeHistory({ event, actor, detail }: AppHistoryEvent, provider: string): HistoryLine {
  const { icon, tone, words } = table[event];
  const who = actor === null ? 'Automatic' : `By ${actor}`;
  const isFromPlatform = tone === 'danger';
  const message = detail?.replace(/\.$/, '') ?? null;
  const aside = isFromPlatform
    ? (detail ?? '')
    : message === null
      ? who
      : `${message}, ${who.charAt(0).toLowerCase()}${who.slice(1)}`;
  return { icon, tone, words: words(signInName(provider)), aside };
}
