import { useRef, useState } from 'react';
import { readKeyFile } from '~/domain/destinations/key-file';
import { fieldsOf, initialValues } from '~/domain/destinations/json-schema';
import type { FieldValues, SchemaField } from '~/domain/destinations/json-schema';
import { focusWhenRendered, watchFocus } from '~/lib/focus-field';
import { useUnsavedChanges } from '~/lib/unsaved-changes';
import { checkSettings } from '~/api/destinations';
import { ApiProblem, isConflict } from '~/api/http/problem';
import type { CheckItem, Connector, Destination } from '~/api/types';
import {
  codesShownAtFields,
  errorsOf,
  fieldsOfFailedChecks,
  isServerChanged,
  KEY_FILE_FIELD,
  nameProblems,
  problemsOf,
  reasonToReenter,
  rejectedFields,
  secretFieldsOf,
  toInput,
  withoutSecrets,
} from './form-values';
import type { DestinationFormInput, FieldErrors } from './form-values';
import type { AuthMethod } from './auth-methods';

/** A save tests the connection first. */
export type CheckAction = 'test' | 'save';

export interface CheckState {
  /** null when nothing is running. */
  running: CheckAction | null;
  items: CheckItem[] | null;
  failure: unknown;
}

export interface FormStart {
  name: string;
  settings: Record<string, unknown>;
}

/** `endGuard` allows to leave the form: call it before the navigation that follows the save. */
export type SubmitDestination = (input: DestinationFormInput, endGuard: () => void) => Promise<void>;

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
  /** The error that is shown above the form, which nothing repeats. */
  shownAbove: string | undefined;
  /** Checks the saved destination and stores the result. Used while the form has no changes. */
  onCheckSaved: (() => Promise<void>) | null;
  /** Called with the new input, without secrets. */
  onTyped: (input: FormStart) => void;
  /** Whether a draft keeps the input, so that leaving loses nothing but secrets. */
  isDraftSaved: boolean;
  onSubmit: SubmitDestination;
}

const withoutCause = (item: CheckItem): CheckItem => ({ ...item, detail: null, action: null });

const withReason = (secrets: SchemaField[], values: FieldValues): SchemaField[] =>
  secrets.map((field) => (field.isSecret ? { ...field, description: reasonToReenter(field, values) } : field));

/** Fills in the project of a key file when the field is empty. */
function withKeyFile(values: FieldValues, text: string): FieldValues {
  const file = readKeyFile(text);
  if ('problem' in file || file.projectId === null || values.projectId !== '') return values;
  return { ...values, projectId: file.projectId };
}

function withPart(values: FieldValues, part: FieldValues): FieldValues {
  const next = { ...values, ...part };
  const key = part[KEY_FILE_FIELD];
  return key === undefined ? next : withKeyFile(next, key);
}

/** `isWaiting`: the user has not moved on to another element since the check was started. */
interface Rejections {
  onRejected: (error: unknown, isWaiting: boolean) => void;
  onItems: (items: CheckItem[], isWaiting: boolean) => void;
}

/**
 * Runs a check or a save and keeps its result. Without a result of this page, the saved result is shown. One at a time: a second
 * click arrives before the first one is rendered. It stays busy after a save that opens another page, until that page is shown.
 */
function useCheck(saved: CheckItem[] | null, { onRejected, onItems }: Rejections) {
  const [own, setCheck] = useState<CheckState | null>(null);
  const isBusy = useRef(false);
  const check = own ?? { running: null, items: saved, failure: null };
  const attempt = async (running: CheckAction, act: () => Promise<CheckItem[] | 'leavesPage' | null>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setCheck({ running, items: null, failure: null });
    const isWaiting = watchFocus();
    try {
      const items = await act();
      if (items === 'leavesPage') return;
      isBusy.current = false;
      if (items) onItems(items, isWaiting());
      setCheck(items && { running: null, items, failure: null });
    } catch (error) {
      isBusy.current = false;
      // The conflict notice above the form handles it.
      if (isConflict(error)) return setCheck(null);
      const items = error instanceof ApiProblem && error.checks.length > 0 ? error.checks : null;
      onRejected(error, isWaiting());
      if (items) onItems(items, isWaiting());
      setCheck({ running: null, items, failure: error });
    }
  };
  return { check, attempt };
}

/** The fields of the connector's schemas: values, errors, and whether the saved secrets can be kept. */
function useFields({ connector, saved, start, lastItems, shownAbove }: DestinationFormOptions, method: AuthMethod | null) {
  const settings = fieldsOf(connector.settingsSchema);
  const secrets = secretFieldsOf(method);
  const [values, setValues] = useState(() => initialValues([...settings, ...secrets], start.settings));
  const [errors, setErrors] = useState<FieldErrors>({});
  const mustReenter = saved !== null && isServerChanged(settings, values, initialValues(settings, saved.settings));
  const mayKeep = saved !== null && !mustReenter;
  const fill = (part: FieldValues) => {
    setValues((before) => withPart(before, part));
    setErrors((before) => ({ ...before, ...Object.fromEntries(Object.keys(part).map((field) => [field, null])) }));
  };
  const areValid = (name: string): boolean => {
    const found = errorsOf(settings, secrets, values, mayKeep);
    setErrors(found);
    const [first] = [...nameProblems(name), ...problemsOf(settings, secrets, found)];
    if (first) focusWhenRendered(first);
    return first === undefined;
  };
  const show = (found: FieldErrors, isWaiting: boolean) => {
    setErrors((before) => ({ ...before, ...found }));
    const [first] = problemsOf(settings, secrets, found);
    if (first && isWaiting) focusWhenRendered(first);
  };
  const shownSecrets = mustReenter ? withReason(secrets, values) : secrets;
  return {
    settings,
    secrets: shownSecrets,
    values,
    errors,
    /** Also marks the fields of the last check of the saved destination, until they are edited. */
    marks: { ...fieldsOfFailedChecks(lastItems ?? [], settings, shownAbove), ...errors },
    mayKeep,
    fill,
    areValid,
    rejections: {
      onRejected: (error: unknown, isWaiting: boolean) => show(rejectedFields(error, secrets), isWaiting),
      onItems: (items: CheckItem[], isWaiting: boolean) => show(fieldsOfFailedChecks(items, settings), isWaiting),
    },
  };
}

/** The name and the edits since the last save. They are guarded unless a draft keeps them. */
function useEditing({ start, isDraftSaved, onTyped }: DestinationFormOptions, fields: ReturnType<typeof useFields>) {
  const { settings, secrets, values, fill } = fields;
  const [name, setName] = useState(start.name);
  const [isDirty, setDirty] = useState(false);
  const endGuard = useUnsavedChanges(isDirty && !isDraftSaved);
  const edits = useRef(0);
  const edit = (nextName: string, part: FieldValues) => {
    edits.current += 1;
    setName(nextName);
    fill(part);
    setDirty(true);
    onTyped({ name: nextName, settings: withoutSecrets([...settings, ...secrets], withPart(values, part)) });
  };
  const endEditing = () => {
    setDirty(false);
    endGuard();
  };
  /** Ends the editing after the action, unless the user has edited during it. */
  const submitEdits = async (act: () => Promise<void>) => {
    const before = edits.current;
    await act();
    if (edits.current === before) endEditing();
  };
  return { name, isDirty, edit, endGuard, endEditing, submitEdits };
}

/** The state of a destination's form: fields, authentication method and check. */
export function useDestinationForm(options: DestinationFormOptions) {
  const { organizationId, connector, saved, methods, initialMethodId, lastItems, shownAbove, onCheckSaved, onSubmit } = options;
  const [methodId, setMethodId] = useState(initialMethodId);
  const method = methods.find(({ id }) => id === methodId) ?? methods[0] ?? null;
  const fields = useFields(options, method);
  const { settings, secrets, values, errors, marks, mayKeep, areValid, rejections } = fields;
  const { name, isDirty, edit, endGuard, endEditing, submitEdits } = useEditing(options, fields);
  const listed = lastItems?.map((item) => (item.detail === shownAbove ? withoutCause(item) : item)) ?? null;
  const { check, attempt } = useCheck(listed, rejections);
  const isValid = (): boolean => areValid(name) && method?.kind !== 'signIn';
  const input = () => toInput(name, settings, method, values, mayKeep);
  const testConnection = async () => {
    if (onCheckSaved && !isDirty)
      return attempt('test', async () => {
        await onCheckSaved();
        return null;
      });
    if (!isValid()) return;
    await attempt('test', async () => {
      const { settings: given, credentials, appId } = input();
      const stored = saved && !credentials ? { destinationId: saved.id } : {};
      const body = { provider: connector.provider as Destination['provider'], settings: given, credentials, appId, ...stored };
      return (await checkSettings(organizationId, body)).items;
    });
  };
  const submit = async () => {
    if (!isValid()) return;
    await attempt('save', async () => {
      await submitEdits(() => onSubmit(input(), endGuard));
      return saved ? null : 'leavesPage';
    });
  };
  return {
    name,
    problems: [...nameProblems(name), ...problemsOf(settings, secrets, errors)],
    rename: (next: string) => edit(next, {}),
    values,
    fill: (part: FieldValues) => edit(name, part),
    errors: marks,
    settings,
    secrets,
    mayKeep,
    method,
    setMethodId,
    check,
    /** The codes of the failed steps whose cause is at a field. It stays there until the field is edited. */
    markedChecks: codesShownAtFields(check.items ?? [], settings),
    testConnection,
    submit,
    isDirty,
    /** The input has been stored elsewhere. */
    endEditing,
  };
}

export type DestinationFormState = ReturnType<typeof useDestinationForm>;
