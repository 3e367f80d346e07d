import { useState } from 'react';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { RowMenu } from '~/components/flow/RowMenu';
import { paths } from '~/domain/navigation/paths';
import { DeleteConversionDialog } from '~/features/conversions/DeleteConversionDialog';
import { useRunGate, useSwitchGate } from '~/features/conversions/use-run-gate';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';

export function ConversionMenu({ conversion }: { conversion: Conversion }) {
  const organizationId = useOrganizationId();
  const { run, setActive } = useConversionActions(organizationId);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <RowMenu
        id={conversion.id}
        name={conversion.name}
        kind="conversion"
        roleReason={usePermissionGate('conversions.write')}
        runReason={useRunGate(conversion)}
        switchReason={useSwitchGate(conversion)}
        isActive={conversion.desired === 'active'}
        editPath={paths.conversion(organizationId, conversion.id, { tab: 'mapping' })}
        onRun={() => run(conversion.id)}
        onSwitch={(isActive) => setActive(conversion, isActive)}
        onDelete={() => setDeleting(true)}
      />
      {isDeleting && <DeleteConversionDialog conversion={conversion} onClose={() => setDeleting(false)} />}
    </>
  );
}
