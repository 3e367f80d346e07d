import { lazy, Suspense } from 'react';
import type { ComponentType } from 'react';
import { Outlet, Route, Routes, useLocation, useParams } from 'react-router-dom';
import { patterns } from '~/domain/navigation/paths';
import { organizationIdOf } from '~/session/decide-route';
import { EmailNotice } from './banners/EmailNotice';
import { NotFoundPage } from './ErrorPage';
import { HomePage } from './HomePage';
import { routeTable } from './route-table';
import type { LayoutName } from './route-table';
import { RouteBoundary } from './RouteBoundary';
import { Splash } from './Splash';

const EmptyLayout = () => (
  <>
    <EmailNotice />
    <Outlet />
  </>
);

const layouts: Record<LayoutName, ComponentType> = {
  default: lazy(() => import('./layout/DefaultLayout')),
  top: lazy(() => import('./layout/TopLayout')),
  demo: lazy(() => import('./layout/DemoLayout')),
  empty: EmptyLayout,
};

/** A page with its own error boundary, so that the layout stays visible when the page fails. */
function Screen({ of: Page }: { of: ComponentType }) {
  const { pathname } = useLocation();
  return (
    <RouteBoundary key={pathname}>
      <Page />
    </RouteBoundary>
  );
}

/** A first path segment that is not an organization id is an unknown path, not a missing organization. */
function KnownOrganization() {
  const { pathname } = useLocation();
  const { organizationId } = useParams();
  return organizationId === undefined || organizationIdOf(pathname) === organizationId ? <Outlet /> : <NotFoundPage />;
}

const names = Object.keys(routeTable) as (keyof typeof routeTable)[];

/** A function instead of a component, because the router reads `Route` children before rendering. */
const routesIn = (layout: LayoutName) => {
  const Layout = layouts[layout];
  return (
    <Route key={layout} element={<KnownOrganization />}>
      <Route element={<Layout />}>
        {names
          .filter((name) => routeTable[name].layout === layout)
          .map((name) => (
            <Route key={name} path={patterns[name]} element={<Screen of={routeTable[name].Screen} />} />
          ))}
      </Route>
    </Route>
  );
};

export const AppRoutes = () => (
  <Suspense fallback={<Splash />}>
    <Routes>
      <Route path={patterns.home} element={<HomePage />} />
      {(Object.keys(layouts) as LayoutName[]).map(routesIn)}
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  </Suspense>
);
