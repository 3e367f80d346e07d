import { useState } from 'react';
import { readKeyFile } from '~/domain/destinations/key-file';
import { fieldsOf, initialValues } from '~/domain/destinations/json-schema';
import type { FieldValues, SchemaField } from '~/domain/destinations/json-schema';
import { checkSettings } from '~/api/destinations';
import { ApiProblem, isConflict } from '~/api/http/problem';
import type { CheckItem, Connector, Destination } from '~/api/types';
import { errorsOf, isMoved, KEY_FILE_FIELD, reasonToReenter, refusedFields, secretFieldsOf, toInput } from './form-values';
import type { DestinationFormInput, FieldErrors } from './form-values';
import type { WayIn } from './ways-in';

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
  /** null for a new one; a saved secret stays when its field is left empty. */
  saved: Destination | null;
  start: FormStart;
  ways: WayIn[];
  /** The way that is chosen at first. */
  firstWay: string | null;
  /** What the last check of the saved destination found. */
  lastItems: CheckItem[] | null;
  /** Tries what is saved, and keeps what became of it; asked for while nothing is typed. */
  onCheckSaved: (() => Promise<void>) | null;
  onTyped: () => void;
  onSubmit: (input: DestinationFormInput) => Promise<void>;
}

const withReason = (secrets: SchemaField[], values: FieldValues): SchemaField[] =>
  secrets.map((field) => (field.isSecret ? { ...field, description: reasonToReenter(field, values) } : field));

/** Project and name that a key file tells already, where nobody has typed others. */
function withKeyFile(values: FieldValues, text: string): FieldValues {
  const file = readKeyFile(text);
  if ('problem' in file || file.projectId === null || values.projectId !== '') return values;
  return { ...values, projectId: file.projectId };
}

/** Tries something and keeps what became of it, item by item; until then, and after it, what is saved is shown. */
function useCheck(saved: CheckItem[] | null, onRefused: (error: unknown) => void) {
  const [own, setCheck] = useState<CheckState | null>(null);
  const check = own ?? { isRunning: false, items: saved, failure: null };
  const attempt = async (act: () => Promise<CheckItem[] | null>) => {
    setCheck({ isRunning: true, items: null, failure: null });
    try {
      const items = await act();
      setCheck(items && { isRunning: false, items, failure: null });
    } catch (error) {
      // Asked about above the form; what is saved was checked by whoever saved it.
      if (isConflict(error)) return setCheck(null);
      const items = error instanceof ApiProblem && error.checks.length > 0 ? error.checks : null;
      onRefused(error);
      setCheck({ isRunning: false, items, failure: error });
    }
  };
  return { check, attempt };
}

/** The fields of the catalog's schemas: values, errors, and whether the saved secrets can be kept. */
function useFields({ connector, saved, start }: DestinationFormOptions, way: WayIn | null) {
  const settings = fieldsOf(connector.settingsSchema);
  const secrets = secretFieldsOf(way);
  const [values, setValues] = useState(() => initialValues([...settings, ...secrets], start.settings));
  const [errors, setErrors] = useState<FieldErrors>({});
  const mustReenter = saved !== null && isMoved(settings, values, initialValues(settings, saved.settings));
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
  const showRefusal = (error: unknown) => setErrors((before) => ({ ...before, ...refusedFields(error, secrets) }));
  const shownSecrets = mustReenter ? withReason(secrets, values) : secrets;
  return { settings, secrets: shownSecrets, values, errors, mayKeep, fill, areValid, showRefusal };
}

/** State of a destination's form: its fields, the way to authenticate, and the check. */
export function useDestinationForm(options: DestinationFormOptions) {
  const { organizationId, connector, saved, start, ways, firstWay, lastItems, onCheckSaved, onTyped, onSubmit } = options;
  const [name, setName] = useState(start.name);
  const [wayId, setWayId] = useState(firstWay);
  const way = ways.find(({ id }) => id === wayId) ?? ways[0] ?? null;
  const { settings, secrets, values, errors, mayKeep, fill, areValid, showRefusal } = useFields(options, way);
  const [isDirty, setDirty] = useState(false);
  const { check, attempt } = useCheck(lastItems, showRefusal);
  const noteTyping = (type: () => void) => {
    type();
    setDirty(true);
    onTyped();
  };
  const isValid = (): boolean => areValid() && name.trim() !== '' && way?.kind !== 'signIn';
  const input = () => toInput(name, settings, way, values, mayKeep);
  const tryOut = async () => {
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
    rename: (next: string) => noteTyping(() => setName(next)),
    values,
    fill: (part: FieldValues) => noteTyping(() => fill(part)),
    errors,
    settings,
    secrets,
    mayKeep,
    way,
    setWayId,
    check,
    tryOut,
    submit,
    isDirty,
  };
}

export type DestinationFormState = ReturnType<typeof useDestinationForm>;
