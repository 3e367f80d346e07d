import { CustomerIdField } from '~/components/payment-fields/CustomerIdField';
import { PaymentEventsField } from '~/components/payment-fields/PaymentEventsField';
import { SchemaFields } from '~/components/settings-form/SchemaFields';
import { fieldError, listOf } from '~/domain/destinations/json-schema';
import type { FieldValues, SchemaField } from '~/domain/destinations/json-schema';
import { PAYMENT_EVENTS } from '~/domain/payments/payment-events';
import { customerIdError } from '~/domain/payments/payment-state';
import styles from './Rules.module.css';

type FieldErrors = Record<string, string | null>;

/** The pattern of Stripe's customer ID has no words of its own. */
const errorOf = (provider: string, field: SchemaField, value: string): string | null =>
  provider === 'stripe' && field.name === 'customerIdType' ? customerIdError(value) : fieldError(field, value);

/** The errors of the settings of a source, by field. */
export const sourceErrors = (provider: string, fields: SchemaField[], values: FieldValues): FieldErrors =>
  Object.fromEntries(fields.map((field) => [field.name, errorOf(provider, field, values[field.name] ?? '')]));

interface SourceFieldsProps {
  provider: string;
  fields: SchemaField[];
  values: FieldValues;
  errors: FieldErrors;
  isLocked?: boolean;
  onChange: (name: string, value: string) => void;
}

/** In the same fields as those of a payment. */
function StripeFields({ values, errors, isLocked, onChange }: SourceFieldsProps) {
  const chosen = listOf(values.events ?? '');
  return (
    <div className={styles.stripe}>
      <PaymentEventsField
        label="Events"
        description="Events that become records."
        error={errors.events ?? null}
        value={PAYMENT_EVENTS.filter((event) => chosen.includes(event))}
        isLocked={isLocked}
        onChange={(events) => onChange('events', events.join(','))}
      />
      <CustomerIdField
        label="Customer ID"
        description="What identifies a customer in the field customer_id."
        error={errors.customerIdType ?? null}
        value={values.customerIdType ?? ''}
        isLocked={isLocked}
        onChange={(value) => onChange('customerIdType', value)}
      />
    </div>
  );
}

/** The settings of a source of conversions, such as a query. */
export const SourceFields = (props: SourceFieldsProps) =>
  props.provider === 'stripe' ? <StripeFields {...props} /> : <SchemaFields {...props} />;
