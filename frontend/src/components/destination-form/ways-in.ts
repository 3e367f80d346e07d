import { signInName } from '~/domain/accounts/providers';
import type { App, Connector, Destination } from '~/api/types';

/** How a destination is entered: by typed-in secrets, by an app that is connected, or by signing in at the platform. */
export type WayIn =
  { id: 'typed'; kind: 'typed'; schema: object } | { id: string; kind: 'app'; app: App } | { id: 'sign-in'; kind: 'signIn' };

const isWorking = ({ state }: App): boolean => state === 'connected' || state === 'expiring';

/** A password belongs to the user named in the settings: only accounts that stand for themselves serve a second destination. */
const canBeReused = (provider: string): boolean => provider !== 'postgresql';

export function waysInto(connector: Connector, apps: App[]): WayIn[] {
  const { provider, credentials } = connector;
  const typed = credentials.flatMap(({ schema }): WayIn[] => (schema ? [{ id: 'typed', kind: 'typed', schema }] : []));
  const reused = canBeReused(provider) ? apps.filter((app) => app.provider === provider && isWorking(app)) : [];
  return [
    ...reused.map((app): WayIn => ({ id: app.id, kind: 'app', app })),
    ...typed.slice(0, 1),
    ...(credentials.some(({ authMode }) => authMode === 'oauth2') ? [{ id: 'sign-in', kind: 'signIn' } as const] : []),
  ];
}

/** The only way of a saved destination: its own. A new secret may take the place of a typed-in one. */
export function waysOfSaved({ authMode }: Destination, connector: Connector): WayIn[] {
  if (authMode === 'oauth2') return [];
  return waysInto(connector, []).filter(({ kind }) => kind === 'typed');
}

const typedWords: Record<string, { title: string; detail: string }> = {
  bigquery: {
    title: 'Service account key',
    detail: 'The JSON key file of an account made for this. It belongs to nobody who may leave.',
  },
  mixpanel: { title: 'Another service account', detail: 'Made in Mixpanel under Organization settings, Service accounts.' },
};

export function describeWay(way: WayIn, provider: string): { title: string; detail: string } {
  if (way.kind === 'app') {
    const { displayName, externalUser, credentialHint } = way.app;
    return {
      title: displayName,
      detail: `Connected already${externalUser || credentialHint ? `: ${externalUser ?? credentialHint}` : ''}`,
    };
  }
  if (way.kind === 'signIn')
    return { title: `Sign in with ${signInName(provider)}`, detail: 'Rows are loaded in your own name, with your own rights.' };
  return typedWords[provider] ?? { title: 'User and password', detail: 'Typed in below.' };
}
