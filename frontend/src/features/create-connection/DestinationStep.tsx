import { useCatalog } from '~/api/catalog';
import { useDestinations } from '~/api/destinations';
import type { Connector, Destination } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ChoiceList } from '~/ui/inputs/ChoiceList';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { Section } from '~/ui/layout/Page';
import { ProviderMark } from '~/components/status/ProviderMark';
import { WizardFooter } from '~/ui/layout/WizardFooter';
import { NewDestination } from './NewDestination';
import type { StepProps } from './step-props';

const stateWords: Record<Destination['state'], string> = {
  ready: 'Ready',
  needs_reauth: 'Reconnect needed',
  unreachable: 'Unreachable',
  permission_denied: 'Permission missing',
  disabled: 'Disabled',
};

const toChoice = (destination: Destination) => ({
  id: destination.id,
  mark: <ProviderMark provider={destination.provider} />,
  title: destination.name,
  detail: `${destination.target}, by ${destination.appName}`,
  aside: stateWords[destination.state],
  isClosed: destination.state === 'disabled',
});

/** A new destination is identified by its provider. No destination has such an ID. */
const toNewChoice = (disabledReason: string | null) => (connector: Connector) => ({
  id: connector.provider,
  mark: <ProviderMark provider={connector.provider} />,
  title: `New ${connector.name} destination`,
  detail: disabledReason ?? connector.description,
  isClosed: disabledReason !== null,
});

export function DestinationStep({ draft, onChange, onGo }: StepProps) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('destinations.write');
  const { data, error, mutate } = useDestinations(organizationId);
  const { data: catalog } = useCatalog();
  const kinds = (catalog?.connectors ?? []).filter(
    ({ roles, credentials }) => roles.includes('destination') && credentials.length > 0,
  );
  const items = data?.items ?? [];
  const known = items.find(({ id }) => id === draft.destinationId);
  const kind = disabledReason === null ? kinds.find(({ provider }) => provider === draft.newProvider) : undefined;
  const choose = (id: string) => {
    const isNew = kinds.some(({ provider }) => provider === id);
    onChange(isNew ? { newProvider: id } : { newProvider: null, destinationId: id });
  };
  const created = async (destination: Destination) => {
    await mutate();
    onChange({ destinationId: destination.id, newProvider: null, newDestinations: {} });
    onGo('configure');
  };
  if (error !== undefined && !data)
    return <ErrorNotice error={error} title="Couldn’t load destinations" onRetry={() => void mutate()} />;
  return (
    <>
      {(!data || !catalog) && <TableSkeleton label="Loading destinations" rows={3} widths={[20, '60%', 120]} />}
      {data && catalog && (
        <Section title="Destination" aside="Where rows are written">
          <ChoiceList
            label="Destination"
            name="destination"
            value={kind?.provider ?? known?.id ?? null}
            onChange={choose}
            onConfirm={known && !kind ? () => onGo('configure') : undefined}
            choices={[...items.map(toChoice), ...kinds.map(toNewChoice(disabledReason))]}
          />
        </Section>
      )}
      {kind ? (
        <NewDestination
          key={kind.provider}
          provider={kind.provider as Destination['provider']}
          savedAt={draft.savedAt}
          start={draft.newDestinations[kind.provider] ?? null}
          onTyped={(input) => onChange({ newDestinations: { ...draft.newDestinations, [kind.provider]: input } })}
          onBack={() => onGo('source')}
          onCreated={created}
        />
      ) : (
        <WizardFooter
          savedAt={draft.savedAt}
          onBack={() => onGo('source')}
          onNext={() => onGo('configure')}
          nextLabel="Configure"
          disabledReason={known ? null : 'Select a destination'}
        />
      )}
    </>
  );
}
