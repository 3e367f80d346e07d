import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { providerName, RouteMarks, RouteText } from '~/components/status/ProviderMark';
import { HealthStatus } from '~/components/status/Status';
import { healthOf, whyNotRunConversion } from '~/domain/conversions/conversion-state';
import { paths } from '~/domain/navigation/paths';
import { ActiveSwitch } from '~/features/conversions/ActiveSwitch';
import { DeleteConversionDialog } from '~/features/conversions/DeleteConversionDialog';
import { useAction } from '~/lib/use-action';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { MenuReason } from '~/ui/inputs/MenuReason';
import { PageHeader } from '~/ui/layout/Page';

function RunButton({ conversion }: { conversion: Conversion }) {
  const actions = useConversionActions(useOrganizationId());
  const { run, isBusy } = useAction({ onError: toast.failed });
  const roleReason = usePermissionGate('conversions.write');
  const planReason = usePlanGate();
  const reason = roleReason ?? planReason ?? whyNotRunConversion(conversion);
  return (
    <Tooltip label={reason} disabled={reason === null}>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay {...icon} />}
        disabled={reason !== null}
        loading={isBusy}
        onClick={() => void run(() => actions.run(conversion.id))}
      >
        Run now
      </Button>
    </Tooltip>
  );
}

function MoreMenu({ onDelete }: { onDelete: () => void }) {
  const disabledReason = usePermissionGate('conversions.write');
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
          {disabledReason ?? 'Delete conversion'}
        </Menu.Item>
        <MenuReason>{disabledReason}</MenuReason>
      </Menu.Dropdown>
    </Menu>
  );
}

export function ConversionHeader({ conversion }: { conversion: Conversion }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const { name, source, target, desired } = conversion;
  return (
    <>
      <PageHeader
        title={name}
        parent={{ label: 'Conversions', to: paths.conversions(organizationId) }}
        status={<HealthStatus health={healthOf(conversion)} />}
        subtitle={
          <>
            <RouteMarks from={source.provider} to={target.provider} />
            <RouteText from={source.name} to={`${providerName(target.provider)}, ${target.name}`} />
          </>
        }
        actions={
          <>
            <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
              {desired === 'active' ? 'Enabled' : 'Paused'}
              <ActiveSwitch conversion={conversion} />
            </span>
            <RunButton conversion={conversion} />
            <MoreMenu onDelete={() => setDeleting(true)} />
          </>
        }
      />
      {isDeleting && (
        <DeleteConversionDialog
          conversion={conversion}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(paths.conversions(organizationId))}
        />
      )}
    </>
  );
}
