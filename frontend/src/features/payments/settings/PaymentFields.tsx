import { Checkbox, Radio, TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useDestinations } from '~/api/destinations';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { CustomerIdField } from '~/components/payment-fields/CustomerIdField';
import { PaymentEventsField } from '~/components/payment-fields/PaymentEventsField';
import { providerName, ProviderMark } from '~/components/status/ProviderMark';
import { paths } from '~/domain/navigation/paths';
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
      <CustomerIdField
        value={props.values.customerIdType}
        isLocked={props.isLocked}
        onChange={(customerIdType) => props.onChange({ customerIdType })}
      />
    </SettingRow>
    <SettingRow title="Events" hint="One row for each event.">
      <PaymentEventsField
        value={props.values.events}
        isLocked={props.isLocked}
        onChange={(events) => props.onChange({ events })}
      />
    </SettingRow>
    <SettingRow title="Amounts" hint="In the currency in which Stripe settles. The customer’s currency has its own columns.">
      <Amounts {...props} />
    </SettingRow>
    <SettingRow title="Start date" hint="First day to load. Stripe has no limit. Days are in UTC.">
      <History {...props} />
    </SettingRow>
  </>
);
