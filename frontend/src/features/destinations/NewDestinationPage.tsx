import { Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { createDestination } from '~/api/destinations';
import { DestinationForm } from '~/components/destination-form/DestinationForm';
import { keysOf } from '~/api/http/keys';
import type { Destination } from '~/api/types';
import { afterDestination } from '~/domain/navigation/flow-steps';
import { readFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { isDestination, providerWords } from '~/domain/accounts/providers';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { FieldProblems } from '~/ui/feedback/FieldProblems';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { Page, PageHeader } from '~/ui/layout/Page';
import { ProviderMark } from '~/components/status/ProviderMark';
import { toast } from '~/components/feedback/toast';

const toProvider = (text: string | null): Destination['provider'] | null =>
  text !== null && isDestination(text) ? (text as Destination['provider']) : null;

function NewDestination({ provider, appId }: { provider: Destination['provider']; appId: string | null }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const disabledReason = usePermissionGate('destinations.write');
  const { name } = providerWords(provider);
  useTitle(`Add ${name}`);
  const { storedFrom } = readFlowState();
  return (
    <Page width="form">
      <PageHeader
        title={`Add ${name}`}
        parent={{ label: 'Destinations', to: paths.destinations(organizationId) }}
        mark={<ProviderMark provider={provider} size="lg" />}
      />
      <DestinationForm
        organizationId={organizationId}
        provider={provider}
        saved={null}
        appId={appId}
        from={storedFrom ?? 'app'}
        disabledReason={disabledReason}
        onSubmit={async (input, endGuard) => {
          const destination = await createDestination(organizationId, { provider, ...input });
          await mutate(keysOf(organizationId, 'destinations', 'apps'));
          toast.done(`${destination.name} is ready`);
          endGuard();
          void navigate(afterDestination(organizationId, storedFrom, destination.id));
        }}
        footer={({ testButton, submit, running, waitsFor, problems }) => (
          <>
            {testButton}
            <GatedButton
              disabledReason={disabledReason}
              waitsFor={waitsFor}
              loading={running === 'save'}
              isDisabled={running === 'test'}
              onClick={submit}
            >
              Add destination
            </GatedButton>
            <FieldProblems problems={problems} />
          </>
        )}
      />
    </Page>
  );
}

/** `/destination/new/configuration?provider=…`. Without a provider it redirects to the picker. */
export function NewDestinationPage() {
  const [parameters] = useSearchParams();
  const provider = toProvider(parameters.get('provider'));
  if (provider === null) return <Navigate to={paths.addDestination()} replace />;
  return <NewDestination key={provider} provider={provider} appId={parameters.get('app')} />;
}
