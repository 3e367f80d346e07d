import { useSWRConfig } from 'swr';
import { forgetEstimates } from '~/api/connections/estimates';
import { keysOf } from '~/api/http/keys';
import { updateSource } from '~/api/sources';
import type { Source, SourceSettings } from '~/api/types';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { toast } from '~/components/feedback/toast';
import { fieldError, fieldsOf, initialValues, toPayload } from '~/domain/destinations/json-schema';
import type { FieldValues, SchemaField } from '~/domain/destinations/json-schema';

export interface SourceForm {
  name: string;
  accountIds: string[];
  settings: Pick<SourceSettings, 'level' | 'breakdowns' | 'lookbackDays'>;
  options: FieldValues;
}

const startOf = (source: Source, fields: SchemaField[]): SourceForm => ({
  name: source.name,
  accountIds: source.accounts.map(({ externalId }) => externalId),
  settings: source.settings,
  options: initialValues(fields, source.settings.options),
});

/** Payload of the form. Forms with equal payloads are equal. */
const payloadOf = ({ name, accountIds, settings, options }: SourceForm, fields: SchemaField[]) => ({
  name: name.trim(),
  accountIds: accountIds.toSorted(),
  settings: {
    level: settings.level,
    breakdowns: settings.breakdowns.toSorted(),
    lookbackDays: settings.lookbackDays,
    options: toPayload(fields, options),
  },
});

/** State, validation and saving of the source form. */
export function useSourceForm(organizationId: string, source: Source, schema: object | null) {
  const { mutate } = useSWRConfig();
  const fields = fieldsOf(schema);
  const versioned = useVersionedForm({
    latest: source,
    valuesOf: (item) => startOf(item, fields),
    textOf: (values) => JSON.stringify(payloadOf(values, fields)),
    refresh: async () => {
      await forgetEstimates(mutate, organizationId);
      await mutate(keysOf(organizationId, 'source', 'sources', 'sourceWindows', 'connections', 'connection'));
    },
  });
  const { values: form, change, conflict, isBusy, isSame, failure } = versioned;
  const errors = Object.fromEntries(fields.map((field) => [field.name, fieldError(field, form.options[field.name] ?? '')]));
  const disabledReason =
    form.name.trim() === ''
      ? 'Enter a name'
      : form.accountIds.length === 0
        ? 'Select an account'
        : Object.values(errors).some((error) => error !== null)
          ? 'Fix the marked option'
          : null;
  const store = (version: number) => updateSource(organizationId, source.id, { ...payloadOf(form, fields), version });
  /** Returns whether the source was saved. `failure` contains the error. */
  const save = async (): Promise<boolean> => {
    const isSaved = await versioned.run(() => versioned.save(store));
    if (isSaved) toast.done('Source saved, applies from the next run');
    return isSaved;
  };
  return { form, change, fields, errors, failure, conflict, isBusy, isSame, disabledReason, save };
}
