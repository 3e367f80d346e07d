import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleMinus, IconPlugConnectedX } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { App, AppState } from '~/api/types';
import type { Tone } from '~/domain/connections/connection-state';

export const appTable: Record<AppState, { word: string; tone: Tone; icon: Icon }> = {
  draft: { word: 'Not connected yet', tone: 'idle', icon: IconCircleDashed },
  authorizing: { word: 'Not connected yet', tone: 'idle', icon: IconCircleDashed },
  connected: { word: 'Connected', tone: 'good', icon: IconCircleCheck },
  expiring: { word: 'Expires soon', tone: 'warn', icon: IconAlertTriangle },
  needs_reauth: { word: 'Reconnect needed', tone: 'danger', icon: IconPlugConnectedX },
  revoked: { word: 'Disconnected', tone: 'danger', icon: IconPlugConnectedX },
  disabled: { word: 'Switched off', tone: 'idle', icon: IconCircleMinus },
};

const isSignedInTo = ({ authMode, state }: App): boolean => authMode === 'oauth2' && state !== 'disabled';
/** A custom app waits for a key of its own and for no sign-in. */
const isBegun = ({ state, provider }: App): boolean => provider !== 'custom' && (state === 'draft' || state === 'authorizing');
const isDead = ({ state }: App): boolean => state === 'needs_reauth' || state === 'revoked';
const isUsed = ({ usedBy }: App): boolean => usedBy.sources + usedBy.destinations > 0;

/** What may be done to an app now; buttons read this table. */
export const appCan = {
  begin: isBegun,
  reconnect: (app: App) => isSignedInTo(app) && !isBegun(app),
  /** Nothing loads by it until somebody signs in. */
  mustReconnect: isDead,
  /** Dead, or about to be: somebody has to sign in. */
  needsSignIn: (app: App) => isSignedInTo(app) && (isDead(app) || app.state === 'expiring'),
  probe: (app: App) => isSignedInTo(app) && !isBegun(app) && app.state !== 'revoked',
  /** What uses it then waits; an app that nothing uses is deleted instead. */
  disconnect: (app: App) => isSignedInTo(app) && isUsed(app) && !isBegun(app) && app.state !== 'revoked',
  delete: (app: App) => !isUsed(app),
};

/** Worst first, then the oldest: the order of the list. */
const ORDER: AppState[] = ['needs_reauth', 'revoked', 'expiring', 'authorizing', 'draft', 'connected', 'disabled'];

export const worstFirst = (apps: App[]): App[] =>
  apps.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
