import { lazy, Suspense, useCallback, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useLiveUpdates } from '~/api/live/use-live-updates';
import { useOrganizationId } from '~/session/organization-context';
import styles from './DefaultLayout.module.css';
import { EmailNotice } from '~/app/banners/EmailNotice';
import { useReloadOnNavigation } from '~/app/use-build-refresh';
import { Sidebar } from './Sidebar';
import { StaleBanner } from '~/app/banners/StaleBanner';
import { SubscriptionBanner } from '~/app/banners/SubscriptionBanner';
import { TopBar } from './TopBar';
import { useShortcuts } from '~/app/use-shortcuts';

const Palette = lazy(() => import('~/app/palette/Palette'));
const Shortcuts = lazy(() => import('~/app/Shortcuts'));

export default function DefaultLayout() {
  const organizationId = useOrganizationId();
  const { pathname } = useLocation();
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts' | null>(null);
  const openPalette = useCallback(() => setOverlay('palette'), []);
  const openShortcuts = useCallback(() => setOverlay('shortcuts'), []);
  const close = useCallback(() => setOverlay(null), []);
  useLiveUpdates(organizationId);
  useShortcuts(organizationId, { onSearch: openPalette, onHelp: openShortcuts });
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
        <StaleBanner />
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <Suspense>
        {overlay === 'palette' && <Palette onClose={close} onShortcuts={openShortcuts} />}
        {overlay === 'shortcuts' && <Shortcuts onClose={close} />}
      </Suspense>
    </div>
  );
}
