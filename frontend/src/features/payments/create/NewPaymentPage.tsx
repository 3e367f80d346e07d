import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keysOf } from '~/api/http/keys';
import { createPayment } from '~/api/payments/payments';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { paths } from '~/domain/navigation/paths';
import { PAYMENT_EVENTS } from '~/domain/payments/payment-events';
import { PaymentFields } from '~/features/payments/settings/PaymentFields';
import { paymentNeeds, startingHistory } from '~/features/payments/settings/payment-values';
import type { PaymentValues } from '~/features/payments/settings/payment-values';
import { useAction } from '~/lib/use-action';
import { useUnsavedChanges } from '~/lib/unsaved-changes';
import { useNow } from '~/lib/use-now';
import { RoleNotice } from '~/components/feedback/RoleNotice';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { Page, PageHeader } from '~/ui/layout/Page';
import { SettingRow } from '~/ui/layout/SettingRow';
import { AccountField } from './AccountField';
import styles from './NewPayment.module.css';

const startingValues = (): PaymentValues => ({
  ...{ name: '', destinationIds: [], customerIdType: 'stripe_id', events: [...PAYMENT_EVENTS], amountMode: 'gross' },
  historyFrom: startingHistory(new Date()),
});

function useNewPayment(appId: string | null) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const now = useNow(60_000);
  const [values, setValues] = useState(startingValues);
  const [isTyped, setTyped] = useState(false);
  const endGuard = useUnsavedChanges(isTyped);
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const create = async () => {
    const payment = await createPayment(organizationId, { ...values, name: values.name.trim(), appId: appId ?? '' });
    toast.done(`${payment.name} created, first run started`);
    endGuard();
    await navigate(paths.payment(organizationId, payment.id));
    void mutate(keysOf(organizationId, 'payments', 'apps', 'app'));
  };
  return {
    values,
    suggest: (part: Partial<PaymentValues>) => setValues((before) => ({ ...before, ...part })),
    change: (part: Partial<PaymentValues>) => {
      setTyped(true);
      setValues((before) => ({ ...before, ...part }));
    },
    missing: appId === null ? 'Select a Stripe account' : paymentNeeds(values, now),
    create: () => void run(create),
    isBusy,
    error,
  };
}

function Form() {
  const planReason = usePlanGate();
  const [parameters] = useSearchParams();
  const [appId, setAppId] = useState(parameters.get('app'));
  const { values, suggest, change, missing, create, isBusy, error } = useNewPayment(appId);
  return (
    <>
      <SettingRow title="Stripe account" hint="Read with a restricted key. Each account has at most one payment.">
        <AccountField
          value={appId}
          onChange={({ id, name }) => {
            setAppId(id);
            if (values.name === '') suggest({ name });
          }}
        />
      </SettingRow>
      <PaymentFields values={values} onChange={change} isLocked={false} />
      <div className={styles.end}>
        {error !== null && <ErrorText error={error} />}
        <GatedButton disabledReason={planReason} waitsFor={missing} loading={isBusy} onClick={create}>
          Create payment
        </GatedButton>
      </div>
    </>
  );
}

export function NewPaymentPage() {
  useTitle('Create payment');
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('payments.write');
  return (
    <Page width="form">
      <PageHeader title="Create payment" parent={{ label: 'Payments', to: paths.payments(organizationId) }} />
      {disabledReason === null ? (
        <Form />
      ) : (
        <RoleNotice reason={disabledReason} back={{ label: 'Back to payments', to: paths.payments(organizationId) }}>
          Your role can view payments, but not create them.
        </RoleNotice>
      )}
    </Page>
  );
}
