import { parse } from 'csv-parse';
import { corrupt } from './corrupt-answer.js';

/** The header has about twelve lines. */
const HEAD_LIMIT_BYTES = 64 * 1024;
const countLine = /^"?Rows: (\d+)"?\r?$/m;

/** The rows of a report, in the order of `fields`, and the row count from its header. */
export class ReportFile {
  private readonly fields: string[];
  private readonly firstLine: RegExp;
  private countedRows: number | null = null;
  private hasColumns = false;

  constructor(fields: string[]) {
    this.fields = fields;
    this.firstLine = new RegExp(`^"?${fields[0]}"?,`, 'm');
  }

  /** Microsoft's row count; known after the first rows. */
  get rows(): number {
    if (this.countedRows === null) throw corrupt('count_missing', 'its header has no row count');
    return this.countedRows;
  }

  /** Yields the rows of one part of the bytes together. Yielding rows individually takes longer than parsing them. */
  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
    try {
      for await (const records of parsed(this.table(bytes))) yield this.withoutColumns(records);
    } catch (error) {
      throw isCsvError(error) ? corrupt('malformed_csv', `it is not valid CSV (${error.code})`, error) : error;
    }
    if (!this.hasColumns) throw columnsMissing();
  }

  /** The table after the header: the column names and the rows. */
  private async *table(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let head: Buffer | null = Buffer.alloc(0);
    for await (const part of bytes) {
      if (head === null) {
        yield part;
        continue;
      }
      head = Buffer.concat([head, part]);
      // One character per byte, so that positions in the text are positions in the bytes.
      const text: string = head.toString('latin1');
      const start = text.search(this.firstLine);
      if (start < 0 && head.length > HEAD_LIMIT_BYTES) throw columnsMissing();
      if (start < 0) continue;
      const count = countLine.exec(text.slice(0, start))?.[1];
      this.countedRows = count === undefined ? null : Number(count);
      yield head.subarray(start);
      head = null;
    }
    if (head !== null) throw columnsMissing();
  }

  private withoutColumns(records: string[][]): string[][] {
    const [columns] = records;
    if (this.hasColumns || columns === undefined) return records;
    this.hasColumns = true;
    if (columns.join('\n') !== this.fields.join('\n')) throw corrupt('columns_differ', `its columns are ${columns.join(', ')}`);
    return records.slice(1);
  }
}

const columnsMissing = () => corrupt('columns_missing', 'it has no column names');

/** Every row must have as many cells as the first. */
const csvOptions = { relax_column_count: false, skip_empty_lines: true } as const;

const isCsvError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');

/** Collects all records that the parser has for one part of the input. */
async function* parsed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  const parser = parse(csvOptions);
  // The last line throws this error.
  parser.on('error', () => undefined);
  const take = () => parser.read() as string[] | null;
  for await (const part of bytes) {
    if (parser.errored) break;
    parser.write(part);
    const records: string[][] = [];
    for (let record = take(); record !== null; record = take()) records.push(record);
    yield records;
  }
  parser.end();
  yield (await parser.toArray()) as string[][];
}
