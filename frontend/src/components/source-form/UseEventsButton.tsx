import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keysOf } from '~/api/http/keys';
import { createSource } from '~/api/sources';
import type { App } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { isCustomApp } from '~/domain/accounts/providers';
import { writeFlowState, type FlowState } from '~/domain/navigation/flow-state';
import { afterSource } from '~/domain/navigation/flow-steps';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { GatedButton } from '~/ui/inputs/GatedButton';

/** Custom apps that receive events. */
export const withPushKey = (apps: App[]): App[] =>
  apps.filter(({ provider, state }) => isCustomApp(provider) && state === 'connected');

/** Creates the source of a custom app, which has nothing to choose, and continues with the next step. */
export function UseEventsButton({ app, from }: { app: App; from: FlowState['storedFrom'] }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('sources.write');
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const create = async () => {
    const source = await createSource(organizationId, { appId: app.id, name: app.displayName, accountIds: [app.id] });
    await mutate(keysOf(organizationId, 'sources', 'apps', 'app'));
    writeFlowState({ storedFrom: from, storedType: app.provider, sourceKey: source.id });
    void navigate(afterSource(organizationId, from, source));
  };
  return (
    <span>
      <GatedButton
        align="end"
        variant="default"
        loading={isBusy}
        disabledReason={disabledReason}
        onClick={() => void run(create)}
      >
        Use events of {app.displayName}
      </GatedButton>
      {error !== null && <ErrorText error={error} />}
    </span>
  );
}
