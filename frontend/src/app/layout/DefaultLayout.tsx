import { lazy, Suspense, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useLiveUpdates } from '~/api/live/use-live-updates';
import { useOrganizationId } from '~/session/organization-context';
import styles from './DefaultLayout.module.css';
import { EmailNotice } from '~/app/banners/EmailNotice';
import { useReloadOnNavigation } from '~/app/use-build-refresh';
import { Sidebar } from './Sidebar';
import { SubscriptionBanner } from '~/app/banners/SubscriptionBanner';
import { TopBar } from './TopBar';
import { useShortcuts } from '~/app/use-shortcuts';

const Palette = lazy(() => import('~/app/Palette'));

export default function DefaultLayout() {
  const organizationId = useOrganizationId();
  const { pathname } = useLocation();
  const [paletteRequests, setPaletteRequests] = useState(0);
  const openPalette = () => setPaletteRequests((count) => count + 1);
  useLiveUpdates(organizationId);
  useShortcuts(organizationId, openPalette);
  useReloadOnNavigation(pathname);
  return (
    <div className={styles.layout}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <Sidebar onSearch={openPalette} />
      <TopBar onSearch={openPalette} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <EmailNotice />
        <SubscriptionBanner />
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      {paletteRequests > 0 && (
        <Suspense>
          <Palette requests={paletteRequests} />
        </Suspense>
      )}
    </div>
  );
}
