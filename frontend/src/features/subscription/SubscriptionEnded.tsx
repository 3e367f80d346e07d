import { IconBan, IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { Subscription } from '~/api/types';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import styles from './Subscription.module.css';
import { StoppedConnections } from './StoppedConnections';

const Line = ({ isOpen = false, children }: { isOpen?: boolean; children: React.ReactNode }) => (
  <li className={styles.line}>
    {isOpen ? <IconCheck {...icon} color="var(--t-good)" /> : <IconBan {...icon} color="var(--t-danger)" />}
    <span>{children}</span>
  </li>
);

const waitingWords = ({ connectionsWaiting: waiting }: Subscription): string =>
  waiting === 0 ? 'No active connections' : `Runs of ${plural(waiting, 'connection')}`;

/** What is blocked and what is still available after the subscription ended. */
export function SubscriptionEnded({ subscription }: { subscription: Subscription }) {
  const organizationId = useOrganizationId();
  return (
    <div className={styles.columns}>
      <section aria-label="Stopped">
        <h2>Stopped</h2>
        <ul className={styles.lines}>
          <Line>
            {waitingWords(subscription)}
            {subscription.connectionsWaiting > 0 && <StoppedConnections count={subscription.connectionsWaiting} />}
          </Line>
          <Line>Manual runs and backfills</Line>
          <Line>Creating connections and connecting apps</Line>
        </ul>
      </section>
      <section aria-label="Still available">
        <h2>Still available</h2>
        <ul className={styles.lines}>
          <Line isOpen>All data in your destinations</Line>
          <Line isOpen>
            Settings, members and the{' '}
            <Link to={paths.settings(organizationId, { tab: 'audit' })} className={styles.inline}>
              audit log with its export
            </Link>
          </Line>
          <Line isOpen>
            Billing and{' '}
            <Link to={paths.settings(organizationId, { tab: 'danger' })} className={styles.inline}>
              leaving the organization
            </Link>
          </Line>
        </ul>
      </section>
    </div>
  );
}
