import { Suspense } from 'react';
import type { ComponentType } from 'react';
import { Outlet, Route, Routes, useLocation } from 'react-router-dom';
import { hasValidIds } from '~/domain/navigation/normalize-path';
import { patterns } from '~/domain/navigation/paths';
import { EmailNotice } from './banners/EmailNotice';
import { InLayout, NotFoundPage } from './ErrorPage';
import { HomePage } from './HomePage';
import { layoutTable, routeTable } from './route-table';
import type { LayoutName } from './route-table';
import { useRouteFocus } from './layout/use-route-focus';
import { RouteBoundary } from './RouteBoundary';
import { Splash } from './Splash';

function EmptyLayout() {
  useRouteFocus();
  return (
    <>
      <EmailNotice />
      <Outlet />
    </>
  );
}

const layouts: Record<LayoutName, ComponentType> = {
  default: layoutTable.default.Screen,
  top: layoutTable.top.Screen,
  demo: layoutTable.demo.Screen,
  empty: EmptyLayout,
};

/** A page with its own error boundary, so that the layout stays visible when the page fails. */
function Screen({ of: Page, layout }: { of: ComponentType; layout: LayoutName }) {
  const { pathname } = useLocation();
  return (
    <InLayout value={layout !== 'empty'}>
      <RouteBoundary key={pathname}>
        <Page />
      </RouteBoundary>
    </InLayout>
  );
}

/** A path with a text that is no id is an unknown path, not a missing organization or item. */
function KnownPath() {
  const { pathname } = useLocation();
  return hasValidIds(pathname) ? <Outlet /> : <NotFoundPage />;
}

const names = Object.keys(routeTable) as (keyof typeof routeTable)[];

/** A function instead of a component, because the router reads `Route` children before rendering. */
const routesIn = (layout: LayoutName) => {
  const Layout = layouts[layout];
  return (
    <Route key={layout} element={<KnownPath />}>
      <Route element={<Layout />}>
        {names
          .filter((name) => routeTable[name].layout === layout)
          .map((name) => (
            <Route key={name} path={patterns[name]} element={<Screen of={routeTable[name].Screen} layout={layout} />} />
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
