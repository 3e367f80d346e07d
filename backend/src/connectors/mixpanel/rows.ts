import { createHash } from 'node:crypto';
import type { Day, Page, Slice } from '../kit/contract.js';
import { CorruptAnswer, SplitSlice } from '../kit/errors.js';
import { readCells, splitLines } from '../kit/row-text.js';
import { fromMicros, parseDecimal, type Decimal } from './decimal.js';
import { shapeOf, type Shape, type TextColumn } from './shape.js';

/** By property. What a row does not have is not there, and counts as nothing. */
export type Amounts = Record<string, Decimal>;
export type Properties = Record<string, string | number | boolean>;

export interface SourceRow {
  /** Day and key, as the ledger knows the row: unique within stream and account. */
  key: string;
  hash: string;
  day: Day;
  amounts: Amounts;
  properties: Properties;
}

/** All rows of a slice by their hashes, each kept as the line it came in: a tenth of what it is once it is read. */
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

/** Nothing is planned before the last page is here. A slice of more than `maximumRows` has to come in shorter ones; a day cannot be shorter. */
export async function collectRows(slice: Slice, pages: AsyncIterable<Page>, maximumRows: number): Promise<CollectedRows> {
  const rows = new CollectedRows(slice);
  for await (const { lines } of pages) {
    rows.bytes += lines.length;
    for (const line of splitLines(lines)) rows.add(line);
    if (rows.size > maximumRows && slice.from !== slice.to) throw tooLarge(slice);
  }
  return rows;
}

/** Before the hash of a row of which nothing else is known: found in Mixpanel, and neither at the source nor in the ledger. */
const HASH_KEY = '#';

export const keyOfHash = (hash: string): string => `${HASH_KEY}${hash}`;

/** Which events belong to a row: the same for good, whatever its names and numbers become. 112 bits. */
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
    message: `The row ${key.replaceAll('\t', ', ')} came twice. Nothing of the slice was sent.`,
    action: 'Nothing to do: it is tried again by itself',
  });
}

function tooLarge({ account, from, to }: Slice): SplitSlice {
  return new SplitSlice({
    code: 'mixpanel.slice_too_large',
    message: `${account.name} has too many rows from ${from} to ${to} to be sent as one.`,
    action: 'Nothing to do: the days are sent in smaller parts',
  });
}
