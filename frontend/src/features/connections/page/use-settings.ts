import { useSWRConfig } from 'swr';
import { updateConnection } from '~/api/connections/connections';
import { keysAboutConnection } from '~/api/http/keys';
import type { Connection, FreshnessTarget, Schedule } from '~/api/types';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { toast } from '~/components/feedback/toast';
import { scheduleError } from '~/components/schedule/ScheduleFields';
import { toLeftOutBody } from '~/components/stream-table/excluded-columns';
import type { ExcludedColumns } from '~/components/stream-table/excluded-columns';
import type { EmptyPolicy, SchemaPolicy } from '~/domain/connections/policies';
import type { FieldProblem } from '~/lib/focus-field';
import { useOrganizationId } from '~/session/organization-context';

export interface SettingsValues {
  name: string;
  schedule: Schedule;
  lookbackDays: number | null;
  freshnessTarget: FreshnessTarget | null;
  streams: string[];
  leftOut: ExcludedColumns;
  schemaPolicy: SchemaPolicy;
  emptyPolicy: EmptyPolicy;
  tags: string[];
}

const valuesOf = (connection: Connection): SettingsValues => ({
  name: connection.name,
  schedule: connection.schedule,
  lookbackDays: connection.lookbackDays,
  freshnessTarget: connection.freshnessTarget,
  streams: connection.streams.filter(({ isSelected }) => isSelected).map(({ name }) => name),
  leftOut: Object.fromEntries(connection.streams.map(({ name, leftOut }) => [name, leftOut])),
  schemaPolicy: connection.schemaPolicy,
  emptyPolicy: connection.emptyPolicy,
  tags: connection.tags,
});

function problemsOf({ name, schedule, streams }: SettingsValues): FieldProblem[] {
  const fields = [
    { field: 'name', label: 'Name', isWrong: name.trim() === '' },
    { field: 'streams', label: 'Streams', isWrong: streams.length === 0 },
    { field: 'schedule', label: 'Schedule', isWrong: scheduleError(schedule) !== null },
  ];
  return fields.filter(({ isWrong }) => isWrong);
}

/** The settings of a connection. They are saved as a whole. */
export function useSettings(connection: Connection) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const offered = connection.streams.map(({ name }) => name);
  const form = useVersionedForm({
    latest: connection,
    valuesOf,
    refresh: () => mutate(keysAboutConnection(organizationId, connection.id)),
  });
  const { values } = form;
  const save = async () => {
    const body = { ...values, name: values.name.trim(), leftOut: toLeftOutBody(values.leftOut, offered) };
    await form.save((version) => updateConnection(organizationId, connection.id, { ...body, version }));
    toast.done('Settings saved');
  };
  return { ...form, problems: problemsOf(values), save: () => void form.run(save) };
}

export type Settings = ReturnType<typeof useSettings>;
