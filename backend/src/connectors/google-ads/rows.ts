import type { AdAccount, ColumnType, Row, Value } from '../kit/contract.js';
import { CorruptAnswer } from '../kit/errors.js';
import { unifiedConstants } from '../kit/unified.js';
import type { ReportColumn } from './columns.js';
import type { Report } from './streams.js';

/** Reads the rows of one report from Google's nested JSON. */
export interface RowReader {
  /** The fields to select, as spelled in the query language. */
  fields: string[];
  sections: Section[];
  /** Initial values of a row: the account's values and the defaults of omitted fields. */
  defaults(account: AdAccount): Row;
  /** Validates every field and flattens the rows. `offset` is the index of the first row in the chunk, for error messages. */
  read(results: unknown[], offset: number, account: AdAccount): Row[];
}

export interface FieldPlace {
  column: string;
  type: ColumnType;
  /** Path below the section; more than one name for nested fields. */
  path: string[];
  /** Default of an omitted field, since Google omits fields that are zero or unset; undefined for a required field. */
  otherwise: Value | undefined;
}

export interface Section {
  name: string;
  /** Google omits a section whose fields are all zero. */
  isOptional: boolean;
  places: FieldPlace[];
}

/** The value of a column, or undefined if the input has another type. */
type FieldReader = (value: unknown) => Value | undefined;

/** Validates field by field without a schema, because a schema copies every row before it is flattened. */
export function createRowReader(report: Report): RowReader {
  const fromField = report.columns.flatMap((column) =>
    column.source !== 'unified' && 'field' in column.source ? [{ column, field: column.source.field }] : [],
  );
  const sections = toSections(report, fromField);
  return {
    fields: fromField.map(({ field }) => field),
    sections,
    defaults: (account) => Object.fromEntries([...accountValues(report, account), ...fieldDefaults(sections)]),
    read(results, offset, account) {
      const constants = accountValues(report, account);
      return results.map((result, index) => {
        const row: Row = Object.fromEntries(constants);
        for (const section of sections) readSection(row, section, result, offset + index);
        return row;
      });
    },
  };
}

function readSection(row: Row, { name, isOptional, places }: Section, result: unknown, index: number): void {
  const section = isRecord(result) ? (result[name] ?? (isOptional ? nothing : undefined)) : undefined;
  if (!isRecord(section)) throw unexpectedValue([index, name], section);
  for (const { column, type, path, otherwise } of places) {
    const found = findValue(section, path);
    const value = found === undefined ? otherwise : readers[type](found);
    if (value === undefined) throw unexpectedValue([index, name, ...path], found);
    row[column] = value;
  }
}

function findValue(section: Record<string, unknown>, path: string[]): unknown {
  let value: unknown = section;
  for (const property of path) value = isRecord(value) ? value[property] : undefined;
  return value;
}

const nothing: Record<string, unknown> = {};
const wholeNumber = /^-?\d{1,19}$/;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/** Google sends 64-bit integers as text, because JavaScript numbers are exact only up to 2^53. */
const readInt64: FieldReader = (value) => (typeof value === 'string' && wholeNumber.test(value) ? BigInt(value) : undefined);
const readDouble: FieldReader = (value) => (typeof value === 'number' ? value : undefined);
const readText: FieldReader = (value) => (typeof value === 'string' ? value : undefined);
const readDay: FieldReader = (value) => (typeof value === 'string' && isoDay.test(value) ? value : undefined);

const readers: Record<ColumnType, FieldReader> = {
  bigint: readInt64,
  double: readDouble,
  text: readText,
  date: readDay,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** Only key columns are required. */
function defaultOf(type: ColumnType, isKey: boolean): Value | undefined {
  switch (type) {
    case 'date':
      return undefined;
    case 'bigint':
      return isKey ? undefined : 0n;
    case 'double':
      return 0;
    case 'boolean':
      return false;
    case 'text':
      return isKey ? 'UNSPECIFIED' : '';
  }
}

function toSections(report: Report, fields: { column: ReportColumn; field: string }[]): Section[] {
  const sections = new Map<string, FieldPlace[]>();
  for (const { column, field } of fields) {
    const [name = '', ...path] = field.split('.').map(toCamelCase);
    const otherwise = column.whenMissing ?? defaultOf(column.type, report.stream.key.includes(column.name));
    const place = { column: column.name, type: column.type, path, otherwise };
    sections.set(name, [...(sections.get(name) ?? []), place]);
  }
  return [...sections].map(([name, places]) => ({ name, places, isOptional: name === 'metrics' }));
}

function accountValues(report: Report, account: AdAccount): [string, Value][] {
  const unified: Record<string, string> = unifiedConstants({ account, stream: report.stream });
  return report.columns.flatMap(({ name, source }): [string, Value][] => {
    if (source === 'unified') return [[name, unified[name] ?? null]];
    return 'account' in source ? [[name, account[source.account]]] : [];
  });
}

function fieldDefaults(sections: Section[]): [string, Value][] {
  return sections.flatMap(({ places }) => places.map(({ column, otherwise = null }): [string, Value] => [column, otherwise]));
}

function toCamelCase(text: string): string {
  return text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function unexpectedValue(path: (string | number)[], value: unknown): CorruptAnswer {
  const found = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60);
  return new CorruptAnswer({
    code: 'google_ads.unexpected_value',
    message: `Google Ads sent an unexpected value at results.${path.join('.')}: found ${found}. Nothing of the chunk was loaded.`,
    action: 'No action needed: Tributary retries automatically',
  });
}
