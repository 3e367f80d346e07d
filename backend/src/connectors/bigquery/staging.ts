import type { ConnectorContext, Fence, Page, Slice } from '../kit/contract.js';
import type { BigQueryApi } from './api.js';
import { rowsLost } from './errors.js';
import { BigQueryFailure } from './failure.js';
import type { Job, Jobs } from './jobs.js';
import { OWN_LABEL, TABLE_MARKER } from './marks.js';
import { sliceName } from './names.js';
import { compressPages, type Sent } from './ndjson.js';
import { fieldsOf, referenceOf } from './tables.js';
import { sendMultipart, sendResumable } from './upload.js';

/** Whatever becomes of the worker, what it has staged goes away by itself. */
const STAGING_LIFE_MS = 24 * 3_600_000;
/** For clearing up after a failure, when the caller may already have stopped. */
const CLEAR_UP_MS = 5_000;

/**
 * Loads the pages into a table of their own. Each slice has one, so the 1,500 load jobs that BigQuery allows a table in a
 * day are never near; a small slice is one request, a large one an upload in parts.
 */
export class Staging {
  /** Of the table; null as long as there is none. */
  name: string | null = null;
  private readonly jobs: Jobs;
  private readonly api: BigQueryApi;
  private readonly slice: Slice;
  /** What the load jobs are called, but for their numbers. */
  private readonly base: string;

  constructor(jobs: Jobs, slice: Slice, fence: Fence) {
    this.jobs = jobs;
    this.api = jobs.api;
    this.slice = slice;
    this.base = `tributary_load_${sliceName(fence, slice)}`;
  }

  /** Rows and bytes that were loaded; no row at all needs no table. */
  async fill(context: ConnectorContext, pages: AsyncIterable<Page>): Promise<Sent> {
    const sent: Sent = { rows: 0, bytes: 0 };
    const pieces = compressPages(this.slice.stream, pages, sent, context.signal)[Symbol.asyncIterator]();
    try {
      const held: Buffer[] = [];
      let bytes = 0;
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
        held.push(next.value);
        bytes += next.value.length;
        if (bytes > this.api.pace.multipartBytes) return await this.load(context, sent, this.inParts(context, held, pieces));
      }
      if (sent.rows === 0) return sent;
      const body = Buffer.concat(held);
      return await this.load(context, sent, (jobId) => sendMultipart(this.api, context, this.metadata(jobId), body));
    } finally {
      // Whoever reads the source must learn that nobody listens any more.
      await pieces.return?.();
    }
  }

  /** Never the reason for a failure. The table would end by itself. */
  async remove(): Promise<void> {
    if (this.name === null) return;
    const context = { signal: AbortSignal.timeout(CLEAR_UP_MS), onRequest: () => undefined };
    const path = `${this.api.dataset}/tables/${this.name}`;
    await this.api.sendSignedIn(context, { method: 'DELETE', path, accepted: [404] }).then(
      (answer) => answer.text(),
      () => undefined,
    );
  }

  private async load(context: ConnectorContext, sent: Sent, start: (jobId: string) => Promise<Job>): Promise<Sent> {
    const jobId = await this.jobs.freeId(context, this.base);
    this.name = `_${jobId}`;
    await this.makeTable(context, this.name);
    const { statistics } = await this.jobs.run(context, this.base, start, { first: jobId });
    if (statistics?.load?.outputRows !== String(sent.rows)) throw rowsLost();
    return sent;
  }

  /** What has been sent in parts is gone: a second job would need the source once more. */
  private inParts(context: ConnectorContext, held: Buffer[], pieces: AsyncIterator<Buffer>): (jobId: string) => Promise<Job> {
    let isSpent = false;
    return (jobId) => {
      if (isSpent)
        throw new BigQueryFailure({ status: 0, reason: 'jobBackendError', message: 'the rows have been sent already' });
      isSpent = true;
      return sendResumable(this.api, context, this.metadata(jobId), pieces, held);
    };
  }

  private async makeTable(context: ConnectorContext, name: string): Promise<void> {
    const json = {
      tableReference: referenceOf(this.api, name),
      schema: { fields: fieldsOf(this.slice.stream) },
      description: `Rows on their way into a table. ${TABLE_MARKER}.`,
      labels: OWN_LABEL,
      expirationTime: String(this.api.settings.now().getTime() + STAGING_LIFE_MS),
    };
    await this.api
      .send(context, { method: 'POST', path: `${this.api.dataset}/tables`, json, accepted: [409] })
      .then((answer) => answer.text());
  }

  private metadata(jobId: string): object {
    const load = {
      destinationTable: referenceOf(this.api, this.name ?? ''),
      sourceFormat: 'NEWLINE_DELIMITED_JSON',
      createDisposition: 'CREATE_NEVER',
      // A load that comes late, after all, finds the rows of its successor and fails.
      writeDisposition: 'WRITE_EMPTY',
      maxBadRecords: 0,
      ignoreUnknownValues: false,
    };
    return { configuration: { load, ...this.jobs.jobOptions('load') }, jobReference: this.jobs.reference(jobId) };
  }
}
