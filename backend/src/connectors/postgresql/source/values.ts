import type { FieldDef } from 'pg';
import type { SourceRecord } from '../../kit/conversion-source.js';
import { addField, parseExactly, toExactNumber, toFloat, utcText } from '../../kit/records/record-fields.js';

/** Type ids of `pg_type`, which never change: https://www.postgresql.org/docs/current/catalog-pg-type.html */
const TYPES = { bool: 16, int8: 20, int2: 21, int4: 23, json: 114, float4: 700, float8: 701, numeric: 1700, jsonb: 3802 };
const TIME_TYPES = { date: 1082, timestamp: 1114, timestamptz: 1184 };

const numberTypes = new Set([TYPES.int2, TYPES.int4, TYPES.int8, TYPES.numeric]);
const floatTypes = new Set([TYPES.float4, TYPES.float8]);
const timeTypes = new Set<number>(Object.values(TIME_TYPES));

/** A row as the server sends it: every value is text. */
export type TextRow = (string | null)[];

export const isTimeType = ({ dataTypeID }: Pick<FieldDef, 'dataTypeID'>): boolean => timeTypes.has(dataTypeID);

export function toRecord(row: TextRow, columns: FieldDef[]): SourceRecord {
  const record: SourceRecord = {};
  for (const [place, { name, dataTypeID }] of columns.entries()) addField(record, name, toValue(row[place] ?? null, dataTypeID));
  return record;
}

/** The session is in UTC, so timestamps without a zone count as UTC. Lists and other types keep PostgreSQL's text. */
function toValue(text: string | null, type: number): unknown {
  if (text === null) return null;
  if (numberTypes.has(type)) return toExactNumber(text);
  if (floatTypes.has(type)) return toFloat(text);
  if (type === TYPES.bool) return text === 't';
  if (type === TYPES.json || type === TYPES.jsonb) return parseExactly(text);
  // Years outside of 0001 to 9999, and infinity, keep their text.
  if (type === TIME_TYPES.timestamp || type === TIME_TYPES.timestamptz) return utcText(text) ?? text;
  return text;
}

export const bytesOf = (row: TextRow): number =>
  row.reduce((bytes, value) => bytes + (value === null ? 0 : Buffer.byteLength(value)), 0);
