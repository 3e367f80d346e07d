import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import {
  checkDestination,
  createDestination,
  deleteDestination,
  updateDestination,
  useDestination,
} from '../../api/destinations';
import { DestinationForm } from '../../api/forms/DestinationForm';
import { keysOf } from '../../api/keys';
import { isNotFound } from '../../api/problem';
import type { Destination } from '../../api/types';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useTitle } from '../../lib/use-title';
import { useOrganizationId, useRoleGate } from '../../session/organization-context';
import { TableBones } from '../../ui/Bone';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ErrorNotice } from '../../ui/ErrorNotice';
import { icon } from '../../ui/icon';
import { Notice } from '../../ui/Notice';
import { Page, PageHeader } from '../../ui/Page';
import { ProviderMark } from '../../ui/ProviderMark';
import { Status } from '../../ui/Status';
import { toast } from '../../ui/toast';
import { destinationTable } from './destination-state';

function NewDestinationPage() {
  useTitle('Add destination');
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const closedBecause = useRoleGate('manageApps');
  return (
    <Page width="form">
      <PageHeader
        title="Add PostgreSQL"
        parent={{ label: 'Destinations', to: paths.destinations(organizationId) }}
        mark={<ProviderMark provider="postgresql" size="lg" />}
      />
      <DestinationForm
        organizationId={organizationId}
        saved={null}
        onSubmit={async (input) => {
          const destination = await createDestination(organizationId, { provider: 'postgresql', ...input });
          await mutate(keysOf(organizationId, 'destinations', 'apps'));
          toast.done(`${destination.name} is ready`);
          void navigate(paths.destination(organizationId, destination.id));
        }}
        footer={(submit) => (
          <Button mt={20} disabled={closedBecause !== null} onClick={submit}>
            Add destination
          </Button>
        )}
      />
    </Page>
  );
}

function Actions({ destination }: { destination: Destination }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const closedBecause = useRoleGate('manageApps');
  const [isOpen, setOpen] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const reason = closedBecause ?? (destination.usedBy > 0 ? `Used by ${plural(destination.usedBy, 'connection')}` : null);
  const check = async () => {
    setChecking(true);
    await checkDestination(organizationId, destination.id).catch(toast.failed);
    await mutate(keysOf(organizationId, 'destination', 'destinations'));
    setChecking(false);
  };
  return (
    <>
      {reason && <span className="label">{reason}</span>}
      <Button
        variant="default"
        leftSection={<IconPlugConnected {...icon} />}
        loading={isChecking}
        disabled={closedBecause !== null}
        onClick={() => void check()}
      >
        Check now
      </Button>
      <Button variant="default" disabled={reason !== null} onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Delete ${destination.name}?`}
        stops={['Loading into it; its password is erased']}
        stays={['Every table and row in the database']}
        confirmLabel="Delete destination"
        onConfirm={async () => {
          await deleteDestination(organizationId, destination.id);
          await mutate(keysOf(organizationId, 'destinations', 'apps'));
          toast.done(`${destination.name} deleted`);
          void navigate(paths.destinations(organizationId));
        }}
      />
    </>
  );
}

function SavedDestination({ destination }: { destination: Destination }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const closedBecause = useRoleGate('manageApps');
  const state = destinationTable[destination.state];
  return (
    <>
      <PageHeader
        title={destination.name}
        parent={{ label: 'Destinations', to: paths.destinations(organizationId) }}
        mark={<ProviderMark provider={destination.provider} size="lg" />}
        status={
          <Status icon={state.icon} tone={state.tone}>
            {state.word}
          </Status>
        }
        actions={<Actions destination={destination} />}
      />
      {destination.failure && (
        <div style={{ marginBottom: 24 }}>
          <Notice tone="danger" title={destination.failure.message}>
            {destination.failure.action}
          </Notice>
        </div>
      )}
      <DestinationForm
        key={`${destination.version}-${destination.lastCheck?.at}`}
        organizationId={organizationId}
        saved={destination}
        onSubmit={async ({ name, settings, credentials }) => {
          const hasNewPassword = Object.keys(credentials).length > 0;
          await updateDestination(organizationId, destination.id, {
            name,
            settings,
            credentials: hasNewPassword ? credentials : undefined,
            version: destination.version,
          });
          await mutate(keysOf(organizationId, 'destination', 'destinations'));
          toast.done('Destination saved');
        }}
        footer={(submit, isDirty) => (
          <Button mt={20} disabled={closedBecause !== null || !isDirty} onClick={submit}>
            Save destination
          </Button>
        )}
      />
    </>
  );
}

export default function DestinationPage() {
  const { id = '' } = useParams();
  return id === 'new' ? <NewDestinationPage /> : <DestinationById id={id} />;
}

function DestinationById({ id }: { id: string }) {
  const organizationId = useOrganizationId();
  const { data: destination, error, mutate } = useDestination(organizationId, id);
  useTitle(destination?.name ?? 'Destination');
  if (isNotFound(error) && !destination) throw error;
  return (
    <Page width="form">
      {error !== undefined && (
        <ErrorNotice error={error} title="The destination could not be fetched" onRetry={() => void mutate()} />
      )}
      {!destination && error === undefined && <TableBones label="Loading the destination" rows={5} widths={['50%', '20%']} />}
      {destination && <SavedDestination destination={destination} />}
    </Page>
  );
}
