import { createHash } from 'node:crypto';
import type { Day, Page, Slice } from '../kit/contract.js';
import { CorruptAnswer } from '../kit/errors.js';
import { readLines } from '../kit/row-text.js';
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

export interface CollectedRows {
  rows: Map<string, SourceRow>;
  bytes: number;
}

/** All rows of the slice, by their hashes. Nothing is planned before the last page is here. */
export async function collectRows(slice: Slice, pages: AsyncIterable<Page>): Promise<CollectedRows> {
  const shape = shapeOf(slice.stream);
  const rows = new Map<string, SourceRow>();
  let bytes = 0;
  for await (const { lines } of pages) {
    bytes += lines.length;
    for (const cells of readLines(lines)) {
      const row = toRow(slice, shape, cells);
      if (rows.has(row.hash)) throw repeated(row);
      rows.set(row.hash, row);
    }
  }
  return { rows, bytes };
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
