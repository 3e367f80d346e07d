import { Link } from 'react-router-dom';
import type { Subscription } from '~/api/types';
import { formatDayOf, inDays } from '~/domain/time/days-left';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { Meter } from '~/ui/data/Meter';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { nextChange, trialOf } from './describe-subscription';
import { useCheckNow } from './use-check-now';
import styles from './Subscription.module.css';

const Row = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className={styles.row}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

function Connections({ connectionsUsed: used, connectionLimit: limit }: Subscription) {
  const organizationId = useOrganizationId();
  const words = limit === null ? plural(used, 'connection') : `${used} of ${plural(limit, 'connection')}`;
  return (
    <>
      <span className={styles.reading}>
        {words}
        <Link to={paths.settings(organizationId, { tab: 'usage' })}>All usage</Link>
      </span>
      {limit !== null && (
        <Meter label="Connections" value={used} max={limit} valueText={words} tone={used >= limit ? 'warn' : 'plain'} />
      )}
    </>
  );
}

function Checked({ subscription: { syncedAt } }: { subscription: Subscription }) {
  const { check, isChecking } = useCheckNow();
  return (
    <span className={styles.reading}>
      <span>{syncedAt === null ? 'Not checked yet' : <RelativeTime at={syncedAt} isFocusable />}</span>
      <button type="button" className={styles.check} disabled={isChecking} onClick={() => void check()}>
        {isChecking ? 'Checking' : 'Check now'}
      </button>
    </span>
  );
}

/** Term of the subscription and usage of its limits. */
export function Term({ subscription }: { subscription: Subscription }) {
  const now = useNow();
  const trial = trialOf(subscription, now);
  const next = nextChange(subscription, now);
  return (
    <dl className={styles.term}>
      {trial && (
        <Row title="Trial">
          <span className={styles.reading}>
            {trial.left} of {plural(trial.of, 'day')} left
          </span>
          <Meter label="Trial" value={trial.left} max={trial.of} valueText={`${trial.left} of ${trial.of} days left`} />
        </Row>
      )}
      {next && (
        <Row title={next.label}>
          {formatDayOf(next.at, now)}, {inDays(next.at, now)}
        </Row>
      )}
      <Row title="Connections">
        <Connections {...subscription} />
      </Row>
      {subscription.hasCustomer && (
        <Row title="Checked with Stripe">
          <Checked subscription={subscription} />
        </Row>
      )}
    </dl>
  );
}
