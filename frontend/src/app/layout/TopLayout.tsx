import { Suspense } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useSession } from '~/session/session-context';
import { Brand } from '~/ui/data/Logo';
import { EmailNotice } from '~/app/banners/EmailNotice';
import styles from './TopLayout.module.css';
import { useRouteFocus } from './use-route-focus';
import { UserMenu } from './UserMenu';

/** The layout of pages outside an organization. Invitations are also shown to users who are not signed in. */
export default function TopLayout() {
  const { user } = useSession();
  useRouteFocus();
  return (
    <div className={styles.layout}>
      <header className={styles.bar}>
        <Link to={paths.organizations()} className={styles.brand} aria-label="Tributary, organizations">
          <Brand size={18} />
        </Link>
        <div className={styles.user}>{user ? <UserMenu /> : <Link to={paths.login()}>Sign in</Link>}</div>
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
