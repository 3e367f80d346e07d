import type { PushEndpoint } from '~/api/types';
import { isRecord } from '~/lib/is-record';

/** What events must be, as it is typed. */
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

/** The server judges the schema itself; here only whether it is one object. */
export const schemaError = (text: string): string | null =>
  text.trim() === '' || isRecord(parse(text)) ? null : 'This is no JSON object';

export const toExpectations = ({ schema, dedupeField }: Expectations): Pick<PushEndpoint, 'schema' | 'dedupeField'> => {
  const parsed = parse(schema);
  return { schema: isRecord(parsed) ? parsed : null, dedupeField: dedupeField.trim() === '' ? null : dedupeField.trim() };
};
