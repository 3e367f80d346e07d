import type { NewDestinationInput } from '~/api/connections/connection-draft';
import { createDestination } from '~/api/destinations';
import { DestinationForm } from '~/components/destination-form/DestinationForm';
import type { Destination } from '~/api/types';
import { providerWords } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { Section } from '~/ui/layout/Page';
import { WizardFooter } from '~/ui/layout/WizardFooter';

interface NewDestinationProps {
  provider: Destination['provider'];
  savedAt: string | null;
  /** The input of an earlier visit. */
  start: NewDestinationInput | null;
  onTyped: (input: NewDestinationInput) => void;
  onBack: () => void;
  onCreated: (destination: Destination) => Promise<void>;
}

export function NewDestination({ provider, savedAt, start, onTyped, onBack, onCreated }: NewDestinationProps) {
  const organizationId = useOrganizationId();
  return (
    <Section title={`New ${providerWords(provider).name} destination`}>
      <DestinationForm
        organizationId={organizationId}
        provider={provider}
        saved={null}
        from="connection"
        start={start}
        onTyped={onTyped}
        isDraftSaved
        onSubmit={async (input) => {
          await onCreated(await createDestination(organizationId, { provider, ...input }));
        }}
        footer={({ testButton, submit, running, waitsFor, problems }) => (
          <WizardFooter
            savedAt={savedAt}
            savedNote="without passwords and keys"
            onBack={onBack}
            secondary={testButton}
            onNext={submit}
            nextLabel="Test and continue"
            isBusy={running === 'save'}
            isDisabled={running === 'test'}
            disabledReason={waitsFor}
            problems={problems}
          />
        )}
      />
    </Section>
  );
}
