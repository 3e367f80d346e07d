import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { updateApp } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import type { App } from '~/api/types';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { ErrorText } from '~/components/feedback/ErrorText';
import { FormDialog } from '~/ui/layout/FormDialog';
import styles from './AppPage.module.css';

export function RenameDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const [name, setName] = useState(app.displayName);
  const { run, isBusy, error } = useAction();
  const save = async () => {
    await updateApp(organizationId, app.id, { displayName: name.trim(), version: app.version });
    await mutate(keysOf(organizationId, 'app', 'apps', 'appHistory', 'source', 'sources'));
    onClose();
  };
  return (
    <FormDialog opened onClose={onClose} title="Rename app">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void run(save);
        }}
      >
        {error !== null && <ErrorText error={error} />}
        <TextInput
          label="Name"
          value={name}
          maxLength={120}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} disabled={name.trim() === ''} className={styles.end}>
          Save name
        </Button>
      </form>
    </FormDialog>
  );
}
