import { lazy, Suspense } from 'react';
import type { ComponentType } from 'react';
import { Outlet, Route, Routes, useLocation, useParams } from 'react-router-dom';
import { patterns } from '../lib/paths';
import { organizationIdOf } from '../session/decide';
import { NotFoundPage } from './ErrorPage';
import { HomePage } from './HomePage';
import { RouteBoundary } from './RouteBoundary';
import { Splash } from './Splash';

const DefaultLayout = lazy(() => import('./DefaultLayout'));
const TopLayout = lazy(() => import('./TopLayout'));

const screens = {
  login: lazy(() => import('../features/sign-in/LoginPage')),
  signUp: lazy(() => import('../features/sign-in/SignUpPage')),
  forgotPassword: lazy(() => import('../features/sign-in/ForgotPasswordPage')),
  organizations: lazy(() => import('../features/organizations/OrganizationsPage')),
  onboarding: lazy(() => import('../features/onboarding/OnboardingPage')),
  connections: lazy(() => import('../features/connections/ConnectionsPage')),
  connection: lazy(() => import('../features/connections/ConnectionPage')),
  createConnection: lazy(() => import('../features/create-connection/CreateConnectionPage')),
  googleAds: lazy(() => import('../features/google-ads/GoogleAdsPage')),
  apps: lazy(() => import('../features/apps/AppsPage')),
  connectApp: lazy(() => import('../features/apps/ConnectAppPage')),
  app: lazy(() => import('../features/apps/AppPage')),
  sources: lazy(() => import('../features/sources/SourcesPage')),
  source: lazy(() => import('../features/sources/SourcePage')),
  destinations: lazy(() => import('../features/destinations/DestinationsPage')),
  destination: lazy(() => import('../features/destinations/DestinationPage')),
};

const later = lazy(() => import('../features/later/LaterPage'));

/** A page with its own boundary: what breaks or loads here leaves the frame around it standing. */
function Screen({ of: Page }: { of: ComponentType }) {
  const { pathname } = useLocation();
  return (
    <RouteBoundary key={pathname}>
      <Page />
    </RouteBoundary>
  );
}

/** First path segments that are no organization are unknown paths, not missing organizations. */
function OrganizationRoutes() {
  const { pathname } = useLocation();
  const { organizationId } = useParams();
  return organizationIdOf(pathname) === organizationId ? <Outlet /> : <NotFoundPage />;
}

const laterPatterns = [patterns.conversions, patterns.payments, patterns.alerts, patterns.settings, patterns.subscription];

const insideOrganization = [
  'connections',
  'connection',
  'createConnection',
  'apps',
  'connectApp',
  'app',
  'sources',
  'source',
  'destinations',
  'destination',
] as const;

export const AppRoutes = () => (
  <Suspense fallback={<Splash />}>
    <Routes>
      <Route path={patterns.home} element={<HomePage />} />
      <Route path={patterns.login} element={<Screen of={screens.login} />} />
      <Route path={patterns.signUp} element={<Screen of={screens.signUp} />} />
      <Route path={patterns.forgotPassword} element={<Screen of={screens.forgotPassword} />} />
      <Route element={<TopLayout />}>
        <Route path={patterns.organizations} element={<Screen of={screens.organizations} />} />
        <Route path={patterns.onboarding} element={<Screen of={screens.onboarding} />} />
      </Route>
      <Route element={<OrganizationRoutes />}>
        <Route path={patterns.googleAds} element={<Screen of={screens.googleAds} />} />
        <Route element={<DefaultLayout />}>
          {insideOrganization.map((name) => (
            <Route key={name} path={patterns[name]} element={<Screen of={screens[name]} />} />
          ))}
          {laterPatterns.map((pattern) => (
            <Route key={pattern} path={pattern} element={<Screen of={later} />} />
          ))}
        </Route>
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  </Suspense>
);
