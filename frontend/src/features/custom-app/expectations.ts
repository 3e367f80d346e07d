import type { PushEndpoint } from '~/api/types';
import { isRecord } from '~/lib/is-record';

/** Values of the event schema form. */
export interface Expectations {
  schema: string;
  dedupeField: string;
}

export const expectationsOf = ({ schema, dedupeField }: PushEndpoint): Expectations => ({
  schema: schema === null ? '' : JSON.stringify(schema, null, 2),
  dedupeField: dedupeField ?? '',
});

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Checks only that the text is a JSON object. The server validates the schema. */
export const schemaError = (text: string): string | null =>
  text.trim() === '' || isRecord(parse(text)) ? null : 'Enter a JSON object';

export const toExpectations = ({ schema, dedupeField }: Expectations): Pick<PushEndpoint, 'schema' | 'dedupeField'> => {
  const parsed = parse(schema);
  return { schema: isRecord(parsed) ? parsed : null, dedupeField: dedupeField.trim() === '' ? null : dedupeField.trim() };
};
