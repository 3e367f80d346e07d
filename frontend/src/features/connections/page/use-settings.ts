import { useState } from 'react';
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
import { focusWhenRendered, watchFocus } from '~/lib/focus-field';
import type { FieldProblem } from '~/lib/focus-field';
import { useOrganizationId } from '~/session/organization-context';
import { messagesOf, rejectionOf } from './rejected-values';
import type { Rejection } from './rejected-values';

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

type Rejected = Rejection<SettingsValues>['messages'];

/** The fields that need attention, in the order of the form. */
function problemsOf({ name, schedule, streams }: SettingsValues, rejected: Rejected): FieldProblem[] {
  const fields = [
    { field: 'name', label: 'Name', isWrong: name.trim() === '' },
    { field: 'tags', label: 'Tags', isWrong: false },
    { field: 'streams', label: 'Streams', isWrong: streams.length === 0 || rejected.leftOut !== undefined },
    { field: 'schedule', label: 'Schedule', isWrong: scheduleError(schedule) !== null },
    { field: 'lookbackDays', label: 'Lookback window', isWrong: false },
    { field: 'freshnessTarget', label: 'Freshness target', isWrong: false },
    { field: 'schemaPolicy', label: 'Schema changes', isWrong: false },
    { field: 'emptyPolicy', label: 'Days without rows', isWrong: false },
  ];
  return fields.filter(({ field, isWrong }) => isWrong || field in rejected);
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
  const [rejection, setRejection] = useState<Rejection<SettingsValues> | null>(null);
  const rejected = rejection ? messagesOf(rejection, values) : {};
  const reject = (error: unknown, isWaiting: boolean) => {
    const next = rejectionOf(error, values);
    const [first] = problemsOf(values, next.messages);
    setRejection(next);
    if (first && isWaiting) focusWhenRendered(first);
  };
  const save = async () => {
    const isWaiting = watchFocus();
    const body = { ...values, name: values.name.trim(), leftOut: toLeftOutBody(values.leftOut, offered) };
    try {
      await form.save((version) => updateConnection(organizationId, connection.id, { ...body, version }));
    } catch (error) {
      reject(error, isWaiting());
      throw error;
    }
    toast.done('Settings saved');
  };
  return { ...form, rejected, problems: problemsOf(values, rejected), save: () => void form.run(save) };
}

export type Settings = ReturnType<typeof useSettings>;
