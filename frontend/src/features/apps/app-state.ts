import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleMinus, IconPlugConnectedX } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { App, AppState } from '../../api/types';
import type { Tone } from '../../lib/connection-state';

export const appTable: Record<AppState, { word: string; tone: Tone; icon: Icon }> = {
  draft: { word: 'Not connected yet', tone: 'idle', icon: IconCircleDashed },
  authorizing: { word: 'Not connected yet', tone: 'idle', icon: IconCircleDashed },
  connected: { word: 'Connected', tone: 'good', icon: IconCircleCheck },
  expiring: { word: 'Expires soon', tone: 'warn', icon: IconAlertTriangle },
  needs_reauth: { word: 'Reconnect needed', tone: 'danger', icon: IconPlugConnectedX },
  revoked: { word: 'Reconnect needed', tone: 'danger', icon: IconPlugConnectedX },
  disabled: { word: 'Switched off', tone: 'idle', icon: IconCircleMinus },
};

/** What may be done to an app now; buttons read this table. */
export const appCan = {
  reconnect: ({ authMode, state }: App) => authMode === 'oauth2' && state !== 'disabled',
  mustReconnect: ({ state }: App) => state === 'needs_reauth' || state === 'revoked',
  begin: ({ state }: App) => state === 'draft' || state === 'authorizing',
  disconnect: ({ usedBy }: App) => usedBy.sources + usedBy.destinations === 0,
};
