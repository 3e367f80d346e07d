import { Checkbox } from '@mantine/core';
import { eventWords, PAYMENT_EVENTS, sortEvents } from '~/domain/payments/payment-events';
import type { PaymentEvent } from '~/domain/payments/payment-events';
import type { FieldLabel } from './field-label';
import styles from './PaymentFields.module.css';

interface PaymentEventsFieldProps extends FieldLabel {
  value: readonly PaymentEvent[];
  onChange: (events: PaymentEvent[]) => void;
  isLocked?: boolean;
}

/** Which events of Stripe are read. */
export const PaymentEventsField = ({ value, onChange, isLocked = false, ...shown }: PaymentEventsFieldProps) => (
  <Checkbox.Group {...shown} value={[...value]} onChange={(events) => onChange(sortEvents(events as PaymentEvent[]))}>
    <div className={styles.events} data-labeled={shown.label !== undefined || undefined}>
      {PAYMENT_EVENTS.map((event) => (
        <Checkbox
          key={event}
          value={event}
          label={eventWords[event].label}
          description={eventWords[event].hint}
          disabled={isLocked}
        />
      ))}
    </div>
  </Checkbox.Group>
);
