import type { App } from '~/api/types';
import { daysUntil } from '~/domain/time/days-left';
import { formatExpiry } from '~/domain/time/expiry';
import { hasAccountsToChoose, signInName } from '~/domain/accounts/providers';
import { plural } from '~/lib/numbers';

/** Resources that use the app, without zero counts: `[[2, 'source'], [1, 'connection']]`. */
export const usesOf = ({ usedBy }: App): [count: number, what: string][] =>
  (
    [
      [usedBy.sources, 'source'],
      [usedBy.destinations, 'destination'],
      [usedBy.connections, 'connection'],
    ] as [number, string][]
  ).filter(([count]) => count > 0);

/** `Used by 3 connections`, or the number of sources or destinations if no connection uses the app yet. */
export function usedText(app: App): string {
  const { sources, destinations, connections } = app.usedBy;
  if (connections > 0) return `Used by ${plural(connections, 'connection')}`;
  if (sources > 0) return `${plural(sources, 'source')}, no connection yet`;
  return destinations > 0 ? `${plural(destinations, 'destination')}, no connection yet` : 'Not used yet';
}

/** When a user has to sign in again. Null for apps without OAuth and for apps that already need a reconnect. */
export function expiryText(app: App, now: Date): string | null {
  if (app.authMode !== 'oauth2' || (app.state !== 'connected' && app.state !== 'expiring')) return null;
  if (app.signInAgainAt === null) return 'Auto-renews';
  const days = daysUntil(app.signInAgainAt, now);
  return days > 1 ? `Expires in ${days} days` : formatExpiry(app.signInAgainAt, now);
}

/** The signed-in user or the credential hint. Null if there is none, or if the app is named after it. */
export function accountText({ externalUser, credentialHint, displayName }: App): string | null {
  const account = externalUser ?? credentialHint;
  return account === displayName ? null : account;
}

/** The result of a successful test. Only sources have ad accounts. */
export const probeText = (provider: string, accounts: number): string =>
  `${signInName(provider)} access works${hasAccountsToChoose(provider) ? `, ${plural(accounts, 'ad account')} found` : ''}`;

/** How many runs wait until the quota of the app is available again. */
export const waitingText = (runs: number): string => (runs > 0 ? `${plural(runs, 'run waits', 'runs wait')} until then.` : '');
