import { z } from 'zod';
import type { SourceRecord } from '../../kit/conversion-source.js';
import { addField, parseExactly, toExactNumber, toFloat, utcText } from '../../kit/records/record-fields.js';

/** A column of a result: https://cloud.google.com/bigquery/docs/reference/rest/v2/tables#TableFieldSchema */
export interface ResultField {
  name: string;
  type: string;
  mode: string;
  fields: ResultField[];
}

export const fieldSchema: z.ZodType<ResultField> = z.lazy(() =>
  z.object({
    name: z.string(),
    type: z.string(),
    mode: z.string().default('NULLABLE'),
    fields: z.array(fieldSchema).default([]),
  }),
);

export const cellSchema = z.object({ v: z.unknown() });
export const rowSchema = z.object({ f: z.array(cellSchema) });
export type ResultRow = z.infer<typeof rowSchema>;

/** The types that a time field can have. */
export const timeTypes = ['TIMESTAMP', 'DATETIME', 'DATE'] as const;
export type TimeType = (typeof timeTypes)[number];

export function toRecord({ f }: ResultRow, fields: ResultField[]): SourceRecord {
  const record: SourceRecord = {};
  for (const [place, field] of fields.entries()) addField(record, field.name, toValue(f[place]?.v ?? null, field));
  return record;
}

function toValue(value: unknown, field: ResultField): unknown {
  if (value === null) return null;
  if (field.mode === 'REPEATED')
    return z
      .array(cellSchema)
      .parse(value)
      .map(({ v }) => toValue(v, { ...field, mode: 'NULLABLE' }));
  if (field.type === 'RECORD' || field.type === 'STRUCT') return toObject(rowSchema.parse(value), field.fields);
  return toPlain(String(value), field.type);
}

const toObject = ({ f }: ResultRow, fields: ResultField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field, place) => [field.name, toValue(f[place]?.v ?? null, field)]));

/** A `DATETIME` has no zone and counts as UTC. Other types keep BigQuery's text. */
function toPlain(text: string, type: string): unknown {
  switch (type) {
    case 'INTEGER':
    case 'INT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return toExactNumber(text);
    case 'FLOAT':
    case 'FLOAT64':
      return toFloat(text);
    case 'BOOLEAN':
    case 'BOOL':
      return text === 'true';
    case 'TIMESTAMP':
      return new Date(Number(BigInt(text) / 1_000n)).toISOString();
    case 'DATETIME':
      return utcText(text) ?? text;
    case 'JSON':
      return parseExactly(text);
    default:
      return text;
  }
}

/** The text of a parameter of the type of the time field. */
export function timeParameter(time: Date, type: TimeType): string {
  const text = time.toISOString();
  if (type === 'DATE') return text.slice(0, 10);
  return type === 'DATETIME' ? text.slice(0, -1) : text;
}
