import { createHash } from 'node:crypto';
import type { Day, Page, Slice } from '../kit/contract.js';
import { CorruptAnswer, SplitSlice } from '../kit/errors.js';
import { readCells, splitLines } from '../kit/rows/row-text.js';
import { fromMicros, parseDecimal, type Decimal } from './decimal.js';
import { shapeOf, type Shape, type TextColumn } from './shape.js';

/** Amounts by property. A missing property counts as 0. */
export type Amounts = Record<string, Decimal>;
export type Properties = Record<string, string | number | boolean>;

export interface SourceRow {
  /** Day and key, as in the ledger. Unique within stream and account. */
  key: string;
  hash: string;
  day: Day;
  amounts: Amounts;
  properties: Properties;
}

/** All rows of a slice by hash. Each is stored as its text line, a tenth of the size of a parsed row. */
export class CollectedRows {
  bytes = 0;
  private readonly slice: Slice;
  private readonly shape: Shape;
  private readonly lines = new Map<string, string>();

  constructor(slice: Slice) {
    this.slice = slice;
    this.shape = shapeOf(slice.stream);
  }

  get size(): number {
    return this.lines.size;
  }

  add(line: string): void {
    const row = this.read(line);
    if (this.lines.has(row.hash)) throw repeated(row);
    this.lines.set(row.hash, line);
  }

  has(hash: string): boolean {
    return this.lines.has(hash);
  }

  find(hash: string): SourceRow | null {
    const line = this.lines.get(hash);
    return line === undefined ? null : this.read(line);
  }

  *[Symbol.iterator](): Generator<SourceRow> {
    for (const line of this.lines.values()) yield this.read(line);
  }

  private read(line: string): SourceRow {
    return toRow(this.slice, this.shape, readCells(line));
  }
}

/**
 * Collects all pages, since nothing is planned before the last page. A slice with more than `maximumRows` is split into fewer
 * days. A single day cannot be split.
 */
export async function collectRows(slice: Slice, pages: AsyncIterable<Page>, maximumRows: number): Promise<CollectedRows> {
  const rows = new CollectedRows(slice);
  for await (const { lines } of pages) {
    rows.bytes += lines.length;
    for (const line of splitLines(lines)) rows.add(line);
    if (rows.size > maximumRows && slice.from !== slice.to) throw tooLarge(slice);
  }
  return rows;
}

/** Prefix of the key for a row that is only in Mixpanel, of which only the hash is known. */
const HASH_KEY = '#';

export const keyOfHash = (hash: string): string => `${HASH_KEY}${hash}`;

/** Hash that links events to their row. It never changes, even if names and numbers do. 112 bits. */
export function rowHash({ stream, account }: Slice, key: string): string {
  if (key.startsWith(HASH_KEY)) return key.slice(HASH_KEY.length);
  const text = [stream.table, stream.scope?.value ?? '', account.externalId, key].join('\t');
  return createHash('sha256').update(text).digest('hex').slice(0, 28);
}

function toRow(slice: Slice, shape: Shape, cells: (string | null)[]): SourceRow {
  const day = cells[shape.dayColumn] ?? '';
  const amounts: Amounts = {};
  for (const { property, column, isMicros } of shape.amounts) {
    const cell = cells[column];
    if (cell != null) amounts[property] = isMicros ? fromMicros(BigInt(cell)) : parseDecimal(cell);
  }
  const properties: Properties = { ...shape.fixed, date: day };
  for (const text of shape.texts) {
    const cell = cells[text.column];
    if (cell != null) properties[text.property] = toProperty(text, cell);
  }
  const key = [day, ...shape.keyColumns.map((column) => cells[column] ?? '')].join('\t');
  return { key, hash: rowHash(slice, key), day, amounts, properties };
}

function toProperty({ type }: TextColumn, cell: string): string | number | boolean {
  if (type === 'boolean') return cell === 't';
  return type === 'number' ? Number(cell) : cell;
}

function repeated({ key }: SourceRow): CorruptAnswer {
  return new CorruptAnswer({
    code: 'mixpanel.row_repeated',
    message: `The row ${key.replaceAll('\t', ', ')} is duplicated. Nothing of the chunk was sent.`,
    action: 'No action needed: Tributary retries automatically',
  });
}

function tooLarge({ account, from, to }: Slice): SplitSlice {
  return new SplitSlice({
    code: 'mixpanel.slice_too_large',
    message: `${account.name} has too many rows from ${from} to ${to} to send at once.`,
    action: 'No action needed: the days are sent in smaller parts automatically',
  });
}
