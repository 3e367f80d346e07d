import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Connection } from '~/api/types';
import { BadgeSetting } from '~/components/badge/BadgeSetting';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { paths } from '~/domain/navigation/paths';
import { ActiveSwitch } from '~/features/connections/ActiveSwitch';
import { DeleteConnectionDialog } from '~/features/connections/DeleteConnectionDialog';
import { focusField } from '~/lib/focus-field';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { SaveButton } from '~/ui/inputs/SaveButton';
import { SettingRow } from '~/ui/layout/SettingRow';
import { SettingsFields } from './SettingsFields';
import styles from './SettingsTab.module.css';
import { useSettings } from './use-settings';
import type { Settings } from './use-settings';

function Removal({ connection, isLocked }: { connection: Connection; isLocked: boolean }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <SettingRow title="Delete" hint="Loaded rows stay in the destination.">
      <Button
        variant="default"
        c={isLocked ? undefined : 'var(--t-danger)'}
        disabled={isLocked}
        onClick={() => setDeleting(true)}
      >
        Delete connection
      </Button>
      {isDeleting && (
        <DeleteConnectionDialog
          connection={connection}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(paths.connections(organizationId))}
        />
      )}
    </SettingRow>
  );
}

function whyNotSaved({ conflict, isSame }: Settings): string | null {
  if (conflict.isOpen) return 'Choose a version first';
  return isSame ? 'No changes' : null;
}

/** The button and what prevented the last save. It stays in view, because the page is longer than the window. */
function SaveBar({ form, disabledReason }: { form: Settings; disabledReason: string | null }) {
  const { conflict, failure, isBusy, problems } = form;
  return (
    <div className={styles.save}>
      {conflict.isOpen && (
        <ConflictNotice what="this connection" onTakeTheirs={conflict.takeTheirs} onKeepMine={conflict.keepMine} />
      )}
      {failure !== null && <ErrorText error={failure} />}
      <SaveButton
        type="submit"
        problems={conflict.isOpen ? [] : problems}
        disabledReason={disabledReason}
        waitsFor={whyNotSaved(form)}
        loading={isBusy}
      >
        Save settings
      </SaveButton>
    </div>
  );
}

export function SettingsTab({ connection }: { connection: Connection }) {
  const disabledReason = usePermissionGate('connections.write');
  const isLocked = disabledReason !== null;
  const form = useSettings(connection);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const [problem] = form.problems;
        if (isLocked || whyNotSaved(form) !== null) return;
        if (problem) focusField(problem);
        else form.save();
      }}
    >
      <SettingsFields connection={connection} form={form} isLocked={isLocked} />
      <SaveBar form={form} disabledReason={disabledReason} />
      <SettingRow title="Pause" hint="No runs while paused. Nothing is deleted. Missed days load after you resume.">
        <span className={styles.pause}>
          <ActiveSwitch connection={connection} /> {connection.desired === 'active' ? 'Enabled' : 'Paused'}
        </span>
      </SettingRow>
      <BadgeSetting connectionId={connection.id} name={connection.name} />
      <Removal connection={connection} isLocked={isLocked} />
    </form>
  );
}
