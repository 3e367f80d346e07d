import { signInName } from '~/domain/accounts/providers';
import type { App, Connector, Destination } from '~/api/types';

/** How a destination authenticates: with typed credentials, with a connected app, or with a sign-in at the platform. */
export type AuthMethod =
  | { id: 'typed'; kind: 'typed'; schema: object }
  | { id: string; kind: 'app'; app: App }
  | { id: 'sign-in'; kind: 'signIn' };

const isWorking = ({ state }: App): boolean => state === 'connected' || state === 'expiring';

/** A PostgreSQL password belongs to the user in the settings, so it cannot be reused for another destination. */
const canBeReused = (provider: string): boolean => provider !== 'postgresql';

export function authMethodsFor(connector: Connector, apps: App[]): AuthMethod[] {
  const { provider, credentials } = connector;
  const typed = credentials.flatMap(({ schema }): AuthMethod[] => (schema ? [{ id: 'typed', kind: 'typed', schema }] : []));
  const reused = canBeReused(provider) ? apps.filter((app) => app.provider === provider && isWorking(app)) : [];
  return [
    ...reused.map((app): AuthMethod => ({ id: app.id, kind: 'app', app })),
    ...typed.slice(0, 1),
    ...(credentials.some(({ authMode }) => authMode === 'oauth2') ? [{ id: 'sign-in', kind: 'signIn' } as const] : []),
  ];
}

/** A saved destination keeps its method. Only typed credentials can be replaced. */
export function authMethodsOfSaved({ authMode }: Destination, connector: Connector): AuthMethod[] {
  if (authMode === 'oauth2') return [];
  return authMethodsFor(connector, []).filter(({ kind }) => kind === 'typed');
}

const typedWords: Record<string, { title: string; detail: string }> = {
  bigquery: {
    title: 'Service account key',
    detail: 'The JSON key file of a dedicated account. Recommended: access doesn’t depend on one person.',
  },
  mixpanel: { title: 'Another service account', detail: 'Create it in Mixpanel under Organization settings, Service accounts.' },
};

export function describeAuthMethod(method: AuthMethod, provider: string): { title: string; detail: string } {
  if (method.kind === 'app') {
    const { displayName, externalUser, credentialHint } = method.app;
    return {
      title: displayName,
      detail: `Already connected${externalUser || credentialHint ? `: ${externalUser ?? credentialHint}` : ''}`,
    };
  }
  if (method.kind === 'signIn')
    return { title: `Sign in with ${signInName(provider)}`, detail: 'Loads with your Google account’s permissions.' };
  return typedWords[provider] ?? { title: 'User and password', detail: 'Enter them below.' };
}
