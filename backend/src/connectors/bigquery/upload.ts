import { randomBytes } from 'node:crypto';
import type { ConnectorContext } from '../kit/contract.js';
import type { HttpAnswer } from '../kit/http.js';
import type { ApiRequest, BigQueryApi } from './api.js';
import { isTransient } from './errors.js';
import { BigQueryFailure } from './failure.js';
import { readJob, type Job } from './jobs.js';

/** The upload session has expired, and its data is lost. */
const GONE = [404, 410];
const TRIES = 5;
/** The size of all chunks except the last must be a multiple of this. */
const CHUNK_UNIT = 256 * 1024;

/** A load job with its rows in one request. */
export async function sendMultipart(api: BigQueryApi, context: ConnectorContext, metadata: object, rows: Buffer): Promise<Job> {
  const boundary = `tributary_${randomBytes(16).toString('hex')}`;
  const head = `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), rows, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const answer = await api.json(context, {
    ...uploadTarget(api, 'multipart'),
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: new Uint8Array(body),
  });
  return readJob(answer);
}

type UploadType = 'multipart' | 'resumable';

const uploadTarget = (api: BigQueryApi, type: UploadType): Pick<ApiRequest, 'method' | 'path'> => ({
  method: 'POST',
  path: `/upload${api.project}/jobs?uploadType=${type}`,
});

/** The load job of a slice that is sent in one request, without its rows. */
export const loadRequest = (api: BigQueryApi, metadata: object): ApiRequest => ({
  ...uploadTarget(api, 'multipart'),
  json: metadata,
});

/** A load job with any number of rows. Only the current chunk is in memory. */
export async function sendResumable(
  api: BigQueryApi,
  context: ConnectorContext,
  metadata: object,
  pieces: AsyncIterator<Buffer>,
  first: Buffer[],
): Promise<Job> {
  const upload = await Upload.start(api, context, metadata);
  let waiting = first;
  let bytes = first.reduce((sum, { length }) => sum + length, 0);
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    waiting.push(next.value);
    bytes += next.value.length;
    // Waits for more than a chunk: the last chunk declares the total size and must not be empty.
    if (bytes <= api.pace.chunkBytes) continue;
    const joined = Buffer.concat(waiting);
    const rest = await upload.send(joined.subarray(0, api.pace.chunkBytes));
    waiting = [rest, joined.subarray(api.pace.chunkBytes)];
    bytes = waiting.reduce((sum, { length }) => sum + length, 0);
  }
  return upload.end(Buffer.concat(waiting));
}

class Upload {
  private readonly api: BigQueryApi;
  private readonly context: ConnectorContext;
  private readonly url: URL;
  private offset = 0;

  private constructor(api: BigQueryApi, context: ConnectorContext, url: URL) {
    this.api = api;
    this.context = context;
    this.url = url;
  }

  static async start(api: BigQueryApi, context: ConnectorContext, metadata: object): Promise<Upload> {
    const headers = { 'x-upload-content-type': 'application/octet-stream' };
    const answer = await api.send(context, { ...uploadTarget(api, 'resumable'), headers, json: metadata });
    await answer.text();
    const url = URL.parse(answer.headers.get('location') ?? '');
    // The token is sent with every chunk, so only to BigQuery's own origin.
    if (url?.origin !== new URL(api.settings.baseUrl).origin) throw lost('an upload at another address');
    return new Upload(api, context, url);
  }

  /** Sends until all of it is acknowledged, even in small parts. Returns the rest that does not fill a unit. */
  async send(bytes: Buffer): Promise<Buffer> {
    let rest = bytes;
    for (let tries = 1; rest.length >= CHUNK_UNIT; tries++) {
      const answer = await this.put(rest.subarray(0, rest.length - (rest.length % CHUNK_UNIT)), null, tries);
      await answer.text();
      const arrived = this.arrived(answer, rest.length);
      if (arrived > 0) tries = 0;
      rest = rest.subarray(arrived);
    }
    return rest;
  }

  /** Sends the last chunk. The answer is the job. */
  async end(bytes: Buffer): Promise<Job> {
    const total = this.offset + bytes.length;
    let rest = bytes;
    for (let tries = 1; ; tries++) {
      const answer = await this.put(rest, total, tries);
      const text = await answer.text();
      if (answer.status !== 308) return readJob(parseOrNull(text));
      const arrived = this.arrived(answer, rest.length);
      if (arrived > 0) tries = 0;
      rest = rest.subarray(arrived);
    }
  }

  /** Number of bytes that arrived from the last request; advances the offset. */
  private arrived(answer: HttpAnswer, sent: number): number {
    const offset = arrivedBytes(answer);
    const arrived = offset - this.offset;
    if (answer.status !== 308 || arrived < 0 || arrived > sent) throw lost('an upload that lost received bytes');
    this.offset = offset;
    return arrived;
  }

  /** After a failure, requests how much has arrived, until there is an answer. */
  private async put(bytes: Buffer, total: number | null, goes: number): Promise<HttpAnswer> {
    if (goes > TRIES) throw lost('an upload that accepts no more data');
    const range = `${this.offset}-${this.offset + bytes.length - 1}`;
    for (let tries = 1; ; tries++) {
      try {
        const isAsking = tries > 1;
        return await this.request(isAsking ? Buffer.alloc(0) : bytes, `bytes ${isAsking ? '*' : range}/${total ?? '*'}`);
      } catch (error) {
        const isLost = error instanceof BigQueryFailure && error.reason === 'uploadLost';
        if (tries >= TRIES || isLost || !isTransient(error)) throw error;
        await this.api.pause(this.context, tries);
      }
    }
  }

  private async request(bytes: Buffer, range: string): Promise<HttpAnswer> {
    const { origin, pathname, searchParams } = this.url;
    const answer = await this.api.sendSignedIn(this.context, {
      method: 'PUT',
      baseUrl: origin,
      path: pathname,
      // The upload's address grants access to it, so it is not recorded.
      secretQuery: Object.fromEntries(searchParams),
      headers: { 'content-range': range },
      body: new Uint8Array(bytes),
      accepted: [308, ...GONE],
    });
    if (!GONE.includes(answer.status)) return answer;
    await answer.text();
    throw lost('an expired upload');
  }
}

/** `bytes=0-9` gives 10; a missing header gives 0. */
function arrivedBytes({ headers }: HttpAnswer): number {
  const last = /^bytes=0-(\d+)$/.exec(headers.get('range') ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

function lost(message: string): BigQueryFailure {
  return new BigQueryFailure({ status: 0, reason: 'uploadLost', message });
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
