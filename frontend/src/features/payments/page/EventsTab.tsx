import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { samplePaymentEvents } from '~/api/payments/payments';
import type { Payment, PaymentEventSample } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { formatMinor } from '~/domain/payments/amounts';
import { eventWords } from '~/domain/payments/payment-events';
import { whyNothingSampled } from '~/domain/payments/payment-state';
import { formatMoment } from '~/lib/dates';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import styles from './Payment.module.css';

type SampledEvent = PaymentEventSample['items'][number];

function Charged({ event: { chargedCurrency, chargedMinor, chargedDecimals } }: { event: SampledEvent }) {
  if (chargedCurrency === null || chargedMinor === null) return <>—</>;
  return <>{formatMinor({ currency: chargedCurrency, amountMinor: chargedMinor, decimals: chargedDecimals ?? 2 })}</>;
}

function Row({ event }: { event: SampledEvent }) {
  const now = useNow(60_000);
  const { currency, amountMinor, feeMinor, decimals, originalEventId } = event;
  return (
    <tr>
      <td>{formatMoment(event.occurredAt, now)}</td>
      <td>
        {eventWords[event.event].label}
        <span className={table.second}>{originalEventId === null ? event.eventId : `of ${originalEventId}`}</span>
      </td>
      <td className={table.number}>{formatMinor({ currency, amountMinor, decimals })}</td>
      <td className={table.number}>{formatMinor({ currency, amountMinor: feeMinor, decimals })}</td>
      <td className={table.number}>
        <Charged event={event} />
      </td>
      <td>{event.customer ?? '—'}</td>
    </tr>
  );
}

const Events = ({ items }: Pick<PaymentEventSample, 'items'>) => (
  <div className={styles.region} tabIndex={0} role="region" aria-label="Events, as a table">
    <table className={table.table} data-rows="two">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Event</th>
          {['Amount', 'Fee', 'Charged'].map((label) => (
            <th key={label} scope="col" className={table.number}>
              {label}
            </th>
          ))}
          <th scope="col">Customer</th>
        </tr>
      </thead>
      <tbody>
        {items.map((event) => (
          <Row key={event.eventId} event={event} />
        ))}
      </tbody>
    </table>
  </div>
);

/** Reads Stripe only after a click, because each reading counts against the daily request budget. */
export function EventsTab({ payment }: { payment: Payment }) {
  const organizationId = useOrganizationId();
  const roleReason = usePermissionGate('payments.write');
  const planReason = usePlanGate();
  const now = useNow(60_000);
  const [sample, setSample] = useState<PaymentEventSample | null>(null);
  const { run, isBusy, error } = useAction();
  const load = async () => setSample(await samplePaymentEvents(organizationId, payment.id));
  return (
    <Section title="Newest loaded events" aside={sample?.loadedUntil && `Loaded until ${formatMoment(sample.loadedUntil, now)}`}>
      <div className={styles.tools}>
        <GatedButton
          variant="default"
          leftSection={<IconRefresh {...icon} />}
          disabledReason={roleReason ?? planReason}
          loading={isBusy}
          onClick={() => void run(load)}
        >
          Load sample
        </GatedButton>
        <span className="label">Up to 20 events, read from Stripe. Customer IDs other than those of Stripe are masked.</span>
      </div>
      {error !== null && <ErrorText error={error} />}
      {sample && sample.items.length === 0 && (
        <p className="quiet">
          {sample.loadedUntil === null ? whyNothingSampled(payment) : 'No event of the chosen kinds is loaded.'}
        </p>
      )}
      {sample && sample.items.length > 0 && <Events items={sample.items} />}
    </Section>
  );
}
