import type { ConnectorContext, Fence, Page, Slice } from '../kit/contract.js';
import type { ApiRequest, BigQueryApi } from './api.js';
import { rowsLost } from './errors.js';
import { BigQueryFailure } from './failure.js';
import type { Job, Jobs } from './jobs.js';
import { OWN_LABEL, TABLE_MARKER } from './markers.js';
import { sliceName } from './names.js';
import { compressPages, type Sent } from './ndjson.js';
import { fieldsOf, referenceOf } from './tables.js';
import { sendMultipart, sendResumable } from './upload.js';

/** Staging tables expire automatically, also if the worker crashes. */
const STAGING_LIFE_MS = 24 * 3_600_000;
/** Time limit for the cleanup after a failure, when the caller may already be aborted. */
const CLEAR_UP_MS = 5_000;

/**
 * Loads the pages into a staging table. Each slice has its own, so BigQuery's limit of 1,500 load jobs per table and day is never
 * reached. A small slice is one request, a large one a resumable upload.
 */
export class Staging {
  /** Name of the table; null until it is created. */
  name: string | null = null;
  private readonly jobs: Jobs;
  private readonly api: BigQueryApi;
  private readonly slice: Slice;
  /** Base name of the load jobs, without their number. */
  private readonly base: string;

  constructor(jobs: Jobs, slice: Slice, fence: Fence) {
    this.jobs = jobs;
    this.api = jobs.api;
    this.slice = slice;
    this.base = loadBase(slice, fence);
  }

  /** Returns the rows and bytes that were loaded. Creates no table if there are no rows. */
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
      // Stops the source when its rows are no longer needed.
      await pieces.return?.();
    }
  }

  /** Never fails: the table expires automatically. */
  async remove(): Promise<void> {
    if (this.name === null) return;
    const context = { signal: AbortSignal.timeout(CLEAR_UP_MS), onRequest: () => undefined };
    await this.api.sendSignedIn(context, removalRequest(this.api, this.name)).then(
      (answer) => answer.text(),
      () => undefined,
    );
  }

  private async load(context: ConnectorContext, sent: Sent, start: (jobId: string) => Promise<Job>): Promise<Sent> {
    const jobId = await this.jobs.freeId(context, this.base);
    this.name = `_${jobId}`;
    await this.api.send(context, stagingRequest(this.api, this.slice, this.name)).then((answer) => answer.text());
    const { statistics } = await this.jobs.run(context, this.base, start, { first: jobId });
    if (statistics?.load?.outputRows !== String(sent.rows)) throw rowsLost();
    return sent;
  }

  /** The chunks already sent are no longer in memory, so a second job would have to read the source again. */
  private inParts(context: ConnectorContext, held: Buffer[], pieces: AsyncIterator<Buffer>): (jobId: string) => Promise<Job> {
    let isSpent = false;
    return (jobId) => {
      if (isSpent) throw new BigQueryFailure({ status: 0, reason: 'jobBackendError', message: 'the rows were already sent' });
      isSpent = true;
      return sendResumable(this.api, context, this.metadata(jobId), pieces, held);
    };
  }

  private metadata(jobId: string): object {
    return loadMetadata(this.jobs, jobId, this.name ?? '');
  }
}

/** Base name of the load jobs of a slice, without their number. */
export const loadBase = (slice: Slice, fence: Fence): string => `tributary_load_${sliceName(fence, slice)}`;

export function stagingRequest(api: BigQueryApi, { stream }: Slice, name: string): ApiRequest {
  const json = {
    tableReference: referenceOf(api, name),
    schema: { fields: fieldsOf(stream) },
    description: `Staged rows of a load. ${TABLE_MARKER}.`,
    labels: OWN_LABEL,
    expirationTime: String(api.settings.now().getTime() + STAGING_LIFE_MS),
  };
  return { method: 'POST', path: `${api.dataset}/tables`, json, accepted: [409] };
}

export function loadMetadata(jobs: Jobs, jobId: string, table: string): object {
  const load = {
    destinationTable: referenceOf(jobs.api, table),
    sourceFormat: 'NEWLINE_DELIMITED_JSON',
    createDisposition: 'CREATE_NEVER',
    // A delayed duplicate load finds the rows of the later one and fails.
    writeDisposition: 'WRITE_EMPTY',
    maxBadRecords: 0,
    ignoreUnknownValues: false,
  };
  return { configuration: { load, ...jobs.jobOptions('load') }, jobReference: jobs.reference(jobId) };
}

export function removalRequest(api: BigQueryApi, table: string): ApiRequest {
  return { method: 'DELETE', path: `${api.dataset}/tables/${table}`, accepted: [404] };
}
