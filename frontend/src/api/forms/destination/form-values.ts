import { KEY_FILE_LIMIT, readKeyFile } from '../../../lib/key-file';
import { fieldError, fieldsOf, toPayload } from '../../../ui/json-schema';
import type { FieldValues, PayloadValue, SchemaField } from '../../../ui/json-schema';
import { ApiProblem } from '../../problem';
import type { WayIn } from './ways-in';

export type FieldErrors = Record<string, string | null>;

/** What is sent to make or change a destination; without credentials and app the stored ones stay. */
export interface DestinationFormInput {
  name: string;
  settings: Record<string, PayloadValue>;
  credentials?: Record<string, PayloadValue>;
  appId?: string;
}

/** The one field that is a file: see `KeyFileField`. */
export const KEY_FILE_FIELD = 'serviceAccountKey';

export const secretFieldsOf = (way: WayIn | null): SchemaField[] => (way?.kind === 'typed' ? fieldsOf(way.schema) : []);

function errorOf(field: SchemaField, value: string): string | null {
  const error = fieldError(field, value);
  if (error !== null || field.name !== KEY_FILE_FIELD || value.trim() === '') return error;
  const file = readKeyFile(value.slice(0, KEY_FILE_LIMIT + 1));
  return 'problem' in file ? file.problem : null;
}

/** Nothing typed into a saved destination's access keeps it: all of it or nothing, the user's name as much as the secret. */
export const keepsSecrets = (secrets: SchemaField[], values: FieldValues, isSaved: boolean): boolean =>
  isSaved && secrets.every(({ name }) => (values[name] ?? '').trim() === '');

export function errorsOf(settings: SchemaField[], secrets: SchemaField[], values: FieldValues, isSaved: boolean): FieldErrors {
  const asked = keepsSecrets(secrets, values, isSaved) ? settings : [...settings, ...secrets];
  return Object.fromEntries(asked.map((field) => [field.name, errorOf(field, values[field.name] ?? '')]));
}

/** What the server says of single fields, by the field's own name: `settings.projectId` is `projectId`. */
export function refusedFields(error: unknown): FieldErrors {
  if (!(error instanceof ApiProblem)) return {};
  return Object.fromEntries(error.fieldErrors.map(({ field, message }) => [field.split('.').at(-1) ?? field, message]));
}

export function toInput(
  name: string,
  settings: SchemaField[],
  way: WayIn | null,
  values: FieldValues,
  isSaved: boolean,
): DestinationFormInput {
  const secrets = secretFieldsOf(way);
  const input = { name: name.trim(), settings: toPayload(settings, values) };
  if (way?.kind === 'app') return { ...input, appId: way.app.id };
  return secrets.length === 0 || keepsSecrets(secrets, values, isSaved)
    ? input
    : { ...input, credentials: toPayload(secrets, values) };
}
