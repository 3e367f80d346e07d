import { Radio, TextInput } from '@mantine/core';
import { customerIdError, customerIdKindOf, customerIdType, metadataKeyOf } from '~/domain/payments/payment-state';
import type { CustomerIdKind } from '~/domain/payments/payment-state';
import type { FieldLabel } from './field-label';
import styles from './PaymentFields.module.css';

interface CustomerIdFieldProps extends FieldLabel {
  value: string;
  onChange: (value: string) => void;
  isLocked?: boolean;
}

/** What identifies a customer in the payments of Stripe. */
export function CustomerIdField({ value, onChange, isLocked = false, ...shown }: CustomerIdFieldProps) {
  const kind = customerIdKindOf(value);
  const key = metadataKeyOf(value);
  return (
    <Radio.Group
      name="customerIdType"
      {...shown}
      aria-label={shown.label === undefined ? 'Customer ID' : undefined}
      value={kind}
      onChange={(next) => onChange(customerIdType(next as CustomerIdKind, key))}
    >
      <div className={styles.list} data-labeled={shown.label !== undefined || undefined}>
        <Radio value="stripe_id" label="Stripe ID" description="cus_…, without personal data" disabled={isLocked} />
        <Radio value="email" label="Email" description="Of the customer or of the payment, in clear text" disabled={isLocked} />
        <Radio value="metadata" label="Metadata" description="Your own ID, from a key of the metadata" disabled={isLocked} />
        {kind === 'metadata' && (
          <TextInput
            w={240}
            aria-label="Metadata key"
            placeholder="crm_id"
            value={key}
            maxLength={40}
            disabled={isLocked}
            error={key === '' || shown.error ? null : customerIdError(value)}
            onChange={(event) => onChange(customerIdType('metadata', event.currentTarget.value))}
          />
        )}
      </div>
    </Radio.Group>
  );
}
