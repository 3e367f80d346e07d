import { Link } from 'react-router-dom';
import type { Subscription } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { Notice } from '~/ui/feedback/Notice';
import { hasLapsed, noticeOf } from './describe-subscription';
import { PlanBox } from './PlanBox';
import { SubscriptionEnded } from './SubscriptionEnded';
import styles from './Subscription.module.css';
import { Term } from './Term';

function NoBilling() {
  const organizationId = useOrganizationId();
  return (
    <div className={styles.none}>
      <p>
        <strong>Billing is off on this instance.</strong> All features are available to all organizations, without a plan, costs
        or limits.
      </p>
      <p>
        <Link to={paths.settings(organizationId, { tab: 'usage' })}>View usage</Link>
      </p>
    </div>
  );
}

export function SubscriptionView({ subscription }: { subscription: Subscription }) {
  const now = useNow();
  if (!subscription.isBilled) return <NoBilling />;
  const notice = noticeOf(subscription, now);
  return (
    <>
      {notice && (
        <Notice tone={notice.tone} title={notice.title}>
          {notice.text}
        </Notice>
      )}
      {hasLapsed(subscription) && <SubscriptionEnded subscription={subscription} />}
      <PlanBox subscription={subscription} />
      <Term subscription={subscription} />
    </>
  );
}
