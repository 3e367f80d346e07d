import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { keysOf } from '~/api/http/keys';
import { isConflict } from '~/api/http/problem';
import { updateSource } from '~/api/sources';
import type { Source, SourceSettings } from '~/api/types';
import { useTypedOver } from '~/lib/use-typed-over';
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

/**
 * State, validation and saving of the source form. It shows the current source until the user edits it. After that, a newer
 * version is a conflict and does not replace the edits.
 */
export function useSourceForm(organizationId: string, source: Source, schema: object | null) {
  const { mutate } = useSWRConfig();
  const fields = fieldsOf(schema);
  const typed = useTypedOver(source);
  const start = startOf(typed.base, fields);
  const [edited, setEdited] = useState<SourceForm | null>(null);
  const form = edited ?? start;
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const payload = payloadOf(form, fields);
  const isSame = JSON.stringify(payload) === JSON.stringify(payloadOf(start, fields));
  const errors = Object.fromEntries(fields.map((field) => [field.name, fieldError(field, form.options[field.name] ?? '')]));
  const disabledReason =
    form.name.trim() === ''
      ? 'Enter a name'
      : form.accountIds.length === 0
        ? 'Select an account'
        : Object.values(errors).some((error) => error !== null)
          ? 'Fix the marked option'
          : null;
  /** Returns whether the source was saved. `failure` contains the error. */
  const save = async (): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      await typed.save((version) => updateSource(organizationId, source.id, { ...payload, version }));
      await mutate(keysOf(organizationId, 'source', 'sources', 'sourceWindows', 'connections', 'connection'));
      setEdited(null);
      toast.done('Source saved, applies from the next run');
      return true;
    } catch (error) {
      if (isConflict(error)) await mutate(keysOf(organizationId, 'source', 'sources'));
      else setFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const change = (part: Partial<SourceForm>) => {
    typed.noteTyping();
    setEdited((before) => ({ ...(before ?? start), ...part }));
  };
  const conflict = {
    isOpen: typed.isConflict && !isSame,
    keepMine: typed.keepMine,
    takeTheirs: () => {
      setEdited(null);
      typed.takeTheirs();
    },
  };
  return { form, change, fields, errors, failure, conflict, isBusy, isSame, disabledReason, save };
}
