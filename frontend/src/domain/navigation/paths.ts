import { generatePath } from 'react-router-dom';
import { providerWords, signInName } from '~/domain/accounts/providers';

type Query = Record<string, string | number | null | undefined>;

const join = (pattern: string, parameters: Record<string, string>, query?: Query): string => {
  const entries = Object.entries(query ?? {}).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [[key, String(value)]],
  );
  const search = new URLSearchParams(entries).toString();
  return generatePath(pattern, parameters) + (search ? `?${search}` : '');
};

/** Wizard steps without an organization in their path. They belong to the last organization of the user. */
export const flowPatterns = {
  addSource: '/addSource',
  addDestination: '/addDestination',
  addConversionSource: '/addConversionSource',
  addConversionDestination: '/addConversionDestination',
  bigquery: '/bigquery',
  sourceSettings: '/SourceSettings',
  googleReauth: '/googleReauth',
  metaReauth: '/metaReauth',
  microsoftReauth: '/microsoftReauth',
} as const;

/** Route patterns by name. The router and all links use this table. */
export const patterns = {
  home: '/',
  login: '/login',
  signUp: '/signUp',
  forgotPassword: '/forgotPassword',
  organizations: '/organizations',
  people: '/people',
  onboarding: '/onboarding',
  demo: '/demo',
  account: '/account',
  acceptInvitation: '/:organizationId/acceptInvitation/:id',
  connections: '/:organizationId/connection',
  connection: '/:organizationId/connection/:id/configuration',
  testBench: '/:organizationId/connection/:id/test1',
  createConnection: '/:organizationId/createConnection',
  createConversion: '/:organizationId/createConversion',
  googleAds: '/:organizationId/GoogleAds',
  metaAds: '/:organizationId/MetaAds',
  microsoftAds: '/:organizationId/MicrosoftAds',
  apps: '/:organizationId/app',
  connectApp: '/:organizationId/app/connect',
  connectProvider: '/:organizationId/app/connect/:provider',
  app: '/:organizationId/app/:id',
  appGoogle: '/:organizationId/app/:id/google/configuration',
  appMeta: '/:organizationId/app/:id/meta/configuration',
  appMicrosoft: '/:organizationId/app/:id/microsoft/configuration',
  appBigquery: '/:organizationId/app/:id/bigquery/configuration',
  appMixpanel: '/:organizationId/app/:id/mixpanel/configuration',
  appCustom: '/:organizationId/app/:id/custom-submission',
  sources: '/:organizationId/source',
  source: '/:organizationId/source/:id/google/configuration',
  sourceMeta: '/:organizationId/source/:id/meta/configuration',
  sourceMicrosoft: '/:organizationId/source/:id/microsoft/configuration',
  sourceCustom: '/:organizationId/source/:id/custom/configuration',
  destinations: '/:organizationId/destination',
  destination: '/:organizationId/destination/:id/configuration',
  conversions: '/:organizationId/conversion',
  conversion: '/:organizationId/conversion/:id/configuration',
  payments: '/:organizationId/payment',
  payment: '/:organizationId/payment/:id/configuration',
  alerts: '/:organizationId/alert',
  settings: '/:organizationId/settings',
  subscription: '/:organizationId/subscription',
  subscriptionSuccess: '/:organizationId/subscription/success',
  subscriptionFailure: '/:organizationId/subscription/failure',
  ...flowPatterns,
} as const;

export type TestBenchTab = 'table' | 'json' | 'requests' | 'write';
export type ConnectionTab = 'overview' | 'coverage' | 'runs' | 'backfills' | 'data' | 'changes' | 'settings';
export type WizardStep = 'source' | 'destination' | 'configure' | 'review';

export type ConversionTab = 'overview' | 'events' | 'mapping' | 'consent' | 'runs' | 'settings';
export type PaymentTab = 'overview' | 'events' | 'revenue' | 'webhook' | 'settings';
export type ConversionStep = 'source' | 'destination' | 'identifiers' | 'consent' | 'preview' | 'activate';

export type SettingsTab =
  | 'general'
  | 'team'
  | 'security'
  | 'notifications'
  | 'api-keys'
  | 'webhooks'
  | 'usage'
  | 'audit'
  | 'data'
  | 'danger';

export type AlertTab = 'open' | 'acknowledged' | 'recovered';

export interface ConversionQuery {
  tab?: ConversionTab;
  /** The open event. */
  event?: string | null;
  /** Filters of the events. */
  state?: string | null;
  search?: string | null;
}

export interface SettingsQuery {
  tab?: SettingsTab;
  actor?: string;
  action?: string;
  from?: string;
  to?: string;
}

const ofOrganization = (pattern: string) => (organizationId: string) => join(pattern, { organizationId });
const ofItem = (pattern: string) => (organizationId: string, id: string) => join(pattern, { organizationId, id });

const landings: Record<string, string> = {
  google_ads: patterns.googleAds,
  meta_ads: patterns.metaAds,
  microsoft_ads: patterns.microsoftAds,
};
const reauths: Record<string, string> = {
  Google: patterns.googleReauth,
  Meta: patterns.metaReauth,
  Microsoft: patterns.microsoftReauth,
};
const appConfigurations: Record<string, string> = {
  google: patterns.appGoogle,
  meta: patterns.appMeta,
  microsoft: patterns.appMicrosoft,
  bigquery: patterns.appBigquery,
  mixpanel: patterns.appMixpanel,
  custom: patterns.appCustom,
};
const sourceConfigurations: Record<string, string> = {
  google_ads: patterns.source,
  meta_ads: patterns.sourceMeta,
  microsoft_ads: patterns.sourceMicrosoft,
  custom: patterns.sourceCustom,
};

const ORGANIZATION = /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/i;

/** The days, stream and account of a new backfill fill in its form. */
interface ConnectionQuery extends Query {
  tab?: ConnectionTab;
  run?: string | null;
  new?: 'backfill';
  from?: string;
  to?: string;
  stream?: string;
  account?: string;
}

/** Functions that build all links of the product. Screens never build a URL themselves. */
export const paths = {
  home: () => patterns.home,
  login: () => patterns.login,
  signUp: () => patterns.signUp,
  forgotPassword: () => patterns.forgotPassword,
  organizations: () => patterns.organizations,
  /** For platform staff only. */
  people: () => patterns.people,
  onboarding: () => patterns.onboarding,
  demo: () => patterns.demo,
  account: () => patterns.account,
  acceptInvitation: (organizationId: string, id: string, query?: { token?: string | null }) =>
    join(patterns.acceptInvitation, { organizationId, id }, query),
  connections: (organizationId: string, query?: { health?: string; search?: string; tag?: string }) =>
    join(patterns.connections, { organizationId }, query),
  connection: (organizationId: string, id: string, query?: ConnectionQuery) =>
    join(patterns.connection, { organizationId, id }, query),
  testBench: (organizationId: string, id: string, query?: { tab?: TestBenchTab }) =>
    join(patterns.testBench, { organizationId, id }, query),
  createConnection: (organizationId: string, query?: { step?: WizardStep; source?: string; destination?: string }) =>
    join(patterns.createConnection, { organizationId }, query),
  /** The landing page of a platform's sign-in, and the choice of ad accounts for a connected app. */
  landing: (organizationId: string, provider: string, query?: { app?: string }) =>
    join(landings[provider] ?? patterns.connectProvider, { organizationId, provider }, query),
  /** A fixed URL that is registered at the platform. It belongs to the last organization of the user. */
  reauth: (provider: string, query?: { app?: string }) => join(reauths[signInName(provider)] ?? patterns.googleReauth, {}, query),
  apps: ofOrganization(patterns.apps),
  connectApp: ofOrganization(patterns.connectApp),
  app: ofItem(patterns.app),
  /** The provider-specific page of an app, or the general page of the app. */
  appConfiguration: (organizationId: string, id: string, provider: string) =>
    join(appConfigurations[providerWords(provider).segment ?? ''] ?? patterns.app, { organizationId, id }),
  /** The form and the push endpoint of a custom app. */
  customApp: (organizationId: string, id: string, query?: { tab?: 'request' | 'push' }) =>
    join(patterns.appCustom, { organizationId, id }, query),
  sources: ofOrganization(patterns.sources),
  source: (organizationId: string, id: string, provider: string) =>
    join(sourceConfigurations[provider] ?? patterns.source, { organizationId, id }),
  destinations: ofOrganization(patterns.destinations),
  destination: ofItem(patterns.destination),
  newDestination: (organizationId: string, query?: { provider?: string; app?: string }) =>
    join(patterns.destination, { organizationId, id: 'new' }, query),
  createConversion: (organizationId: string, query?: { step?: ConversionStep; source?: string; destination?: string }) =>
    join(patterns.createConversion, { organizationId }, query),
  conversion: (organizationId: string, id: string, query?: ConversionQuery) =>
    join(patterns.conversion, { organizationId, id }, { ...query }),
  addConversionSource: () => patterns.addConversionSource,
  addConversionDestination: () => patterns.addConversionDestination,
  addSource: () => patterns.addSource,
  addDestination: () => patterns.addDestination,
  /** The wizard's BigQuery step and the landing page of its sign-in. */
  bigquery: (query?: { app?: string }) => join(patterns.bigquery, {}, query),
  sourceSettings: () => patterns.sourceSettings,
  /** With an order ID, the life of this order in all conversions. */
  conversions: (organizationId: string, query?: { order?: string }) => join(patterns.conversions, { organizationId }, query),
  payments: (organizationId: string, query?: { search?: string }) => join(patterns.payments, { organizationId }, query),
  payment: (organizationId: string, id: string, query?: { tab?: PaymentTab }) =>
    join(patterns.payment, { organizationId, id }, query),
  /** With an app, this Stripe account is selected. */
  newPayment: (organizationId: string, query?: { app?: string }) => join(patterns.payment, { organizationId, id: 'new' }, query),
  alerts: (organizationId: string, query?: { state?: AlertTab }) => join(patterns.alerts, { organizationId }, query),
  settings: (organizationId: string, query?: SettingsQuery) => join(patterns.settings, { organizationId }, { ...query }),
  subscription: ofOrganization(patterns.subscription),
  subscriptionSuccess: ofOrganization(patterns.subscriptionSuccess),
  subscriptionFailure: ofOrganization(patterns.subscriptionFailure),
};

/** The subscription page of the organization in the path, or of the user's last organization. */
export function planPathFrom(pathname: string): string {
  const organizationId = ORGANIZATION.exec(pathname)?.[1];
  return organizationId === undefined ? '/subscription' : paths.subscription(organizationId);
}

/** Pages for people who are not signed in. */
export const signInPaths: readonly string[] = [paths.login(), paths.signUp(), paths.forgotPassword()];
