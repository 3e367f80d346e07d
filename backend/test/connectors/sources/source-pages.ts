import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ConversionSource, RecordPage, SourceCursor, SourceRecord } from '../../../src/connectors/kit/conversion-source.js';
import { aContext } from '../context.js';

export interface ReadResult {
  records: SourceRecord[];
  pages: Pick<RecordPage, 'cursor'>[];
  /** The cursor that the engine would store. */
  cursor: SourceCursor | null;
}

/** Reads everything, as the engine does: the last cursor is stored. */
export async function readRecords(
  source: ConversionSource,
  { cursor = null, since = new Date('2026-01-01T00:00:00Z'), context = aContext() }: Partial<ReadOptions> = {},
): Promise<ReadResult> {
  const result: ReadResult = { records: [], pages: [], cursor };
  for await (const page of source.read(context, cursor, since)) {
    result.records.push(...page.records);
    result.pages.push({ cursor: page.cursor });
    result.cursor = page.cursor ?? result.cursor;
  }
  return result;
}

interface ReadOptions {
  cursor: SourceCursor | null;
  since: Date;
  context: ReturnType<typeof aContext>;
}

/** The most memory in use after a garbage collection, in bytes above the start, and the number of records. */
export async function measureMemory(pages: AsyncIterable<RecordPage>): Promise<{ records: number; peak: number }> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  let [records, peak, number] = [0, 0, 0];
  for await (const page of pages) {
    records += page.records.length;
    if (number++ % 20 === 0) peak = Math.max(peak, used() - before);
  }
  return { records, peak };
}
