import { useAlerts } from '~/api/alerts';
import { useOrganizationId } from '~/session/organization-context';
import styles from './AlertBadge.module.css';

const HIGHEST_SHOWN = 99;

/** The number of open alerts. Live events update it. */
export function AlertBadge() {
  const { data } = useAlerts(useOrganizationId(), 'open');
  const count = data?.counts.badge ?? 0;
  if (count === 0) return null;
  return (
    <span className={styles.badge}>
      {count > HIGHEST_SHOWN ? `${HIGHEST_SHOWN}+` : count}
      <span className="visually-hidden"> open</span>
    </span>
  );
}
