import { lazy, Suspense, useCallback, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useLiveUpdates } from '~/api/live/use-live-updates';
import type { EndedRun } from '~/api/live/use-live-updates';
import { toast } from '~/components/feedback/toast';
import { endText } from '~/domain/connections/run-facts';
import { useOrganizationId } from '~/session/organization-context';
import styles from './DefaultLayout.module.css';
import { EmailNotice } from '~/app/banners/EmailNotice';
import { useReloadOnNavigation } from '~/app/use-build-refresh';
import { Sidebar } from './Sidebar';
import { StaleBanner } from '~/app/banners/StaleBanner';
import { SubscriptionNotice } from '~/app/banners/SubscriptionNotice';
import { useRouteFocus } from './use-route-focus';
import { TopBar } from './TopBar';
import { useShortcuts } from '~/app/use-shortcuts';

const Palette = lazy(() => import('~/app/palette/Palette'));
const Shortcuts = lazy(() => import('~/app/Shortcuts'));

/** Reports the end of a run that the user started, wherever the user is. */
function reportEnd({ progress, connection: { id, name, failure, healthReason } }: EndedRun): void {
  const text = endText(name, progress, failure?.message ?? healthReason);
  const isGood = ['succeeded', 'cancelled', 'skipped'].includes(progress.state);
  (isGood ? toast.state : toast.problem)(text, id);
}

export default function DefaultLayout() {
  const organizationId = useOrganizationId();
  const { pathname } = useLocation();
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts' | null>(null);
  const openPalette = useCallback(() => setOverlay('palette'), []);
  const openShortcuts = useCallback(() => setOverlay('shortcuts'), []);
  const close = useCallback(() => setOverlay(null), []);
  useLiveUpdates(organizationId, reportEnd);
  useShortcuts(organizationId, { onSearch: openPalette, onHelp: openShortcuts });
  useReloadOnNavigation(pathname);
  useRouteFocus();
  return (
    <div className={styles.layout}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <Sidebar onSearch={openPalette} />
      <TopBar onSearch={openPalette} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <EmailNotice />
        <SubscriptionNotice />
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
