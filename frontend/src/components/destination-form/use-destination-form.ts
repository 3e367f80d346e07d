import { useState } from 'react';
import { readKeyFile } from '~/domain/destinations/key-file';
import { fieldsOf, initialValues } from '~/domain/destinations/json-schema';
import type { FieldValues, SchemaField } from '~/domain/destinations/json-schema';
import { checkSettings } from '~/api/destinations';
import { ApiProblem, isConflict } from '~/api/http/problem';
import type { CheckItem, Connector, Destination } from '~/api/types';
import {
  errorsOf,
  isServerChanged,
  KEY_FILE_FIELD,
  reasonToReenter,
  rejectedFields,
  secretFieldsOf,
  toInput,
} from './form-values';
import type { DestinationFormInput, FieldErrors } from './form-values';
import type { AuthMethod } from './auth-methods';

export interface CheckState {
  isRunning: boolean;
  items: CheckItem[] | null;
  failure: unknown;
}

export interface FormStart {
  name: string;
  settings: Record<string, unknown>;
}

export interface DestinationFormOptions {
  organizationId: string;
  connector: Connector;
  /** null for a new destination. A saved secret is kept when its field is empty. */
  saved: Destination | null;
  start: FormStart;
  methods: AuthMethod[];
  /** The initially selected method. */
  initialMethodId: string | null;
  /** The result of the last check of the saved destination. */
  lastItems: CheckItem[] | null;
  /** Checks the saved destination and stores the result. Used while the form has no changes. */
  onCheckSaved: (() => Promise<void>) | null;
  onTyped: () => void;
  onSubmit: (input: DestinationFormInput) => Promise<void>;
}

const withReason = (secrets: SchemaField[], values: FieldValues): SchemaField[] =>
  secrets.map((field) => (field.isSecret ? { ...field, description: reasonToReenter(field, values) } : field));

/** Fills in the project of a key file when the field is empty. */
function withKeyFile(values: FieldValues, text: string): FieldValues {
  const file = readKeyFile(text);
  if ('problem' in file || file.projectId === null || values.projectId !== '') return values;
  return { ...values, projectId: file.projectId };
}

/** Runs a check or a save and keeps its result. Without a result of this page, the saved result is shown. */
function useCheck(saved: CheckItem[] | null, onRejected: (error: unknown) => void) {
  const [own, setCheck] = useState<CheckState | null>(null);
  const check = own ?? { isRunning: false, items: saved, failure: null };
  const attempt = async (act: () => Promise<CheckItem[] | null>) => {
    setCheck({ isRunning: true, items: null, failure: null });
    try {
      const items = await act();
      setCheck(items && { isRunning: false, items, failure: null });
    } catch (error) {
      // The conflict notice above the form handles it.
      if (isConflict(error)) return setCheck(null);
      const items = error instanceof ApiProblem && error.checks.length > 0 ? error.checks : null;
      onRejected(error);
      setCheck({ isRunning: false, items, failure: error });
    }
  };
  return { check, attempt };
}

/** The fields of the connector's schemas: values, errors, and whether the saved secrets can be kept. */
function useFields({ connector, saved, start }: DestinationFormOptions, method: AuthMethod | null) {
  const settings = fieldsOf(connector.settingsSchema);
  const secrets = secretFieldsOf(method);
  const [values, setValues] = useState(() => initialValues([...settings, ...secrets], start.settings));
  const [errors, setErrors] = useState<FieldErrors>({});
  const mustReenter = saved !== null && isServerChanged(settings, values, initialValues(settings, saved.settings));
  const mayKeep = saved !== null && !mustReenter;
  const fill = (part: FieldValues) => {
    setValues((before) => {
      const next = { ...before, ...part };
      const key = part[KEY_FILE_FIELD];
      return key === undefined ? next : withKeyFile(next, key);
    });
    setErrors((before) => ({ ...before, ...Object.fromEntries(Object.keys(part).map((field) => [field, null])) }));
  };
  const areValid = (): boolean => {
    const found = errorsOf(settings, secrets, values, mayKeep);
    setErrors(found);
    return Object.values(found).every((error) => error === null);
  };
  const showRejection = (error: unknown) => setErrors((before) => ({ ...before, ...rejectedFields(error, secrets) }));
  const shownSecrets = mustReenter ? withReason(secrets, values) : secrets;
  return { settings, secrets: shownSecrets, values, errors, mayKeep, fill, areValid, showRejection };
}

/** The state of a destination's form: fields, authentication method and check. */
export function useDestinationForm(options: DestinationFormOptions) {
  const { organizationId, connector, saved, start, methods, initialMethodId, lastItems, onCheckSaved, onTyped, onSubmit } =
    options;
  const [name, setName] = useState(start.name);
  const [methodId, setMethodId] = useState(initialMethodId);
  const method = methods.find(({ id }) => id === methodId) ?? methods[0] ?? null;
  const { settings, secrets, values, errors, mayKeep, fill, areValid, showRejection } = useFields(options, method);
  const [isDirty, setDirty] = useState(false);
  const { check, attempt } = useCheck(lastItems, showRejection);
  const edit = (type: () => void) => {
    type();
    setDirty(true);
    onTyped();
  };
  const isValid = (): boolean => areValid() && name.trim() !== '' && method?.kind !== 'signIn';
  const input = () => toInput(name, settings, method, values, mayKeep);
  const testConnection = async () => {
    if (onCheckSaved && !isDirty)
      return attempt(async () => {
        await onCheckSaved();
        return null;
      });
    if (!isValid()) return;
    await attempt(async () => {
      const { settings: given, credentials, appId } = input();
      const stored = saved && !credentials ? { destinationId: saved.id } : {};
      const body = { provider: connector.provider as Destination['provider'], settings: given, credentials, appId, ...stored };
      return (await checkSettings(organizationId, body)).items;
    });
  };
  const submit = async () => {
    if (!isValid()) return;
    await attempt(async () => {
      await onSubmit(input());
      setDirty(false);
      return null;
    });
  };
  return {
    name,
    rename: (next: string) => edit(() => setName(next)),
    values,
    fill: (part: FieldValues) => edit(() => fill(part)),
    errors,
    settings,
    secrets,
    mayKeep,
    method,
    setMethodId,
    check,
    testConnection,
    submit,
    isDirty,
  };
}

export type DestinationFormState = ReturnType<typeof useDestinationForm>;
