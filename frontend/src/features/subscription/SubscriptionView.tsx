import { Link } from 'react-router-dom';
import type { Subscription } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { Notice } from '~/ui/feedback/Notice';
import { hasLapsed, standingOf } from './describe-subscription';
import { PlanBox } from './PlanBox';
import { Stopped } from './Stopped';
import styles from './Subscription.module.css';
import { Term } from './Term';

function NoBilling() {
  const organizationId = useOrganizationId();
  return (
    <div className={styles.none}>
      <p>
        <strong>This installation has no billing.</strong> Everything is on for every organization: there is no plan to choose,
        nothing to pay and no limit.
      </p>
      <p>
        <Link to={paths.settings(organizationId, { tab: 'usage' })}>See what is used</Link>
      </p>
    </div>
  );
}

export function SubscriptionView({ subscription }: { subscription: Subscription }) {
  const now = useNow();
  if (!subscription.isBilled) return <NoBilling />;
  const standing = standingOf(subscription, now);
  return (
    <>
      {standing && (
        <Notice tone={standing.tone} title={standing.title}>
          {standing.text}
        </Notice>
      )}
      {hasLapsed(subscription) && <Stopped subscription={subscription} />}
      <PlanBox subscription={subscription} />
      <Term subscription={subscription} />
    </>
  );
}
