import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPlayerPause, IconPlayerPlay, IconSettings, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { usePaymentActions } from '~/api/payments/use-payment-actions';
import type { Payment } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { paths } from '~/domain/navigation/paths';
import { DeletePaymentDialog } from '~/features/payments/DeletePaymentDialog';
import { useRunGate, useSwitchGate } from '~/features/payments/use-run-gate';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { MenuReason } from '~/ui/inputs/MenuReason';

export function RowMenu({ payment }: { payment: Payment }) {
  const organizationId = useOrganizationId();
  const { run, setActive } = usePaymentActions(organizationId);
  const roleReason = usePermissionGate('payments.write');
  const runReason = useRunGate(payment);
  const switchReason = useSwitchGate(payment);
  const [isDeleting, setDeleting] = useState(false);
  const isActive = payment.desired === 'active';
  const start = () =>
    void run(payment.id)
      .then(() => toast.done(`Run of ${payment.name} started`))
      .catch(toast.failed);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`More for ${payment.name}`}>
            <IconDots {...icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlayerPlay {...icon} />} disabled={runReason !== null} onClick={start}>
            {(roleReason === null && runReason) || 'Run now'}
          </Menu.Item>
          <Menu.Item
            leftSection={isActive ? <IconPlayerPause {...icon} /> : <IconPlayerPlay {...icon} />}
            disabled={switchReason !== null}
            onClick={() => void setActive(payment, !isActive).catch(toast.failed)}
          >
            {isActive ? 'Pause' : 'Resume'}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconSettings {...icon} />}
            component={Link}
            to={paths.payment(organizationId, payment.id, { tab: 'settings' })}
          >
            Edit
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconTrash {...icon} />}
            color="var(--t-danger)"
            disabled={roleReason !== null}
            onClick={() => setDeleting(true)}
          >
            Delete payment
          </Menu.Item>
          <MenuReason>{roleReason}</MenuReason>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && <DeletePaymentDialog payment={payment} onClose={() => setDeleting(false)} />}
    </>
  );
}
