import type { ComponentType } from 'react';
import { patterns } from '~/domain/navigation/paths';
import { preloadable } from '~/lib/preloadable';
import type { Preloadable } from '~/lib/preloadable';

/** `default`: with the sidebar. `top`: with a bar. `demo`: with a bar that is labeled as demo. `empty`: only the page. */
export type LayoutName = 'default' | 'top' | 'demo' | 'empty';

export interface PageModule {
  default: ComponentType;
  /** Starts the first request of the page, so that it does not wait for the first render. */
  prefetch?: (organizationId: string, parameters: URLSearchParams) => void;
}

export interface RouteEntry extends Preloadable<PageModule> {
  layout: LayoutName;
}

/** `empty` has no layout. */
export const layoutTable: Record<Exclude<LayoutName, 'empty'>, Preloadable> = {
  default: preloadable(() => import('./layout/DefaultLayout')),
  top: preloadable(() => import('./layout/TopLayout')),
  demo: preloadable(() => import('./layout/DemoLayout')),
};

const screen = (load: () => Promise<PageModule>, layout: LayoutName = 'default'): RouteEntry => ({
  layout,
  ...preloadable(load),
});
const landing = () => import('~/features/apps/landing/LandingPage');
const accounts = screen(() => import('~/features/apps/accounts/AppAccountsPage'));
const source = screen(() => import('~/features/sources/SourcePage'));
const appDestinations = screen(() => import('~/features/apps/destinations/AppDestinationsPage'));
const conversionPicker = screen(() => import('~/features/pickers/ConversionPickerPage'));
const reauth = screen(() => import('~/features/apps/reauth/ReauthPage'));

/** The page and the layout of every route except the home page. */
export const routeTable: Record<Exclude<keyof typeof patterns, 'home'>, RouteEntry> = {
  login: screen(() => import('~/features/sign-in/LoginPage'), 'empty'),
  signUp: screen(() => import('~/features/sign-in/SignUpPage'), 'empty'),
  forgotPassword: screen(() => import('~/features/sign-in/ForgotPasswordPage'), 'empty'),
  organizations: screen(() => import('~/features/organizations/OrganizationsPage'), 'top'),
  people: screen(() => import('~/features/people/PeoplePage'), 'top'),
  onboarding: screen(() => import('~/features/onboarding/OnboardingPage'), 'top'),
  demo: screen(() => import('~/features/demo/DemoPage'), 'demo'),
  account: screen(() => import('~/features/account/AccountPage'), 'top'),
  acceptInvitation: screen(() => import('~/features/invitations/AcceptInvitationPage'), 'top'),
  connections: screen(() => import('~/features/connections/ConnectionsPage')),
  connection: screen(() => import('~/features/connections/ConnectionPage')),
  testBench: screen(() => import('~/features/connections/test-bench/TestBenchPage')),
  createConnection: screen(() => import('~/features/create-connection/CreateConnectionPage')),
  createConversion: screen(() => import('~/features/create-conversion/CreateConversionPage')),
  googleAds: screen(landing, 'empty'),
  metaAds: screen(landing),
  microsoftAds: screen(landing, 'empty'),
  apps: screen(() => import('~/features/apps/list/AppsPage')),
  connectApp: screen(() => import('~/features/apps/connect/ConnectAppPage')),
  connectProvider: screen(landing, 'empty'),
  app: screen(() => import('~/features/apps/page/AppPage')),
  appGoogle: accounts,
  appMeta: accounts,
  appMicrosoft: accounts,
  appBigquery: appDestinations,
  appMixpanel: appDestinations,
  appCustom: screen(() => import('~/features/custom-app/CustomAppPage')),
  sources: screen(() => import('~/features/sources/SourcesPage')),
  source,
  sourceMeta: source,
  sourceMicrosoft: source,
  sourceCustom: source,
  destinations: screen(() => import('~/features/destinations/DestinationsPage')),
  destination: screen(() => import('~/features/destinations/DestinationPage')),
  conversions: screen(() => import('~/features/conversions/ConversionsPage')),
  conversion: screen(() => import('~/features/conversions/ConversionPage')),
  payments: screen(() => import('~/features/payments/PaymentsPage')),
  payment: screen(() => import('~/features/payments/PaymentPage')),
  alerts: screen(() => import('~/features/alerts/AlertsPage')),
  settings: screen(() => import('~/features/settings/SettingsPage')),
  subscription: screen(() => import('~/features/subscription/SubscriptionPage'), 'top'),
  subscriptionSuccess: screen(() => import('~/features/subscription/checkout/SuccessPage'), 'top'),
  subscriptionFailure: screen(() => import('~/features/subscription/checkout/FailurePage'), 'top'),
  addSource: screen(() => import('~/features/pickers/AddSourcePage')),
  addDestination: screen(() => import('~/features/pickers/AddDestinationPage')),
  addConversionSource: conversionPicker,
  addConversionDestination: conversionPicker,
  bigquery: screen(() => import('~/features/apps/bigquery/BigqueryPage')),
  sourceSettings: screen(() => import('~/features/sources/SourceSettingsPage')),
  googleReauth: reauth,
  metaReauth: reauth,
  microsoftReauth: reauth,
};
