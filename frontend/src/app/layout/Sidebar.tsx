import { Kbd, Tooltip } from '@mantine/core';
import { IconApi, IconBook2, IconLifebuoy, IconLock, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import useSWR from 'swr';
import { loadConfig } from '~/api/http/config';
import type { RuntimeConfig } from '~/api/types';
import { readFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId, usePlan } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import { Brand, Logo } from '~/ui/data/Logo';
import { AlertBadge } from './AlertBadge';
import { entriesFor, isCurrent } from './navigation';
import { OrganizationSwitcher } from './OrganizationSwitcher';
import styles from './Sidebar.module.css';
import { UserMenu } from './UserMenu';

const SupportDialog = lazy(() => import('~/components/support/SupportDialog'));

const modifier = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl ';

/** The same entries in the sidebar, the icon rail and the phone's drawer. */
export function NavigationLinks({ onNavigate }: { onNavigate?: () => void }) {
  const organizationId = useOrganizationId();
  const { pathname } = useLocation();
  const plan = usePlan();
  const { storedFrom } = readFlowState();
  return (
    <nav aria-label="Main" className={styles.navigation}>
      {entriesFor(plan).map((group) => (
        <ul key={group[0]?.label} className={styles.group}>
          {group.map((entry) => (
            <li key={entry.label}>
              <Tooltip label={entry.label} position="right" classNames={{ tooltip: styles.railTip }}>
                <Link
                  to={entry.to(organizationId)}
                  className={styles.link}
                  aria-current={isCurrent(entry, pathname, storedFrom) ? 'page' : undefined}
                  onClick={onNavigate}
                >
                  <entry.icon {...icon} />
                  <span className={styles.word}>{entry.label}</span>
                  {entry.hasAlertCount && !entry.isLocked && <AlertBadge />}
                  {entry.isLocked && (
                    <span className={styles.lock}>
                      <IconLock {...icon} size={14} />
                      <span className="visually-hidden">requires a plan</span>
                    </span>
                  )}
                </Link>
              </Tooltip>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

function SupportEntry({ config }: { config: RuntimeConfig }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <button type="button" className={styles.link} onClick={() => setOpen(true)} aria-haspopup="dialog">
        <IconLifebuoy {...icon} />
        <span className={styles.word}>Support</span>
      </button>
      {isOpen && (
        <Suspense>
          <SupportDialog config={config} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </li>
  );
}

/** Links to other sites, and support. */
export function OutsideLinks() {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const links = [
    { label: 'Docs', href: '/docs/', icon: IconBook2 },
    { label: 'API docs', href: '/api/docs', icon: IconApi },
  ];
  return (
    <ul className={styles.group}>
      {links.map(({ label, href, icon: LinkIcon }) => (
        <li key={label}>
          <a href={href} target="_blank" rel="noreferrer" className={styles.link}>
            <LinkIcon {...icon} />
            <span className={styles.word}>{label}</span>
          </a>
        </li>
      ))}
      {config && <SupportEntry config={config} />}
    </ul>
  );
}

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const organizationId = useOrganizationId();
  return (
    <aside className={styles.sidebar} aria-label="Navigation">
      <Link to={paths.connections(organizationId)} className={styles.brand} aria-label="Tributary, connections">
        <span className={styles.fullBrand}>
          <Brand size={18} />
        </span>
        <span className={styles.railBrand}>
          <Logo size={20} />
        </span>
      </Link>
      <OrganizationSwitcher />
      <button type="button" className={styles.search} onClick={onSearch}>
        <IconSearch {...icon} />
        <span className={styles.word}>Search or jump to</span>
        <span className={styles.word}>
          <Kbd>{modifier}K</Kbd>
        </span>
      </button>
      <NavigationLinks />
      <div className={styles.bottom}>
        <OutsideLinks />
        <UserMenu />
      </div>
    </aside>
  );
}
