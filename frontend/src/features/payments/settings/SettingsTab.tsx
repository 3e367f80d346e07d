import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { updatePayment } from '~/api/payments/payments';
import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { paths } from '~/domain/navigation/paths';
import { ActiveSwitch } from '~/features/payments/ActiveSwitch';
import { DeletePaymentDialog } from '~/features/payments/DeletePaymentDialog';
import styles from '~/features/payments/page/Payment.module.css';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { SettingRow } from '~/ui/layout/SettingRow';
import { PaymentFields } from './PaymentFields';
import { isReloaded, paymentNeeds, valuesOf } from './payment-values';
import { ReloadDays } from './ReloadDays';

function Removal({ payment, isLocked }: { payment: Payment; isLocked: boolean }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <SettingRow title="Delete" hint="Loaded rows stay at the destinations.">
      <Button
        variant="default"
        c={isLocked ? undefined : 'var(--t-danger)'}
        disabled={isLocked}
        onClick={() => setDeleting(true)}
      >
        Delete payment
      </Button>
      {isDeleting && (
        <DeletePaymentDialog
          payment={payment}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(paths.payments(organizationId))}
        />
      )}
    </SettingRow>
  );
}

function useSettings(payment: Payment) {
  const organizationId = useOrganizationId();
  const { refresh } = usePaymentActions(organizationId);
  const form = useVersionedForm({ latest: payment, valuesOf, refresh: () => refresh(payment.id) });
  const now = useNow(60_000);
  const { values } = form;
  const save = async () => {
    await form.save((version) => updatePayment(organizationId, payment.id, { ...values, name: values.name.trim(), version }));
    toast.done('Settings saved');
  };
  return {
    form,
    missing: paymentNeeds(values, now),
    isReloaded: isReloaded(valuesOf(form.base), values),
    save: () => void form.run(save),
  };
}

export function SettingsTab({ payment }: { payment: Payment }) {
  const disabledReason = usePermissionGate('payments.write');
  const isLocked = disabledReason !== null;
  const { form, missing, isReloaded: reloads, save } = useSettings(payment);
  const { values, change, conflict } = form;
  return (
    <div className={styles.form}>
      <PaymentFields values={values} onChange={change} isLocked={isLocked} />
      <div className={styles.save}>
        {conflict.isOpen && (
          <ConflictNotice what="this payment" onTakeTheirs={conflict.takeTheirs} onKeepMine={conflict.keepMine} />
        )}
        {form.failure !== null && <ErrorText error={form.failure} />}
        <GatedButton
          disabledReason={disabledReason}
          waitsFor={missing ?? (form.isSame ? 'No changes' : null)}
          loading={form.isBusy}
          onClick={save}
        >
          Save settings
        </GatedButton>
        {reloads && missing === null && <span className="label">All days are loaded again.</span>}
      </div>
      <ReloadDays payment={payment} />
      <SettingRow title="Pause" hint="Nothing is loaded while paused. Webhooks are still received, so nothing is missed.">
        <span className={styles.switch}>
          <ActiveSwitch payment={payment} /> {payment.desired === 'active' ? 'Enabled' : 'Paused'}
        </span>
      </SettingRow>
      <Removal payment={payment} isLocked={isLocked} />
    </div>
  );
}
