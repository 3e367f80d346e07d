import { sendJson } from '../router.ts';
import { numberOr, pageToken, readBody, readPageToken, textOf, type BigQuery, type Call } from './call.ts';
import { BigQueryError, notInSandbox, statusOf } from './errors.ts';
import { unavailable } from './faults.ts';
import type { Job } from './jobs.ts';
import { demandInProject, findProject } from './principals.ts';
import { prepareQuery, type QueryRequest } from './query-work.ts';
import { formatRows, schemaOf } from './results.ts';

/** Default wait for the end of the query. */
const defaultTimeoutMs = 10_000;
const longestTimeoutMs = 200_000;
const rowsPerPage = 10_000;
/** Requests with the same id within this time are the same query. */
const requestIdLifeMs = 15 * 60_000;

/** Common parameters of `jobs.query` and `jobs.insert`. */
export function readQueryRequest(body: Record<string, unknown>, call: Call, location: unknown): QueryRequest {
  if (body.useLegacySql !== false) throw notInSandbox('legacy SQL: set useLegacySql to false');
  for (const name of ['destinationTable', 'dryRun', 'createSession', 'tableDefinitions'])
    if (body[name]) throw notInSandbox(`queries with ${name}`);
  if (body.parameterMode === 'POSITIONAL') throw notInSandbox('positional query parameters');
  return {
    projectId: call.params.projectId ?? '',
    query: textOf(body.query, 'query'),
    location: typeof location === 'string' ? location : null,
    defaultDataset: (body.defaultDataset ?? null) as QueryRequest['defaultDataset'],
    parameters: body.queryParameters,
    maximumBytesBilled: numberOr(body.maximumBytesBilled, null, 'maximumBytesBilled'),
    principal: call.principal,
    isDryRun: false,
  };
}

export class QueryRoutes {
  readonly #bigQuery: BigQuery;
  readonly #byRequestId = new Map<string, { job: Job; atMs: number }>();

  constructor(bigQuery: BigQuery) {
    this.#bigQuery = bigQuery;
  }

  async query(call: Call): Promise<void> {
    const { projectId = '' } = call.params;
    const body = readBody(call.body);
    findProject(projectId);
    demandInProject(call.principal, 'jobs.create', projectId);
    const job = this.#known(body.requestId) ?? this.#start(body, call);
    if (typeof body.requestId === 'string') this.#byRequestId.set(body.requestId, { job, atMs: Date.now() });
    const occasion = { ...call.occasion, resource: 'query' };
    if (this.#bigQuery.faults.strike('fails_after_applying', occasion, call)) throw unavailable();
    await this.#bigQuery.jobs.wait(job, timeoutOf(body.timeoutMs));
    const options = body.formatOptions as { useInt64Timestamp?: boolean } | undefined;
    this.#send(call, job, {
      kind: 'bigquery#queryResponse',
      start: 0,
      maxResults: numberOr(body.maxResults, rowsPerPage, 'maxResults'),
      isInt64Timestamp: options?.useInt64Timestamp === true,
    });
  }

  async results(call: Call): Promise<void> {
    const { projectId = '', jobId = '' } = call.params;
    const { searchParams } = call.url;
    const job = this.#bigQuery.jobs.get(findProject(projectId).id, searchParams.get('location'), jobId);
    await this.#bigQuery.jobs.wait(job, timeoutOf(searchParams.get('timeoutMs')));
    const token = searchParams.get('pageToken');
    this.#send(call, job, {
      kind: 'bigquery#getQueryResultsResponse',
      start: token ? readPageToken(token) : numberOr(searchParams.get('startIndex'), 0, 'startIndex'),
      maxResults: numberOr(searchParams.get('maxResults'), rowsPerPage, 'maxResults'),
      isInt64Timestamp: searchParams.get('formatOptions.useInt64Timestamp') === 'true',
    });
  }

  #known(requestId: unknown): Job | undefined {
    if (requestId === undefined) return undefined;
    if (typeof requestId !== 'string' || requestId.length > 36 || !/^[\x20-\x7e]*$/.test(requestId))
      throw new BigQueryError(400, 'invalid', 'Invalid value for requestId: at most 36 ASCII characters are allowed');
    const known = this.#byRequestId.get(requestId);
    return known && known.atMs > Date.now() - requestIdLifeMs ? known.job : undefined;
  }

  #start(body: Record<string, unknown>, call: Call): Job {
    const request = readQueryRequest(body, call, body.location);
    const { location, work } = prepareQuery(this.#bigQuery, request);
    const { query, queryParameters, maximumBytesBilled, labels } = body;
    const configuration = { query: { query, queryParameters, maximumBytesBilled, useLegacySql: false }, labels };
    return this.#bigQuery.jobs.insert({ projectId: request.projectId, location, configuration }, call.principal, work);
  }

  #send(call: Call, job: Job, view: { kind: string; start: number; maxResults: number; isInt64Timestamp: boolean }): void {
    const { projectId, jobId, location, statistics } = job;
    const reference = { projectId, jobId, location };
    if (job.state !== 'DONE')
      return sendJson(call.response, 200, { kind: view.kind, jobReference: reference, jobComplete: false });
    if (job.error) throw new BigQueryError(statusOf(job.error.reason), job.error.reason, job.error.message);
    const { columns, cells } = this.#bigQuery.jobs.rowsOf(job) ?? { columns: [], cells: [] };
    const schema = schemaOf(columns);
    const end = view.start + Math.min(view.maxResults, rowsPerPage);
    const rows = formatRows(cells.slice(view.start, end), schema.fields, view.isInt64Timestamp);
    const { numDmlAffectedRows } = (statistics.query ?? {}) as { numDmlAffectedRows?: string };
    sendJson(call.response, 200, {
      kind: view.kind,
      schema,
      jobReference: reference,
      totalRows: String(cells.length),
      ...(end < cells.length && { pageToken: pageToken(end) }),
      ...(rows.length > 0 && { rows }),
      totalBytesProcessed: statistics.totalBytesProcessed,
      jobComplete: true,
      cacheHit: false,
      ...(numDmlAffectedRows !== undefined && { numDmlAffectedRows }),
    });
  }
}

function timeoutOf(value: unknown): number {
  return Math.min(numberOr(value, defaultTimeoutMs, 'timeoutMs'), longestTimeoutMs);
}
