import { z } from 'zod';
import type { AdAccount, Row, Value } from '../kit/contract.js';
import { CorruptAnswer } from '../kit/errors.js';
import type { Report, ReportColumn } from './streams.js';

/** Reads the rows of one report out of Google's nested JSON. */
export interface RowReader {
  /** The fields to select, in the query language's own spelling. */
  fields: string[];
  /** Checks and flattens rows; `offset` is where they stand in the chunk, for the message about a bad one. */
  read(results: unknown[], offset: number, account: AdAccount): Row[];
}

type NestedRow = Record<string, Record<string, string | number>>;
interface FieldPlace {
  column: string;
  section: string;
  property: string;
  isBigInt: boolean;
}

/** 64-bit integers travel as text, because JavaScript numbers end at 2^53. */
const int64 = z.string().regex(/^-?\d{1,19}$/, 'expected a whole number as text');
const isoDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a day as YYYY-MM-DD');

export function createRowReader(report: Report): RowReader {
  const fromField = report.columns.flatMap((column) => ('field' in column.source ? [{ column, field: column.source.field }] : []));
  const places = fromField.map(({ column, field }) => toPlace(column, field));
  const schema = z.array(rowSchema(report, places));
  return {
    fields: fromField.map(({ field }) => field),
    read(results, offset, account) {
      const checked = schema.safeParse(results);
      if (!checked.success) throw unexpectedValue(checked.error, offset);
      const constants = accountValues(report, account);
      return checked.data.map((nested) => flatten(nested as NestedRow, places, constants));
    },
  };
}

/** Google omits every field that is zero or unset; only what identifies a row must be there. */
function rowSchema(report: Report, places: FieldPlace[]) {
  const shape = [...new Set(places.map((place) => place.section))].map((section) => {
    const members = places.filter((place) => place.section === section);
    const properties = members.map((place) => [place.property, propertySchema(report, place)]);
    const object = z.object(Object.fromEntries(properties) as z.ZodRawShape);
    return [section, section === 'metrics' ? object.prefault({}) : object];
  });
  return z.object(Object.fromEntries(shape) as z.ZodRawShape);
}

function propertySchema(report: Report, place: FieldPlace): z.ZodType {
  const column = report.stream.columns.find(({ name }) => name === place.column);
  const isKey = report.stream.key.includes(place.column);
  switch (column?.type) {
    case 'date':
      return isoDay;
    case 'bigint':
      return isKey ? int64 : int64.default('0');
    case 'double':
      return z.number().default(0);
    default:
      return z.string().default(isKey ? 'UNSPECIFIED' : '');
  }
}

function flatten(nested: NestedRow, places: FieldPlace[], constants: [string, Value][]): Row {
  const row: Row = {};
  for (const [column, value] of constants) row[column] = value;
  for (const place of places) {
    const value = nested[place.section]?.[place.property] ?? null;
    row[place.column] = place.isBigInt && value !== null ? BigInt(value) : value;
  }
  return row;
}

function accountValues(report: Report, account: AdAccount): [string, Value][] {
  return report.columns.flatMap((column): [string, Value][] =>
    'account' in column.source ? [[column.name, account[column.source.account]]] : [],
  );
}

function toPlace(column: ReportColumn, field: string): FieldPlace {
  const [section = '', property = ''] = field.split('.').map(toCamelCase);
  return { column: column.name, section, property, isBigInt: column.type === 'bigint' };
}

function toCamelCase(text: string): string {
  return text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function unexpectedValue(error: z.ZodError, offset: number): CorruptAnswer {
  const issue = error.issues[0];
  const [index, ...path] = issue?.path ?? [];
  const place = ['results', offset + Number(index ?? 0), ...path].join('.');
  return new CorruptAnswer({
    code: 'google_ads.unexpected_value',
    message: `Google Ads sent a value that does not fit at ${place}: ${issue?.message ?? 'unknown'}. Nothing of the slice was loaded.`,
    action: 'Nothing to do: it is tried again by itself',
  });
}
