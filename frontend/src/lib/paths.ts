import { generatePath } from 'react-router-dom';

type Query = Record<string, string | number | null | undefined>;

const join = (pattern: string, parameters: Record<string, string>, query?: Query): string => {
  const entries = Object.entries(query ?? {}).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [[key, String(value)]],
  );
  const search = new URLSearchParams(entries).toString();
  return generatePath(pattern, parameters) + (search ? `?${search}` : '');
};

/** Route patterns, one name each. The router and every link read this table. */
export const patterns = {
  home: '/',
  login: '/login',
  signUp: '/signUp',
  forgotPassword: '/forgotPassword',
  organizations: '/organizations',
  onboarding: '/onboarding',
  connections: '/:organizationId/connection',
  connection: '/:organizationId/connection/:id/configuration',
  createConnection: '/:organizationId/createConnection',
  googleAds: '/:organizationId/GoogleAds',
  apps: '/:organizationId/app',
  connectApp: '/:organizationId/app/connect',
  app: '/:organizationId/app/:id',
  sources: '/:organizationId/source',
  source: '/:organizationId/source/:id/google/configuration',
  destinations: '/:organizationId/destination',
  destination: '/:organizationId/destination/:id/configuration',
  conversions: '/:organizationId/conversion',
  payments: '/:organizationId/payment',
  alerts: '/:organizationId/alert',
  settings: '/:organizationId/settings',
  subscription: '/:organizationId/subscription',
} as const;

export type ConnectionTab = 'overview' | 'coverage' | 'runs' | 'settings';
export type WizardStep = 'source' | 'destination' | 'configure' | 'review';

export type SettingsTab = 'general' | 'team' | 'api-keys' | 'audit' | 'danger';

export interface SettingsQuery {
  tab?: SettingsTab;
  actor?: string;
  action?: string;
  from?: string;
  to?: string;
}

const ofOrganization = (pattern: string) => (organizationId: string) => join(pattern, { organizationId });
const ofItem = (pattern: string) => (organizationId: string, id: string) => join(pattern, { organizationId, id });

/** Every link of the product. Screens never build an address by hand. */
export const paths = {
  home: () => patterns.home,
  login: () => patterns.login,
  signUp: () => patterns.signUp,
  forgotPassword: () => patterns.forgotPassword,
  organizations: () => patterns.organizations,
  onboarding: () => patterns.onboarding,
  connections: (organizationId: string, query?: { health?: string; search?: string }) =>
    join(patterns.connections, { organizationId }, query),
  connection: (organizationId: string, id: string, query?: { tab?: ConnectionTab; run?: string | null }) =>
    join(patterns.connection, { organizationId, id }, query),
  createConnection: (organizationId: string, query?: { step?: WizardStep; source?: string }) =>
    join(patterns.createConnection, { organizationId }, query),
  googleAds: (organizationId: string, query?: { app?: string }) => join(patterns.googleAds, { organizationId }, query),
  apps: ofOrganization(patterns.apps),
  connectApp: ofOrganization(patterns.connectApp),
  app: ofItem(patterns.app),
  sources: ofOrganization(patterns.sources),
  source: ofItem(patterns.source),
  destinations: ofOrganization(patterns.destinations),
  destination: ofItem(patterns.destination),
  newDestination: (organizationId: string) => ofItem(patterns.destination)(organizationId, 'new'),
  conversions: ofOrganization(patterns.conversions),
  payments: ofOrganization(patterns.payments),
  alerts: ofOrganization(patterns.alerts),
  settings: (organizationId: string, query?: SettingsQuery) => join(patterns.settings, { organizationId }, { ...query }),
  subscription: ofOrganization(patterns.subscription),
};
