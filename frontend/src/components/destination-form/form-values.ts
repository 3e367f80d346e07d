import { KEY_FILE_LIMIT, readKeyFile } from '~/domain/destinations/key-file';
import { fieldError, fieldsOf, toPayload } from '~/domain/destinations/json-schema';
import type { FieldValues, PayloadValue, SchemaField } from '~/domain/destinations/json-schema';
import { fieldErrorsOf } from '~/api/http/field-errors';
import type { FieldProblem } from '~/lib/focus-field';
import type { AuthMethod } from './auth-methods';

export type FieldErrors = Record<string, string | null>;

/** The request body for creating or changing a destination. Without credentials and app, the stored ones are kept. */
export interface DestinationFormInput {
  name: string;
  settings: Record<string, PayloadValue>;
  credentials?: Record<string, PayloadValue>;
  appId?: string;
}

/** The only field for a file: see `KeyFileField`. */
export const KEY_FILE_FIELD = 'serviceAccountKey';

/** The name of the destination, which is not a setting. */
export const NAME_FIELD = 'destination name';

export const secretFieldsOf = (method: AuthMethod | null): SchemaField[] =>
  method?.kind === 'typed' ? fieldsOf(method.schema) : [];

function errorOf(field: SchemaField, value: string): string | null {
  const error = fieldError(field, value);
  if (error !== null || field.name !== KEY_FILE_FIELD || value.trim() === '') return error;
  const file = readKeyFile(value.slice(0, KEY_FILE_LIMIT + 1));
  return 'problem' in file ? file.problem : null;
}

/** The texts that may be stored in the browser. */
export const withoutSecrets = (fields: SchemaField[], values: FieldValues): FieldValues =>
  Object.fromEntries(
    fields.filter(({ name, isSecret }) => !isSecret && name !== KEY_FILE_FIELD).map(({ name }) => [name, values[name] ?? '']),
  );

/** Only host names are compared case-insensitively, as on the server (`credentialTarget` of the connector). */
const comparable = (name: string, value = ''): string => (name === 'host' ? value.trim().toLowerCase() : value.trim());

/** Whether the form has another server than the saved credentials. */
export function isServerChanged(settings: SchemaField[], values: FieldValues, saved: FieldValues): boolean {
  const differs = ({ name }: SchemaField) => comparable(name, values[name]) !== comparable(name, saved[name]);
  return settings.some((field) => field.bindsCredentials && differs(field));
}

/** Why the secrets of a saved destination must be entered again. */
export function reasonToReenter({ title }: SchemaField, values: FieldValues): string {
  const secret = title.toLowerCase();
  const host = values.host?.trim();
  return host
    ? `The saved ${secret} only works with the saved server. Enter the ${secret} for ${host}.`
    : `The saved ${secret} only works with the saved settings. Enter it again.`;
}

/** Saved credentials are kept only when all of their fields are empty, including the user name. */
export const keepsSecrets = (secrets: SchemaField[], values: FieldValues, mayKeep: boolean): boolean =>
  mayKeep && secrets.every(({ name }) => (values[name] ?? '').trim() === '');

export function errorsOf(settings: SchemaField[], secrets: SchemaField[], values: FieldValues, mayKeep: boolean): FieldErrors {
  const required = keepsSecrets(secrets, values, mayKeep) ? settings : [...settings, ...secrets];
  return Object.fromEntries(required.map((field) => [field.name, errorOf(field, values[field.name] ?? '')]));
}

/**
 * Field errors of a response, by the last part of the field's name: `settings.projectId` becomes `projectId`. An error of the
 * credentials as a whole is shown at the secret.
 */
export function rejectedFields(error: unknown, secrets: SchemaField[] = []): FieldErrors {
  const secret = secrets.find(({ isSecret }) => isSecret)?.name;
  const nameOf = (field: string) => (field === 'credentials' && secret ? secret : (field.split('.').at(-1) ?? field));
  return Object.fromEntries(fieldErrorsOf(error).map(({ field, message }) => [nameOf(field), message]));
}

/** The field that a failed step of a check is about. */
const CHECKED_FIELDS: Record<string, string> = { connects: 'port', signs_in: 'user', database: 'database', schema: 'schema' };
/** Where the cause is not about one field alone, the list of steps tells it, and the field what to look at. */
const HINTS: Record<string, string> = { signs_in: 'Check the user and the password' };

interface CheckedStep {
  code: string;
  state: string;
  label: string;
  detail: string | null;
}

/** The field that a failed step is about, if the form has it. */
function fieldOfFailedCheck({ code, state, detail }: CheckedStep, settings: SchemaField[]): SchemaField | undefined {
  const isHost = code === 'connects' && detail?.includes('host name') === true;
  return state === 'failed' ? settings.find(({ name }) => name === (isHost ? 'host' : CHECKED_FIELDS[code])) : undefined;
}

/** The codes of the failed steps whose cause is shown at a field. */
export const codesShownAtFields = (items: CheckedStep[], settings: SchemaField[]): string[] =>
  items.filter((item) => fieldOfFailedCheck(item, settings) && !(item.code in HINTS)).map(({ code }) => code);

/** Marks the field of each failed step that is about a field of the form. A cause that is shown above the form is not repeated. */
export function fieldsOfFailedChecks(items: CheckedStep[], settings: SchemaField[], shownAbove?: string): FieldErrors {
  const textOf = ({ code, label, detail }: CheckedStep, { title }: SchemaField): string => {
    if (detail !== null && detail === shownAbove) return HINTS[code] ?? `Check the ${title.toLowerCase()}`;
    return HINTS[code] ?? detail ?? `${label}: failed`;
  };
  const failed = items.flatMap((item) => {
    const field = fieldOfFailedCheck(item, settings);
    return field ? [[field.name, textOf(item, field)] as const] : [];
  });
  return Object.fromEntries(failed);
}

/** The secrets follow the user name, where people look for them; without one, they are last. */
export function inReadingOrder(settings: SchemaField[], secrets: SchemaField[]): SchemaField[] {
  const user = settings.findIndex(({ name }) => name === 'user');
  return user < 0 ? [...settings, ...secrets] : [...settings.slice(0, user + 1), ...secrets, ...settings.slice(user + 1)];
}

/** The fields that need attention, in the order of the form. */
export function problemsOf(settings: SchemaField[], secrets: SchemaField[], errors: FieldErrors): FieldProblem[] {
  const keyFile = secrets.filter((field) => field.name === KEY_FILE_FIELD);
  const others = secrets.filter((field) => field.name !== KEY_FILE_FIELD);
  const wrong = [...keyFile, ...inReadingOrder(settings, others)].filter((field) => (errors[field.name] ?? null) !== null);
  return wrong.map((field) => ({ field: field.name, label: field.title }));
}

/** The name is above the other fields. */
export const nameProblems = (name: string): FieldProblem[] => (name.trim() === '' ? [{ field: NAME_FIELD, label: 'Name' }] : []);

export function toInput(
  name: string,
  settings: SchemaField[],
  method: AuthMethod | null,
  values: FieldValues,
  mayKeep: boolean,
): DestinationFormInput {
  const secrets = secretFieldsOf(method);
  const input = { name: name.trim(), settings: toPayload(settings, values) };
  if (method?.kind === 'app') return { ...input, appId: method.app.id };
  return secrets.length === 0 || keepsSecrets(secrets, values, mayKeep)
    ? input
    : { ...input, credentials: toPayload(secrets, values) };
}
