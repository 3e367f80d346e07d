import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { useCatalog } from '~/api/apps';
import { updateConnection } from '~/api/connections/connections';
import { toLeftOutBody } from '~/components/stream-table/excluded-columns';
import type { ExcludedColumns } from '~/components/stream-table/excluded-columns';
import { keysAboutConnection } from '~/api/http/keys';
import type { Connection, Schedule } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { ErrorText } from '~/components/feedback/ErrorNotice';
import { LookbackField } from '~/components/schedule/LookbackField';
import { scheduleError, ScheduleFields } from '~/components/schedule/ScheduleFields';
import { SettingRow } from '~/ui/layout/SettingRow';
import { toast } from '~/components/feedback/toast';
import { ActiveSwitch } from '~/features/connections/ActiveSwitch';
import { DeleteConnectionDialog } from '~/features/connections/DeleteConnectionDialog';
import styles from './SettingsTab.module.css';
import { StreamSettings } from './StreamSettings';

interface Values {
  name: string;
  schedule: Schedule;
  lookbackDays: number | null;
  streams: string[];
  leftOut: ExcludedColumns;
}

/** The connector's explanation of the automatic lookback window. */
function useLookbackReason({ source, streams }: Connection): string | null {
  const { data } = useCatalog();
  const selected = streams.filter((stream) => stream.isSelected).map((stream) => stream.name);
  const connector = data?.connectors.find(({ provider }) => provider === source.provider);
  return connector?.streams.find((stream) => selected.includes(stream.name))?.lookbackReason ?? null;
}

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

/** The fields of the tab, and a function that saves them. */
function useSettings(connection: Connection) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction();
  const offered = connection.streams.map(({ name }) => name);
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: {
      name: connection.name,
      schedule: connection.schedule,
      lookbackDays: connection.lookbackDays,
      streams: connection.streams.filter(({ isSelected }) => isSelected).map(({ name }) => name),
      leftOut: Object.fromEntries(connection.streams.map(({ name, leftOut }) => [name, leftOut])),
    },
    validate: {
      name: (value) => (value.trim() === '' ? 'Enter a name' : null),
      schedule: scheduleError,
      streams: (value) => (value.length === 0 ? 'Select at least one stream' : null),
    },
  });
  const save = async (values: Values) => {
    await updateConnection(organizationId, connection.id, {
      ...values,
      name: values.name.trim(),
      leftOut: toLeftOutBody(values.leftOut, offered),
      version: connection.version,
    });
    await mutate(keysAboutConnection(organizationId, connection.id));
    form.resetDirty(values);
    toast.done('Settings saved');
  };
  return { form, onSubmit: form.onSubmit((values) => void run(() => save(values))), isBusy, error };
}

interface FieldsProps {
  connection: Connection;
  form: ReturnType<typeof useSettings>['form'];
  isLocked: boolean;
}

function Fields({ connection, form, isLocked }: FieldsProps) {
  const lookbackReason = useLookbackReason(connection);
  return (
    <>
      <SettingRow title="Name">
        <TextInput aria-label="Name" disabled={isLocked} {...form.getInputProps('name')} />
      </SettingRow>
      <SettingRow
        title="Streams"
        hint="A new stream loads its full history. A new field is filled from the days that are read again."
      >
        <StreamSettings
          connection={connection}
          chosen={form.values.streams}
          leftOut={form.values.leftOut}
          onChange={(streams) => form.setFieldValue('streams', streams)}
          onLeaveOut={(leftOut) => form.setFieldValue('leftOut', leftOut)}
          isLocked={isLocked}
        />
        {form.errors.streams && <p role="alert">{form.errors.streams}</p>}
      </SettingRow>
      <SettingRow title="Schedule" hint="Runs never overlap. A delayed run also loads the days that were missed.">
        <ScheduleFields
          schedule={form.values.schedule}
          isLocked={isLocked}
          onChange={(schedule) => form.setFieldValue('schedule', schedule)}
        />
      </SettingRow>
      <SettingRow
        title="Lookback window"
        hint="Days that are read again once a day, because ad platforms restate them. Every run reads the last 3 days."
      >
        <LookbackField
          lookbackDays={form.values.lookbackDays}
          automaticDays={null}
          reason={lookbackReason}
          isLocked={isLocked}
          onChange={(days) => form.setFieldValue('lookbackDays', days)}
        />
      </SettingRow>
    </>
  );
}

export function SettingsTab({ connection }: { connection: Connection }) {
  const disabledReason = usePermissionGate('connections.write');
  const isLocked = disabledReason !== null;
  const { form, onSubmit, isBusy, error } = useSettings(connection);
  return (
    <form onSubmit={onSubmit} className={styles.form} noValidate>
      {error !== null && <ErrorText error={error} />}
      <Fields connection={connection} form={form} isLocked={isLocked} />
      <div className={styles.save}>
        <Button type="submit" loading={isBusy} disabled={isLocked || !form.isDirty()}>
          Save settings
        </Button>
        {disabledReason && <span className="label">{disabledReason}</span>}
      </div>
      <SettingRow title="Pause" hint="No runs while paused. Nothing is deleted. Missed days load after you resume.">
        <span className={styles.pause}>
          <ActiveSwitch connection={connection} /> {connection.desired === 'active' ? 'Enabled' : 'Paused'}
        </span>
      </SettingRow>
      <Removal connection={connection} isLocked={isLocked} />
    </form>
  );
}
