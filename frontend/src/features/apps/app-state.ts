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
  disabled: { word: 'Disabled', tone: 'idle', icon: IconCircleMinus },
};

const isSignedInTo = ({ authMode, state }: App): boolean => authMode === 'oauth2' && state !== 'disabled';
/** A custom app uses a push key and has no sign-in. */
const isDraft = ({ state, provider }: App): boolean => provider !== 'custom' && (state === 'draft' || state === 'authorizing');
const hasLostAccess = ({ state }: App): boolean => state === 'needs_reauth' || state === 'revoked';
const isUsed = ({ usedBy }: App): boolean => usedBy.sources + usedBy.destinations > 0;

/** Actions that are available for an app in its current state. */
export const appCan = {
  begin: isDraft,
  reconnect: (app: App) => isSignedInTo(app) && !isDraft(app),
  /** Runs are blocked until a user signs in again. */
  mustReconnect: hasLostAccess,
  /** Expired, revoked or expiring soon. */
  needsSignIn: (app: App) => isSignedInTo(app) && (hasLostAccess(app) || app.state === 'expiring'),
  probe: (app: App) => isSignedInTo(app) && !isDraft(app) && app.state !== 'revoked',
  /** Only for apps in use, whose connections are then blocked. Unused apps are deleted instead. */
  disconnect: (app: App) => isSignedInTo(app) && isUsed(app) && !isDraft(app) && app.state !== 'revoked',
  delete: (app: App) => !isUsed(app),
};

/** Order of the list by severity. Apps of equal severity keep the order of the API. */
const ORDER: AppState[] = ['needs_reauth', 'revoked', 'expiring', 'authorizing', 'draft', 'connected', 'disabled'];

export const worstFirst = (apps: App[]): App[] =>
  apps.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
