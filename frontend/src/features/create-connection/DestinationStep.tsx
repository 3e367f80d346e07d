import { useState } from 'react';
import { useDestinations } from '../../api/destinations';
import type { Destination } from '../../api/types';
import { useOrganizationId, useRoleGate } from '../../session/organization-context';
import { TableBones } from '../../ui/Bone';
import { ChoiceList } from '../../ui/ChoiceList';
import { ErrorNotice } from '../../ui/ErrorNotice';
import { Section } from '../../ui/Page';
import { ProviderMark } from '../../ui/ProviderMark';
import { NewDestination } from './NewDestination';
import type { StepProps } from './step-props';
import { WizardFooter } from './WizardFooter';

const NEW = 'new';

const stateWords: Record<Destination['state'], string> = {
  ready: 'Ready',
  needs_reauth: 'Password refused',
  unreachable: 'Unreachable',
  permission_denied: 'Permission missing',
  disabled: 'Switched off',
};

export function DestinationStep({ draft, onChange, onGo }: StepProps) {
  const organizationId = useOrganizationId();
  const closedBecause = useRoleGate('manageApps');
  const { data, error, mutate } = useDestinations(organizationId);
  const items = data?.items ?? [];
  const known = items.find(({ id }) => id === draft.destinationId);
  const [isNew, setNew] = useState(false);
  const showsForm = data !== undefined && closedBecause === null && (isNew || items.length === 0);
  const created = async (destination: Destination) => {
    await mutate();
    onChange({ destinationId: destination.id });
    onGo('configure');
  };
  if (error !== undefined && !data)
    return <ErrorNotice error={error} title="Destinations could not be fetched" onRetry={() => void mutate()} />;
  return (
    <>
      {!data && <TableBones label="Loading destinations" rows={3} widths={[20, '60%', 120]} />}
      {data && items.length > 0 && (
        <Section title="Destination" aside="Where the rows go">
          <ChoiceList
            label="Destination"
            name="destination"
            value={isNew ? NEW : (known?.id ?? null)}
            onChange={(id) => {
              setNew(id === NEW);
              if (id !== NEW) onChange({ destinationId: id });
            }}
            choices={[
              ...items.map((destination) => ({
                id: destination.id,
                mark: <ProviderMark provider={destination.provider} />,
                title: destination.name,
                detail: `${destination.settings.user}@${destination.settings.host}:${destination.settings.port}/${destination.settings.database}, schema ${destination.settings.schema}`,
                aside: stateWords[destination.state],
                isClosed: destination.state === 'disabled',
              })),
              {
                id: NEW,
                mark: <ProviderMark provider="postgresql" />,
                title: 'A new PostgreSQL',
                detail: closedBecause ?? 'Give its address and a user that may create tables',
                isClosed: closedBecause !== null,
              },
            ]}
          />
        </Section>
      )}
      {data && items.length === 0 && closedBecause !== null && <p className="quiet">No destination yet. {closedBecause}.</p>}
      {showsForm && <NewDestination savedAt={draft.savedAt} onBack={() => onGo('source')} onCreated={created} />}
      {!showsForm && (
        <WizardFooter
          savedAt={draft.savedAt}
          onBack={() => onGo('source')}
          onNext={() => onGo('configure')}
          nextLabel="Configure"
          closedBecause={known ? null : 'Choose a destination'}
        />
      )}
    </>
  );
}
