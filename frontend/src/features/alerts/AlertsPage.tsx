import { Link, useSearchParams } from 'react-router-dom';
import { useAlerts } from '~/api/alerts';
import { useOlderAlerts } from '~/api/older-alerts';
import { ListPage } from '~/components/list/ListPage';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
import { paths } from '~/domain/navigation/paths';
import type { AlertTab } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { TabLinks } from '~/ui/layout/TabLinks';
import { AlertRow } from './AlertRow';
import styles from './Alerts.module.css';

interface Tab {
  key: AlertTab;
  label: string;
  title: string;
  text: string;
}

const OPEN: Tab = {
  key: 'open',
  label: 'Open',
  title: 'No open alerts',
  text: 'Problems that need an action appear here, with their cause.',
};
const TABS: Tab[] = [
  OPEN,
  {
    key: 'acknowledged',
    label: 'Acknowledged',
    title: 'No acknowledged alerts',
    text: 'Alerts that someone has seen stay here until their cause ends.',
  },
  { key: 'recovered', label: 'Recovered', title: 'No recovered alerts', text: 'Alerts that have ended appear here.' },
];

export default function AlertsPage() {
  const organizationId = useOrganizationId();
  const [parameters] = useSearchParams();
  const tab = TABS.find(({ key }) => key === parameters.get('state')) ?? OPEN;
  const { data, error, mutate } = useAlerts(organizationId, tab.key);
  const { items, pages, hasMore } = useOlderAlerts(organizationId, tab.key, data);
  const countOf = (key: AlertTab) => (data && key !== 'recovered' && data.counts[key] > 0 ? String(data.counts[key]) : undefined);
  return (
    <ListPage
      title="Alerts"
      tabs={
        <TabLinks
          label="Alerts"
          current={tab.key}
          tabs={TABS.map(({ key, label }) => ({
            key,
            label,
            to: paths.alerts(organizationId, { state: key }),
            badge: countOf(key),
          }))}
        />
      }
      data={data}
      error={error}
      reload={mutate}
      errorTitle={data ? 'Couldn’t refresh alerts' : 'Couldn’t load alerts'}
      skeleton={<TableSkeleton label="Loading alerts" rows={4} widths={['48%', 80, 120]} />}
      isEmpty={() => items.length === 0}
      empty={
        <EmptyState
          title={tab.title}
          link={<Link to={paths.settings(organizationId, { tab: 'notifications' })}>Choose who is notified</Link>}
        >
          {tab.text}
        </EmptyState>
      }
    >
      {() => (
        <>
          <ul className={styles.list} aria-label={`${tab.label} alerts`}>
            {items.map((alert) => (
              <AlertRow key={alert.id} alert={alert} />
            ))}
          </ul>
          <LoadMoreButton pages={pages} hasMore={hasMore} label="Show older alerts" />
        </>
      )}
    </ListPage>
  );
}
