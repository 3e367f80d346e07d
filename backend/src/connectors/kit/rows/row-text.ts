import type { ColumnType, Row, Stream, Value } from '../contract.js';

/**
 * Rows between source and destination, as text: one line per row, cells in the order of the stream's columns, separated by tabs.
 * `\N` is null; special characters are escaped with a backslash. PostgreSQL's COPY reads this format directly.
 */
export const TAB = 0x09;
export const LINE_END = 0x0a;
const NULL_CELL = '\\N';

const special = /[\\\n\r\t\0]/;
const everySpecial = /[\\\n\r\t\0]/g;
/**
 * PostgreSQL text cannot store a null byte. Every destination gets its visible symbol instead. If it were removed, two search
 * terms that differ only by it would have the same key, and their days could not be loaded.
 */
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '␀' };
const unescaped: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

/** The cells of a row, in the order of the stream's columns. */
export function cellsOf(stream: Stream, row: Row): string[] {
  return stream.columns.map(({ name, type }) => encodeCell(type, row[name]));
}

export function encodeCell(type: ColumnType, value: Value | undefined): string {
  if (value === null || value === undefined) return NULL_CELL;
  if (type === 'boolean') return value === true ? 't' : 'f';
  // Infinity and NaN are spelled as PostgreSQL reads them.
  const text = String(value);
  return type === 'text' && special.test(text) ? text.replace(everySpecial, (character) => escapes[character] ?? '') : text;
}

/** The lines of a page, still encoded. */
export function splitLines(lines: Buffer): string[] {
  return lines.toString('utf8').split('\n').slice(0, -1);
}

/** The decoded cells of a line. */
export function readCells(line: string): (string | null)[] {
  return line.split('\t').map(decodeCell);
}

export function readLines(lines: Buffer): (string | null)[][] {
  return splitLines(lines).map(readCells);
}

function decodeCell(cell: string): string | null {
  if (cell === NULL_CELL) return null;
  return cell.replace(/\\(.)/g, (_, character: string) => unescaped[character] ?? character);
}
