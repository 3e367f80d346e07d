import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readBody, type BigQuery, type Call } from './call.ts';
import { BigQueryError, invalid, notInSandbox } from './errors.ts';
import { acceptJob, answerJob } from './job-routes.ts';
import type { Job } from './jobs.ts';
import type { Principal } from './principals.ts';

/** The size of chunks must be a multiple of this, except for the last. */
const chunkUnit = 256 * 1024;
/** The sandbox stores uploads in memory. */
const uploadLimitBytes = 512 * 1024 * 1024;
const sessionLifeMs = 7 * 86_400_000;

interface Session {
  principal: Principal;
  metadata: Record<string, unknown>;
  projectId: string;
  chunks: Buffer[];
  received: number;
  createdAtMs: number;
  /** Its outcome. */
  job: Job | null;
}

/** Load jobs with rows: in one multipart request, or in a resumable upload. */
export class Uploads {
  readonly #bigQuery: BigQuery;
  readonly #sessions = new Map<string, Session>();

  constructor(bigQuery: BigQuery) {
    this.#bigQuery = bigQuery;
  }

  async start(call: Call): Promise<void> {
    const type = call.url.searchParams.get('uploadType');
    const body = await readBytes(call.request);
    if (type === 'multipart') return this.#multipart(call, body);
    if (type !== 'resumable') throw notInSandbox(`uploads of the type ${String(type)}`);
    const id = randomBytes(24).toString('base64url');
    this.#sessions.set(id, {
      principal: call.principal,
      metadata: readBody(body.toString('utf8')),
      projectId: call.params.projectId ?? '',
      chunks: [],
      received: 0,
      createdAtMs: Date.now(),
      job: null,
    });
    const location = `${call.baseUrl}${call.url.pathname}?uploadType=resumable&upload_id=${id}`;
    call.response.writeHead(200, { location, 'x-guploader-uploadid': id, 'content-length': '0' }).end();
  }

  /** The session's address grants access, so no token is required. */
  async resume(call: Omit<Call, 'principal'>): Promise<void> {
    const session = this.#sessions.get(call.url.searchParams.get('upload_id') ?? '');
    const chunk = await readBytes(call.request);
    const isLost = this.#bigQuery.faults.strike('lose_upload', call.occasion, call) !== undefined;
    if (!session || isLost || session.createdAtMs < Date.now() - sessionLifeMs)
      throw new BigQueryError(410, 'uploadSessionGone', 'The upload session is no longer known. Start a new one.');
    const own: Call = { ...call, principal: session.principal };
    if (session.job) return answerJob(this.#bigQuery, own, session.job);
    const range = readRange(call.request.headers['content-range'], chunk.length);
    if (range.start !== null) this.#keep(session, chunk, range.start, range.total, call);
    if (range.total !== session.received) return continueFrom(call, session.received);
    session.job = acceptJob(this.#bigQuery, own, session.metadata, session.chunks);
    answerJob(this.#bigQuery, own, session.job);
  }

  #keep(session: Session, chunk: Buffer, start: number, total: number | null, call: Omit<Call, 'principal'>): void {
    if (start > session.received)
      throw invalid(
        `Invalid request. According to the Content-Range header, the upload offset is ${start} byte(s), which exceeds already uploaded size of ${session.received} byte(s).`,
      );
    const isLast = total === start + chunk.length;
    if (!isLast && chunk.length % chunkUnit !== 0)
      throw invalid(
        `Invalid request. The number of bytes uploaded is required to be a multiple of ${chunkUnit}, except for the final request.`,
      );
    const isPartial = this.#bigQuery.faults.strike('partial_upload', call.occasion, call) !== undefined;
    const end = isPartial ? Math.floor(chunk.length / 2) : chunk.length;
    // Skips bytes that already arrived.
    const fresh = chunk.subarray(session.received - start, end);
    if (fresh.length > 0) session.chunks.push(fresh);
    session.received += fresh.length;
    if (session.received > uploadLimitBytes) throw notInSandbox(`uploads of more than ${uploadLimitBytes} bytes`);
  }

  #multipart(call: Call, body: Buffer): void {
    const boundary = /boundary="?([^";]+)"?/.exec(call.request.headers['content-type'] ?? '')?.[1];
    const parts = boundary ? splitParts(body, boundary) : [];
    const [metadata, media] = parts;
    if (!metadata || !media || parts.length !== 2)
      throw invalid('A multipart upload has to have two parts: the job and its rows');
    answerJob(this.#bigQuery, call, acceptJob(this.#bigQuery, call, readBody(metadata.toString('utf8')), [media]));
  }
}

/** 308 with the received range; without Range if nothing arrived. */
function continueFrom({ response }: Omit<Call, 'principal'>, received: number): void {
  response.writeHead(308, 'Resume Incomplete', {
    'content-length': '0',
    ...(received > 0 && { range: `bytes=0-${received - 1}` }),
  });
  response.end();
}

/** `bytes 0-9/10`. An asterisk replaces an unknown total, or the range in a status query. */
function readRange(header: string | undefined, length: number): { start: number | null; total: number | null } {
  if (header === undefined) return { start: 0, total: length };
  const [whole, start, end, total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(header) ?? [];
  if (whole === undefined || (start === undefined ? length > 0 : Number(end) - Number(start) + 1 !== length))
    throw invalid(`Failed to parse Content-Range header: ${header}`);
  return { start: start === undefined ? null : Number(start), total: total === '*' ? null : Number(total) };
}

function splitParts(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`);
  const parts: Buffer[] = [];
  let start = body.indexOf(mark);
  while (start >= 0) {
    const next = body.indexOf(Buffer.concat([Buffer.from('\r\n'), mark]), start + mark.length);
    if (next < 0) break;
    const part = body.subarray(start + mark.length, next);
    const headEnd = part.indexOf('\r\n\r\n');
    if (headEnd >= 0) parts.push(part.subarray(headEnd + 4));
    start = next + 2;
  }
  return parts;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > uploadLimitBytes) throw notInSandbox(`uploads of more than ${uploadLimitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
