import { Link } from 'react-router-dom';
import { useRecurringRevenue } from '~/api/payments/payments';
import type { Payment } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { formatAmounts } from '~/domain/payments/amounts';
import { revenueWords } from '~/domain/payments/payment-events';
import { customerIdText, webhookStateOf } from '~/domain/payments/payment-state';
import type { WebhookState } from '~/domain/payments/payment-state';
import { LastEvent } from '~/features/payments/LastEvent';
import { formatDay } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { Figure, FigureRow } from '~/ui/data/Figures';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Section } from '~/ui/layout/Page';
import { WithFacts } from '~/ui/layout/WithFacts';
import { Destinations } from './Destinations';
import { LiveRuns } from './LiveRuns';
import styles from './Payment.module.css';
import { PaymentNotice } from './PaymentNotice';

const webhookWords: Record<WebhookState, string> = {
  no_secret: 'No secret entered',
  no_delivery: 'No call yet',
  missing: 'Events missing',
  works: 'Works',
};

function Figures({ payment }: { payment: Payment }) {
  const organizationId = useOrganizationId();
  const { data, error } = useRecurringRevenue(organizationId, payment.id);
  const { netRevenue30Days, amountMode, events, webhook } = payment;
  const { label, note } = revenueWords(events);
  const recurring = data && (data.currencies.length === 0 ? '—' : formatAmounts(data.currencies));
  const subscriptions = data?.currencies.reduce((sum, one) => sum + one.subscriptions, 0) ?? 0;
  return (
    <FigureRow>
      <Figure
        label={label}
        value={netRevenue30Days.length === 0 ? '—' : formatAmounts(netRevenue30Days)}
        note={`${note}, ${amountMode === 'gross' ? 'before' : 'after'} fees`}
      />
      <Figure
        label="Monthly recurring revenue"
        value={error === undefined ? recurring : '—'}
        note={
          <Link to={paths.payment(organizationId, payment.id, { tab: 'revenue' })}>
            {data ? `${plural(subscriptions, 'subscription')}, definition ${data.definitionVersion}` : 'Definition'}
          </Link>
        }
      />
      <Figure
        label="Webhook"
        value={webhookWords[webhookStateOf(webhook)]}
        note={
          webhook.lastDeliveryAt === null ? (
            'Runs start every hour without it'
          ) : (
            <>
              Last call <RelativeTime at={webhook.lastDeliveryAt} isFocusable />
            </>
          )
        }
      />
      <Figure
        label="Destinations"
        value={String(payment.destinations.length)}
        note={`${payment.destinations.filter(({ health }) => health === 'healthy').length} with every row verified`}
      />
    </FigureRow>
  );
}

function Facts({ payment }: { payment: Payment }) {
  const organizationId = useOrganizationId();
  const now = useNow(300_000);
  const { app, customerIdType, events, amountMode, historyFrom } = payment;
  return (
    <Section title="Details">
      <DescriptionList
        facts={[
          { label: 'Stripe account', value: <Link to={paths.app(organizationId, app.id)}>{app.name}</Link> },
          { label: 'Key', value: <code>{app.credentialHint ?? '—'}</code> },
          { label: 'Last event', value: <LastEvent payment={payment} /> },
          { label: 'Customer ID', value: customerIdText(customerIdType) },
          { label: 'Events', value: `${events.length} of 11` },
          { label: 'Amounts', value: amountMode === 'gross' ? 'Gross' : 'Net of fees' },
          { label: 'Start date', value: formatDay(historyFrom, now) },
          { label: 'Schedule', value: 'Every hour, and after each webhook' },
        ]}
      />
    </Section>
  );
}

export const OverviewTab = ({ payment }: { payment: Payment }) => (
  <>
    <PaymentNotice payment={payment} />
    <LiveRuns destinations={payment.destinations} />
    <div className={styles.figures}>
      <Figures payment={payment} />
    </div>
    <WithFacts facts={<Facts payment={payment} />}>
      <Destinations payment={payment} />
    </WithFacts>
  </>
);
