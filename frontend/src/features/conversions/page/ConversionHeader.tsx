import { useState } from 'react';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { FlowHeader } from '~/components/flow/FlowHeader';
import { RunButton } from '~/components/flow/RunButton';
import { providerName, RouteMarks, RouteText } from '~/components/status/ProviderMark';
import { HealthStatus } from '~/components/status/Status';
import { healthOf } from '~/domain/conversions/conversion-state';
import { paths } from '~/domain/navigation/paths';
import { ActiveSwitch } from '~/features/conversions/ActiveSwitch';
import { DeleteConversionDialog } from '~/features/conversions/DeleteConversionDialog';
import { useRunGate } from '~/features/conversions/use-run-gate';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { SendTestDialog, SendTestItem, useSendTest } from './SendTest';

export function ConversionHeader({ conversion }: { conversion: Conversion }) {
  const organizationId = useOrganizationId();
  const { run } = useConversionActions(organizationId);
  const sendTest = useSendTest(conversion);
  const [isTesting, setTesting] = useState(false);
  const startTest = () => {
    setTesting(true);
    sendTest.send();
  };
  const { id, name, source, target, desired } = conversion;
  return (
    <>
      <FlowHeader
        title={name}
        kind="conversion"
        parent={{ label: 'Conversions', to: paths.conversions(organizationId) }}
        status={<HealthStatus health={healthOf(conversion)} />}
        subtitle={
          <>
            <RouteMarks from={source.provider} to={target.provider} />
            <RouteText from={source.name} to={`${providerName(target.provider)}, ${target.name}`} />
          </>
        }
        isActive={desired === 'active'}
        activeSwitch={<ActiveSwitch conversion={conversion} />}
        runButton={<RunButton disabledReason={useRunGate(conversion)} onRun={() => run(id)} />}
        lockedReason={usePermissionGate('conversions.write')}
        menuItems={<SendTestItem onClick={startTest} />}
        deleteDialog={(close, onDeleted) => (
          <DeleteConversionDialog conversion={conversion} onClose={close} onDeleted={onDeleted} />
        )}
      />
      {isTesting && <SendTestDialog {...sendTest} conversion={conversion} onClose={() => setTesting(false)} />}
    </>
  );
}
