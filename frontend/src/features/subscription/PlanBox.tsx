import { IconCheck, IconCircleCheck, IconCircleDashed, IconHourglass, IconReceiptOff } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { Subscription } from '~/api/types';
import type { Tone } from '~/domain/connections/connection-state';
import { formatPlanPrice } from '~/domain/billing/price';
import { icon } from '~/ui/icon';
import { Status } from '~/components/status/Status';
import { BillingButtons } from './BillingButtons';
import { actionsOf, contentsOf, statusTable } from './describe-subscription';
import styles from './Subscription.module.css';

type Plan = NonNullable<Subscription['plan']>;

function Price({ plan }: { plan: Plan }) {
  const price = formatPlanPrice(plan);
  return (
    price && (
      <p className={styles.price}>
        <span className={styles.amount}>{price.amount}</span>
        <span className="quiet">{price.period}</span>
      </p>
    )
  );
}

const icons: Record<Tone, Icon> = {
  good: IconCircleCheck,
  accent: IconHourglass,
  warn: IconReceiptOff,
  danger: IconReceiptOff,
  idle: IconCircleDashed,
};

function State({ subscription: { status } }: { subscription: Subscription }) {
  const { word, tone } = statusTable[status];
  return (
    <Status icon={icons[tone]} tone={tone}>
      {word}
    </Status>
  );
}

/** One sentence about the connections used and the limit of the plan. */
function fit({ access, connectionLimit, connectionsUsed }: Subscription): string {
  if (connectionLimit === null || connectionsUsed === 0 || access !== 'closed') return 'One plan with all features.';
  return connectionsUsed <= connectionLimit
    ? `One plan. You use ${connectionsUsed} of ${connectionLimit} connections.`
    : `You use ${connectionsUsed} connections. The plan includes ${connectionLimit}.`;
}

function smallPrint(subscription: Subscription): string {
  const { plan, trialDays } = subscription;
  const isTrial = actionsOf(subscription).main.label === 'Start free trial';
  const shown = plan && formatPlanPrice(plan);
  const price = shown ? `${shown.amount} ${shown.period}` : 'the price shown at checkout';
  return isTrial
    ? `${trialDays} days free, then ${price}. Payments are processed by Stripe. Cancel during the trial and you are not charged.`
    : 'Payments are processed by Stripe. Cancel at any time.';
}

export const PlanBox = ({ subscription }: { subscription: Subscription }) => (
  <section className={styles.plan} aria-label="Plan">
    <div className={styles.offer}>
      <div className={styles.planHead}>
        <h2 className={styles.planName}>{subscription.plan?.name ?? 'Tributary'}</h2>
        <State subscription={subscription} />
      </div>
      <p className="quiet">{fit(subscription)}</p>
      {subscription.plan && <Price plan={subscription.plan} />}
      <BillingButtons subscription={subscription} />
      <p className="label">{smallPrint(subscription)}</p>
    </div>
    <ul className={styles.contents} aria-label="Plan features">
      {contentsOf(subscription).map((content) => (
        <li key={content}>
          <IconCheck {...icon} color="var(--t-accent)" />
          {content}
        </li>
      ))}
    </ul>
  </section>
);
