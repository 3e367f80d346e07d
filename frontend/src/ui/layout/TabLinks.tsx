import { Link } from 'react-router-dom';
import styles from './TabLinks.module.css';

export interface TabLink {
  key: string;
  label: string;
  to: string;
  badge?: string;
}

/** On a phone, the tab of the page can be beyond the edge. */
const showCurrent = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** Tabs as links, so that each can be opened, bookmarked and shared. */
export const TabLinks = ({ label, tabs, current }: { label: string; tabs: TabLink[]; current: string }) => (
  <nav className={styles.tabs} aria-label={label}>
    {tabs.map((tab) => (
      <Link
        key={tab.key}
        ref={tab.key === current ? showCurrent : undefined}
        to={tab.to}
        replace
        aria-current={tab.key === current ? 'page' : undefined}
        className={styles.tab}
      >
        {tab.label}
        {tab.badge && <span className={styles.badge}>{tab.badge}</span>}
      </Link>
    ))}
  </nav>
);
