import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPlayerPause, IconPlayerPlay, IconSettings, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { whyNotRunConversion } from '~/domain/conversions/conversion-state';
import { paths } from '~/domain/navigation/paths';
import { DeleteConversionDialog } from '~/features/conversions/DeleteConversionDialog';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { MenuReason } from '~/ui/inputs/MenuReason';

export function RowMenu({ conversion }: { conversion: Conversion }) {
  const organizationId = useOrganizationId();
  const { run, setActive } = useConversionActions(organizationId);
  const roleReason = usePermissionGate('conversions.write');
  const planReason = usePlanGate();
  const [isDeleting, setDeleting] = useState(false);
  const isActive = conversion.desired === 'active';
  const runReason = roleReason ?? planReason ?? whyNotRunConversion(conversion);
  const switchReason = roleReason ?? (isActive ? null : planReason);
  const start = () =>
    void run(conversion.id)
      .then(() => toast.done(`Run of ${conversion.name} started`))
      .catch(toast.failed);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={`More for ${conversion.name}`}>
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
            onClick={() => void setActive(conversion, !isActive).catch(toast.failed)}
          >
            {isActive ? 'Pause' : 'Resume'}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconSettings {...icon} />}
            component={Link}
            to={paths.conversion(organizationId, conversion.id, { tab: 'mapping' })}
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
            Delete conversion
          </Menu.Item>
          <MenuReason>{roleReason}</MenuReason>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && <DeleteConversionDialog conversion={conversion} onClose={() => setDeleting(false)} />}
    </>
  );
}
