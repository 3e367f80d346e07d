import { lazy } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';
import { patterns } from '../lib/paths';

/** `default` has the sidebar, `top` a bar, `demo` a bar that says so, `empty` nothing. */
export type LayoutName = 'default' | 'top' | 'demo' | 'empty';

export interface RouteEntry {
  layout: LayoutName;
  Screen: LazyExoticComponent<ComponentType>;
}

const later = lazy(() => import('../features/later/LaterPage'));
const screen = (load: () => Promise<{ default: ComponentType }>, layout: LayoutName = 'default'): RouteEntry => ({
  layout,
  Screen: lazy(load),
});
const alone = lazy(() => import('../features/later/LaterAlonePage'));
const laterIn = (layout: LayoutName = 'default'): RouteEntry => ({
  layout,
  Screen: layout === 'empty' ? alone : later,
});

const app = screen(() => import('../features/apps/AppPage'));

/** Every address of the product but the front door: its page and what stands around it. */
export const routeTable: Record<Exclude<keyof typeof patterns, 'home'>, RouteEntry> = {
  login: screen(() => import('../features/sign-in/LoginPage'), 'empty'),
  signUp: screen(() => import('../features/sign-in/SignUpPage'), 'empty'),
  forgotPassword: screen(() => import('../features/sign-in/ForgotPasswordPage'), 'empty'),
  organizations: screen(() => import('../features/organizations/OrganizationsPage'), 'top'),
  onboarding: screen(() => import('../features/onboarding/OnboardingPage'), 'top'),
  demo: laterIn('demo'),
  acceptInvitation: screen(() => import('../features/invitations/AcceptInvitationPage'), 'top'),
  connections: screen(() => import('../features/connections/ConnectionsPage')),
  connection: screen(() => import('../features/connections/ConnectionPage')),
  testBench: laterIn(),
  createConnection: screen(() => import('../features/create-connection/CreateConnectionPage')),
  createConversion: laterIn(),
  googleAds: screen(() => import('../features/google-ads/GoogleAdsPage'), 'empty'),
  metaAds: laterIn(),
  microsoftAds: laterIn('empty'),
  apps: screen(() => import('../features/apps/AppsPage')),
  connectApp: screen(() => import('../features/apps/ConnectAppPage')),
  app,
  // Accounts of a Google Ads app are chosen on its own page.
  appGoogle: app,
  appMeta: laterIn(),
  appMicrosoft: laterIn(),
  appBigquery: laterIn(),
  appMixpanel: laterIn(),
  appCustom: laterIn(),
  sources: screen(() => import('../features/sources/SourcesPage')),
  source: screen(() => import('../features/sources/SourcePage')),
  sourceMeta: laterIn(),
  sourceMicrosoft: laterIn(),
  destinations: screen(() => import('../features/destinations/DestinationsPage')),
  destination: screen(() => import('../features/destinations/DestinationPage')),
  conversions: laterIn(),
  conversion: laterIn(),
  payments: laterIn(),
  payment: laterIn(),
  alerts: laterIn(),
  settings: screen(() => import('../features/settings/SettingsPage')),
  subscription: screen(() => import('../features/subscription/SubscriptionPage'), 'top'),
  subscriptionSuccess: screen(() => import('../features/subscription/SuccessPage'), 'top'),
  subscriptionFailure: screen(() => import('../features/subscription/FailurePage'), 'top'),
  addSource: laterIn(),
  addDestination: laterIn(),
  addConversionSource: laterIn(),
  addConversionDestination: laterIn(),
  bigquery: laterIn(),
  sourceSettings: laterIn(),
  googleReauth: laterIn(),
  metaReauth: laterIn(),
  microsoftReauth: laterIn(),
};
