import type { Exchange, Page, ReadContext, RemoteJob, RequestRecord } from '../connectors/kit/contract.js';
import { readLines } from '../connectors/kit/rows/row-text.js';

/** For reads that load nothing: estimates and the test bench. */
export class ReadingContext implements ReadContext {
  readonly requests: RequestRecord[] = [];
  readonly job = temporaryJob();
  readonly exchange: Exchange | null;
  readonly recordsBodies: boolean;
  /** Nothing is loaded, so differences between two reads do not matter. */
  readonly provisionalFrom = '1970-01-01';

  constructor(
    readonly signal: AbortSignal,
    readonly beforeRequest: () => Promise<void>,
    options: { exchange?: Exchange | null; recordsBodies?: boolean } = {},
  ) {
    this.exchange = options.exchange ?? null;
    this.recordsBodies = options.recordsBodies ?? false;
  }

  get calls(): number {
    return this.requests.length;
  }

  onRequest(request: RequestRecord): void {
    this.requests.push(request);
  }
}

/** Stored in memory during the read, so that a report is polled instead of requested again. */
function temporaryJob(): RemoteJob {
  let held: string | null = null;
  return {
    get id() {
      return held;
    },
    save(id) {
      held = id;
      return Promise.resolve();
    },
  };
}

/** Keeps the first rows of the pages that pass through. */
export class SampledRows {
  rows: (string | null)[][] = [];
  count = 0;
  /** Error of the source; null if all pages were read. */
  failure: unknown = null;

  constructor(private readonly limit: number) {}

  async *read(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
    try {
      for await (const page of pages) {
        this.count += page.rowCount;
        if (this.rows.length < this.limit) this.rows.push(...readLines(page.lines).slice(0, this.limit - this.rows.length));
        yield page;
      }
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/** Reads all pages, for what they pass through. */
export async function drain(pages: AsyncIterable<Page>): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]();
  while (!(await iterator.next()).done);
}
