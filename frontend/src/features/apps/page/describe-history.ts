import { IconCircleCheck, IconCircleMinus, IconCircleX, IconLink, IconPencil } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { AppHistoryEvent } from '~/api/types';
import type { Tone } from '~/domain/connections/connection-state';
import { signInName } from '~/domain/accounts/providers';

interface HistoryLine {
  icon: Icon;
  tone: Tone;
  words: string;
  /** Who, or what the platform said. */
  aside: string;
}

const table: Record<AppHistoryEvent['event'], { icon: Icon; tone: Tone; words: (platform: string) => string }> = {
  connected: { icon: IconCircleCheck, tone: 'good', words: () => 'Connected' },
  reconnected: { icon: IconCircleCheck, tone: 'good', words: () => 'Reconnected' },
  refreshed: { icon: IconCircleCheck, tone: 'good', words: () => 'Renewed' },
  refresh_failed: { icon: IconCircleX, tone: 'danger', words: () => 'Not renewed' },
  probe_ok: { icon: IconCircleCheck, tone: 'good', words: () => 'Checked' },
  probe_failed: { icon: IconCircleX, tone: 'danger', words: () => 'Check failed' },
  needs_reauth: { icon: IconCircleX, tone: 'danger', words: (platform) => `Ended by ${platform}` },
  renamed: { icon: IconPencil, tone: 'idle', words: () => 'Renamed' },
  disconnected: { icon: IconCircleMinus, tone: 'idle', words: () => 'Disconnected' },
  shared: { icon: IconLink, tone: 'idle', words: () => 'Reconnect link made' },
};

/** One line of an app's history; what nobody did happened by itself. */
export function describeHistory({ event, actor, detail }: AppHistoryEvent, provider: string): HistoryLine {
  const { icon, tone, words } = table[event];
  const who = actor === null ? 'By itself' : `By ${actor}`;
  const isOfThePlatform = tone === 'danger';
  const said = detail?.replace(/\.$/, '') ?? null;
  const aside = isOfThePlatform ? (detail ?? '') : said === null ? who : `${said}, ${who.charAt(0).toLowerCase()}${who.slice(1)}`;
  return { icon, tone, words: words(signInName(provider)), aside };
}
