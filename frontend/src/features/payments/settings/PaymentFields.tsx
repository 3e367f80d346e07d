import { Checkbox, Radio, TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useDestinations } from '~/api/destinations';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { providerName, ProviderMark } from '~/components/status/ProviderMark';
import { paths } from '~/domain/navigation/paths';
import { eventWords, PAYMENT_EVENTS, sortEvents } from '~/domain/payments/payment-events';
import type { PaymentEvent } from '~/domain/payments/payment-events';
import { customerIdError, customerIdKindOf, customerIdType, metadataKeyOf } from '~/domain/payments/payment-state';
import type { CustomerIdKind } from '~/domain/payments/payment-state';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './PaymentFields.module.css';
import { FIRST_DAY, utcToday } from './payment-values';
import type { PaymentValues } from './payment-values';

interface FieldsProps {
  values: PaymentValues;
  onChange: (part: Partial<PaymentValues>) => void;
  isLocked: boolean;
}

function Destinations({ values, onChange, isLocked }: FieldsProps) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useDestinations(organizationId);
  return (
    <LoadedContent
      data={data}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t load destinations"
      skeleton={<TableSkeleton label="Loading destinations" rows={2} widths={[20, '50%', 80]} />}
    >
      {({ items }) => (
        <>
          <Checkbox.Group value={values.destinationIds} onChange={(ids) => onChange({ destinationIds: ids.toSorted() })}>
            <div className={styles.list}>
              {items.map(({ id, name, provider }) => (
                <Checkbox
                  key={id}
                  value={id}
                  disabled={isLocked}
                  label={
                    <span className={styles.choice}>
                      <ProviderMark provider={provider} /> {name} <span className="label">{providerName(provider)}</span>
                    </span>
                  }
                />
              ))}
            </div>
          </Checkbox.Group>
          {items.length === 0 && <p className="quiet">No destinations yet.</p>}
          <p className={styles.more}>
            <Link to={paths.newDestination(organizationId)}>Create a destination</Link>
          </p>
        </>
      )}
    </LoadedContent>
  );
}

function CustomerId({ values, onChange, isLocked }: FieldsProps) {
  const kind = customerIdKindOf(values.customerIdType);
  const key = metadataKeyOf(values.customerIdType);
  return (
    <Radio.Group
      name="customerIdType"
      aria-label="Customer ID"
      value={kind}
      onChange={(next) => onChange({ customerIdType: customerIdType(next as CustomerIdKind, key) })}
    >
      <div className={styles.list}>
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
            error={key === '' ? null : customerIdError(values.customerIdType)}
            onChange={(event) => onChange({ customerIdType: customerIdType('metadata', event.currentTarget.value) })}
          />
        )}
      </div>
    </Radio.Group>
  );
}

const Events = ({ values, onChange, isLocked }: FieldsProps) => (
  <Checkbox.Group value={values.events} onChange={(events) => onChange({ events: sortEvents(events as PaymentEvent[]) })}>
    <div className={styles.events}>
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

const Amounts = ({ values, onChange, isLocked }: FieldsProps) => (
  <Radio.Group
    name="amountMode"
    aria-label="Amounts"
    value={values.amountMode}
    onChange={(mode) => onChange({ amountMode: mode === 'net' ? 'net' : 'gross' })}
  >
    <div className={styles.list}>
      <Radio value="gross" label="Gross" description="Before Stripe’s fees" disabled={isLocked} />
      <Radio value="net" label="Net" description="After Stripe’s fees. The fee stays in its own column" disabled={isLocked} />
    </div>
  </Radio.Group>
);

function History({ values, onChange, isLocked }: FieldsProps) {
  const now = useNow(300_000);
  return (
    <TextInput
      w={180}
      type="date"
      aria-label="Start date"
      min={FIRST_DAY}
      max={utcToday(now)}
      value={values.historyFrom}
      disabled={isLocked}
      onChange={(event) => onChange({ historyFrom: event.currentTarget.value })}
    />
  );
}

/** All settings of a payment except its Stripe account, which cannot be changed. */
export const PaymentFields = (props: FieldsProps) => (
  <>
    <SettingRow title="Name">
      <TextInput
        aria-label="Name"
        value={props.values.name}
        maxLength={120}
        disabled={props.isLocked}
        onChange={(event) => props.onChange({ name: event.currentTarget.value })}
      />
    </SettingRow>
    <SettingRow title="Destinations" hint="Each gets all rows and is verified on its own.">
      <Destinations {...props} />
    </SettingRow>
    <SettingRow title="Customer ID" hint="What identifies a customer in the column customer_id.">
      <CustomerId {...props} />
    </SettingRow>
    <SettingRow title="Events" hint="One row for each event.">
      <Events {...props} />
    </SettingRow>
    <SettingRow title="Amounts" hint="In the currency in which Stripe settles. The customer’s currency has its own columns.">
      <Amounts {...props} />
    </SettingRow>
    <SettingRow title="Start date" hint="First day to load. Stripe has no limit. Days are in UTC.">
      <History {...props} />
    </SettingRow>
  </>
);
