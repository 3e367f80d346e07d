import type { Column, ColumnType } from '../kit/contract.js';
import {
  findQuote,
  isAt,
  nameStart,
  scanDay,
  scanDecimal,
  scanText,
  scanWhole,
  skipField,
  skipSpace,
  UNKNOWN,
  valueStart,
} from '../kit/json/json-bytes.js';
import type { Cells } from '../kit/rows/page-builder.js';
import { encodeCell } from '../kit/rows/row-text.js';
import type { Section } from './rows.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** Number of decoded texts with escapes that are cached. */
const ESCAPED_LIMIT = 10_000;
const nothing = Buffer.alloc(0);

interface ScanField {
  /** The field name as in the JSON, including its closing quote. */
  name: Buffer;
  column: number;
  scan: (bytes: Buffer, from: number) => number;
  isText: boolean;
  /** Whether the JSON value is quoted. The quotes are not part of the cell. */
  isQuoted: boolean;
}

interface ScanSection {
  name: Buffer;
  fields: ScanField[];
}

/**
 * Reads a row of the usual form directly from the bytes of the answer: five times as fast as parsing, and without garbage to
 * collect. It accepts only the exact form. All other rows (other number notation, missing or wrong values) are read by `rows`,
 * which defines the correct result.
 */
export class RowScanner {
  readonly cells: Cells;
  private readonly sections: ScanSection[];
  /** Rows with fields nested deeper than a section are read by `rows`. */
  private readonly isDeep: boolean;
  private readonly escaped = new Map<string, Buffer>();
  /** Required columns and sections. */
  private readonly neededColumns: number[];
  private readonly neededSections: number;

  constructor(columns: Column[], sections: Section[]) {
    const indexOf = (name: string) => columns.findIndex((column) => column.name === name);
    this.cells = {
      bytes: columns.map(() => nothing),
      from: new Int32Array(columns.length),
      to: new Int32Array(columns.length),
    };
    this.isDeep = sections.some(({ places }) => places.some(({ path }) => path.length > 1));
    this.sections = sections.map(({ name, places }) => ({
      name: Buffer.from(`${name}"`),
      fields: places.map(({ column, type, path }) => ({
        name: Buffer.from(`${path[0]}"`),
        column: indexOf(column),
        scan: scanners[type],
        isText: type === 'text',
        isQuoted: type !== 'double' && type !== 'boolean',
      })),
    }));
    const needed = sections.flatMap(({ places }) => places.filter(({ otherwise }) => otherwise === undefined));
    this.neededColumns = needed.map(({ column }) => indexOf(column));
    this.neededSections = sections.reduce((bits, { isOptional }, index) => (isOptional ? bits : bits | (1 << index)), 0);
  }

  /** Fills `cells` and returns where the row ends; -1 for a row in another form or a truncated row. */
  scan(bytes: Buffer, from: number): number {
    if (this.isDeep) return UNKNOWN;
    this.cells.from.fill(-1);
    let seen = 0;
    let position = from;
    for (let expected = 0; ;) {
      const name = nameStart(bytes, position + 1);
      const index = name === UNKNOWN ? UNKNOWN : findName(this.sections, bytes, name, expected);
      // Of two equal names JSON uses the later one, so duplicates are left to `rows`.
      if (index === UNKNOWN || seen & (1 << index)) return UNKNOWN;
      const section = this.sections[index] as ScanSection;
      position = this.scanSection(section.fields, bytes, name + section.name.length);
      if (position === UNKNOWN) return UNKNOWN;
      seen |= 1 << index;
      expected = index + 1;
      position = skipSpace(bytes, position);
      if (bytes[position] === CLOSE_BRACE) break;
      if (bytes[position] !== COMMA) return UNKNOWN;
    }
    return this.isWhole(seen) ? position + 1 : UNKNOWN;
  }

  private isWhole(seen: number): boolean {
    for (const column of this.neededColumns) if ((this.cells.from[column] as number) < 0) return false;
    return (seen & this.neededSections) === this.neededSections;
  }

  /** From after the section's name to after its closing brace. */
  private scanSection(fields: ScanField[], bytes: Buffer, from: number): number {
    let position = valueStart(bytes, from);
    if (position === UNKNOWN || bytes[position] !== OPEN_BRACE) return UNKNOWN;
    for (let expected = 0; ;) {
      const name = nameStart(bytes, position + 1);
      if (name === UNKNOWN) return UNKNOWN;
      const index = findName(fields, bytes, name, expected);
      position = index === UNKNOWN ? skipField(bytes, name) : this.scanField(fields[index] as ScanField, bytes, name);
      if (position === UNKNOWN) return UNKNOWN;
      if (index !== UNKNOWN) expected = index + 1;
      position = skipSpace(bytes, position);
      if (bytes[position] === CLOSE_BRACE) return position + 1;
      if (bytes[position] !== COMMA) return UNKNOWN;
    }
  }

  private scanField(field: ScanField, bytes: Buffer, name: number): number {
    const { cells } = this;
    let position = valueStart(bytes, name + field.name.length);
    if (position === UNKNOWN) return UNKNOWN;
    if (field.isQuoted && bytes[position++] !== QUOTE) return UNKNOWN;
    let end = field.scan(bytes, position);
    if (end === UNKNOWN && field.isText) return this.scanEscaped(field.column, bytes, position);
    if (end === UNKNOWN) return UNKNOWN;
    cells.bytes[field.column] = bytes;
    cells.from[field.column] = position;
    cells.to[field.column] = end;
    if (field.isQuoted && bytes[end++] !== QUOTE) return UNKNOWN;
    return end;
  }

  /** Text with a backslash. The same names occur every day, so each is decoded once and cached. */
  private scanEscaped(column: number, bytes: Buffer, from: number): number {
    const end = findQuote(bytes, from);
    if (end === UNKNOWN) return UNKNOWN;
    const written = bytes.toString('latin1', from, end);
    const text = this.escaped.get(written) ?? this.decode(written, bytes.toString('utf8', from - 1, end + 1));
    if (text === null) return UNKNOWN;
    this.cells.bytes[column] = text;
    this.cells.from[column] = 0;
    this.cells.to[column] = text.length;
    return end + 1;
  }

  private decode(written: string, quoted: string): Buffer | null {
    try {
      const text = Buffer.from(encodeCell('text', String(JSON.parse(quoted))));
      if (this.escaped.size >= ESCAPED_LIMIT) this.escaped.clear();
      this.escaped.set(written, text);
      return text;
    } catch {
      return null;
    }
  }
}

/** Index of the name in the list. The expected index is checked first. */
function findName(named: { name: Buffer }[], bytes: Buffer, from: number, expected: number): number {
  for (let step = 0; step < named.length; step++) {
    const index = (expected + step) % named.length;
    if (isAt(bytes, from, (named[index] as { name: Buffer }).name)) return index;
  }
  return UNKNOWN;
}

const scanners: Record<ColumnType, (bytes: Buffer, from: number) => number> = {
  text: scanText,
  bigint: scanWhole,
  double: scanDecimal,
  date: scanDay,
  boolean: () => UNKNOWN,
};
