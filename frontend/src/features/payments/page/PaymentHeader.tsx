import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { PaymentStatus } from '~/components/status/PaymentStatus';
import { ProviderMark, RouteText } from '~/components/status/ProviderMark';
import { paths } from '~/domain/navigation/paths';
import { paymentHealthOf } from '~/domain/payments/payment-state';
import { ActiveSwitch } from '~/features/payments/ActiveSwitch';
import { DeletePaymentDialog } from '~/features/payments/DeletePaymentDialog';
import { destinationNames } from '~/features/payments/describe-payment';
import { useRunGate } from '~/features/payments/use-run-gate';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { MenuReason } from '~/ui/inputs/MenuReason';
import { PageHeader } from '~/ui/layout/Page';
import styles from './Payment.module.css';

function RunButton({ payment }: { payment: Payment }) {
  const actions = usePaymentActions(useOrganizationId());
  const { run, isBusy } = useAction({ onError: toast.failed });
  const reason = useRunGate(payment);
  return (
    <Tooltip label={reason} disabled={reason === null}>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay {...icon} />}
        disabled={reason !== null}
        loading={isBusy}
        onClick={() => void run(() => actions.run(payment.id))}
      >
        Run now
      </Button>
    </Tooltip>
  );
}

function MoreMenu({ onDelete }: { onDelete: () => void }) {
  const disabledReason = usePermissionGate('payments.write');
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" size={32} aria-label="More">
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconTrash {...icon} />}
          color="var(--t-danger)"
          disabled={disabledReason !== null}
          onClick={onDelete}
        >
          {disabledReason ?? 'Delete payment'}
        </Menu.Item>
        <MenuReason>{disabledReason}</MenuReason>
      </Menu.Dropdown>
    </Menu>
  );
}

export function PaymentHeader({ payment }: { payment: Payment }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const { name, app, destinations, desired } = payment;
  return (
    <>
      <PageHeader
        title={name}
        parent={{ label: 'Payments', to: paths.payments(organizationId) }}
        status={<PaymentStatus health={paymentHealthOf(payment)} />}
        subtitle={
          <>
            <ProviderMark provider={app.provider} />
            <RouteText from={app.name} to={destinationNames(destinations)} />
          </>
        }
        actions={
          <>
            <span className={styles.switch}>
              {desired === 'active' ? 'Enabled' : 'Paused'}
              <ActiveSwitch payment={payment} />
            </span>
            <RunButton payment={payment} />
            <MoreMenu onDelete={() => setDeleting(true)} />
          </>
        }
      />
      {isDeleting && (
        <DeletePaymentDialog
          payment={payment}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(paths.payments(organizationId))}
        />
      )}
    </>
  );
}
