import { parse } from 'csv-parse';
import { corrupt } from './proof.js';

/** Its lines are a dozen. */
const HEAD_LIMIT_BYTES = 64 * 1024;
const countLine = /^"?Rows: (\d+)"?\r?$/m;

/** The rows of a report, in the order of `fields`, and how many of them Microsoft counts in the lines above. */
export class ReportFile {
  private readonly fields: string[];
  private readonly firstLine: RegExp;
  private countedRows: number | null = null;
  private hasColumns = false;

  constructor(fields: string[]) {
    this.fields = fields;
    this.firstLine = new RegExp(`^"?${fields[0]}"?,`, 'm');
  }

  /** How many rows Microsoft says there are; known once rows have come. */
  get rows(): number {
    if (this.countedRows === null) throw corrupt('count_missing', 'it does not say how many rows it has');
    return this.countedRows;
  }

  /** As many rows at a time as one part of the bytes holds: handing over each alone would take longer than reading it. */
  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
    try {
      for await (const records of parsed(this.table(bytes))) yield this.withoutColumns(records);
    } catch (error) {
      throw isCsvError(error) ? corrupt('malformed_csv', `it is not valid CSV (${error.code})`, error) : error;
    }
    if (!this.hasColumns) throw columnsMissing();
  }

  /** What comes after the lines above: the names of the columns, and the rows. */
  private async *table(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let head: Buffer | null = Buffer.alloc(0);
    for await (const part of bytes) {
      if (head === null) {
        yield part;
        continue;
      }
      head = Buffer.concat([head, part]);
      // One character a byte, so that places in the text are places in the bytes.
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
    if (columns.join('\n') !== this.fields.join('\n')) throw corrupt('columns_differ', `it has ${columns.join(', ')}`);
    return records.slice(1);
  }
}

const columnsMissing = () => corrupt('columns_missing', 'it has no names of columns');

/** Every row must have as many cells as the first. */
const csvOptions = { relax_column_count: false, skip_empty_lines: true } as const;

const isCsvError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');

/** The parser makes records of what it is given at once: they are taken out as one, and the rest when all is given. */
async function* parsed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[][]> {
  const parser = parse(csvOptions);
  // Thrown by the last line.
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
