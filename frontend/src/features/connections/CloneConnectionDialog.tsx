import { Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import { useDestinations } from '~/api/destinations';
import type { Connection } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { FormDialog } from '~/ui/layout/FormDialog';
import styles from './CloneConnectionDialog.module.css';

/** Asks for the name and the destination of a copy. Another destination has other tables. */
export function CloneConnectionDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { clone } = useConnectionActions(organizationId);
  const { data } = useDestinations(organizationId);
  const [name, setName] = useState(`Copy of ${connection.name}`.slice(0, 120));
  const [destinationId, setDestinationId] = useState(connection.destination.id);
  const { run, isBusy, error } = useAction();
  const listed = (data?.items ?? []).map(({ id, name: label, target }) => ({ value: id, label: `${label} (${target})` }));
  const own = { value: connection.destination.id, label: `${connection.destination.name} (${connection.destination.target})` };
  const isSame = destinationId === connection.destination.id;
  const submit = async () => {
    const copied = await run(async () => {
      const copy = await clone(connection.id, { name: name.trim(), destinationId });
      toast.done(`${copy.name} created, paused`);
      void navigate(paths.connection(organizationId, copy.id, { tab: 'settings' }));
    });
    if (copied) onClose();
  };
  return (
    <FormDialog opened onClose={onClose} title={`Clone ${connection.name}`}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextInput label="Name" value={name} maxLength={120} onChange={(event) => setName(event.currentTarget.value)} />
        <Select
          label="Destination"
          data={listed.some(({ value }) => value === own.value) ? listed : [own, ...listed]}
          value={destinationId}
          allowDeselect={false}
          onChange={(id) => id && setDestinationId(id)}
        />
        <p className="label">
          {isSame
            ? 'Writes the same tables as the original. A destination with another table prefix has other tables.'
            : 'Writes the tables of this destination.'}{' '}
          The copy has the same settings and is paused.
        </p>
        {error !== null && <ErrorText error={error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
            Clone connection
          </Button>
        </Group>
      </form>
    </FormDialog>
  );
}
