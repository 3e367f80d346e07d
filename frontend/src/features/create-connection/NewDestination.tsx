import { useState } from 'react';
import { createDestination } from '../../api/destinations';
import { DestinationForm } from '../../api/forms/DestinationForm';
import type { Destination } from '../../api/types';
import { useOrganizationId } from '../../session/organization-context';
import { Section } from '../../ui/Page';
import { toast } from '../../ui/toast';
import { WizardFooter } from './WizardFooter';

interface NewDestinationProps {
  savedAt: string | null;
  onBack: () => void;
  onCreated: (destination: Destination) => Promise<void>;
}

export function NewDestination({ savedAt, onBack, onCreated }: NewDestinationProps) {
  const organizationId = useOrganizationId();
  const [isBusy, setBusy] = useState(false);
  return (
    <Section title="New PostgreSQL">
      <DestinationForm
        organizationId={organizationId}
        saved={null}
        onSubmit={async (input) => {
          setBusy(true);
          try {
            const destination = await createDestination(organizationId, { provider: 'postgresql', ...input });
            toast.done(`${destination.name} is ready`);
            await onCreated(destination);
          } finally {
            setBusy(false);
          }
        }}
        footer={(submit) => (
          <WizardFooter savedAt={savedAt} onBack={onBack} onNext={submit} nextLabel="Check and go on" isBusy={isBusy} />
        )}
      />
    </Section>
  );
}
