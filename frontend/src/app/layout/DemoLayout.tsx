import { Suspense } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { Brand } from '~/ui/data/Logo';
import { EmailNotice } from '~/app/banners/EmailNotice';
import styles from './TopLayout.module.css';
import { useRouteFocus } from './use-route-focus';

/** The layout of the demo tour, which needs no sign-in. */
export default function DemoLayout() {
  useRouteFocus();
  return (
    <div className={styles.layout}>
      <header className={styles.bar}>
        <Link to={paths.home()} className={styles.brand} aria-label="Tributary, home">
          <Brand size={18} />
        </Link>
        <span className="label">Demo with simulated data</span>
      </header>
      <EmailNotice />
      <main className={styles.main}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}
