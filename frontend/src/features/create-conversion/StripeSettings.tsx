import { CustomerIdField } from '~/components/payment-fields/CustomerIdField';
import { PaymentEventsField } from '~/components/payment-fields/PaymentEventsField';
import { listOf } from '~/domain/destinations/json-schema';
import type { FieldValues } from '~/domain/destinations/json-schema';
import { PAYMENT_EVENTS } from '~/domain/payments/payment-events';
import styles from './CreateConversion.module.css';

interface StripeSettingsProps {
  values: FieldValues;
  errors: Record<string, string | null>;
  onChange: (name: string, value: string) => void;
}

/** The settings of Stripe as a source of conversions, in the same fields as those of a payment. */
export function StripeSettings({ values, errors, onChange }: StripeSettingsProps) {
  const chosen = listOf(values.events ?? '');
  return (
    <div className={styles.stripe}>
      <PaymentEventsField
        label="Events"
        description="Events that become records."
        error={errors.events ?? null}
        value={PAYMENT_EVENTS.filter((event) => chosen.includes(event))}
        onChange={(events) => onChange('events', events.join(','))}
      />
      <CustomerIdField
        label="Customer ID"
        description="What identifies a customer in the field customer_id."
        error={errors.customerIdType ?? null}
        value={values.customerIdType ?? ''}
        onChange={(value) => onChange('customerIdType', value)}
      />
    </div>
  );
}
