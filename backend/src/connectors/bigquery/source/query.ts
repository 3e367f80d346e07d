import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ConnectorContext } from '../../kit/contract.js';
import { ReadMeter, type ReadLimits, tooManyRows } from '../../kit/records/read-meter.js';
import { BigQueryFailure } from '../failure.js';
import { type Jobs, neverFinished } from '../jobs.js';
import type { Parameter } from '../sql.js';
import { exceedsLimit, notSelect, toSourceError, tooExpensive } from './errors.js';
import { fieldSchema, type ResultField, type ResultRow, rowSchema } from './values.js';

/** For a slower query, BigQuery answers without rows; they are then requested again. */
const ANSWER_WITHIN_MS = 10_000;
/** BigQuery returns fewer rows if they are larger than about 10 MB. */
const ROWS_PER_ANSWER = 1_000;

const schemaSchema = z.object({ fields: z.array(fieldSchema).default([]) });
const dryRunSchema = z.object({
  statistics: z.object({
    totalBytesProcessed: z.string().default('0'),
    query: z.object({ statementType: z.string().default(''), schema: schemaSchema.optional() }),
  }),
});
const answerSchema = z.object({
  jobComplete: z.boolean(),
  jobReference: z.object({ jobId: z.string() }).optional(),
  schema: schemaSchema.optional(),
  totalRows: z.string().default('0'),
  pageToken: z.string().optional(),
  rows: z.array(rowSchema).default([]),
});
type Answer = z.infer<typeof answerSchema>;

export interface DryRun {
  fields: ResultField[];
  bytes: number;
}

export interface ResultPage {
  rows: ResultRow[];
  fields: ResultField[];
  bytes: number;
}

/**
 * Checks a query without running it. Only a single SELECT passes: BigQuery itself classifies the statement, and a script or a
 * statement that changes data has another type.
 */
export async function dryRun(jobs: Jobs, context: ConnectorContext, query: string, parameters: Parameter[]): Promise<DryRun> {
  const { api } = jobs;
  const { projectId, location } = api.destination;
  // A dry run is free. Its bytes are compared by the caller, so that the error can name them.
  const { maximumBytesBilled: _limit, ...options } = jobs.queryOptions(parameters);
  const json = { configuration: { dryRun: true, query: { query, ...options } }, jobReference: { projectId, location } };
  const body = await translated(jobs, true, () => api.json(context, { method: 'POST', path: `${api.project}/jobs`, json }));
  const parsed = dryRunSchema.safeParse(body);
  if (!parsed.success) throw toSourceError(notAnAnswer(), placeOf(jobs, true));
  const { totalBytesProcessed, query: statement } = parsed.data.statistics;
  if (statement.statementType !== 'SELECT') throw notSelect();
  return { fields: statement.schema?.fields ?? [], bytes: Number(totalBytesProcessed) };
}

/** BigQuery enforces the same limit, and rounds the bytes of each table up to 10 MB. */
export function assertAffordable({ bytes }: DryRun, { api: { destination } }: Jobs): void {
  if (exceedsLimit(bytes, destination)) throw tooExpensive(bytes, destination);
}

/** Runs a query that passed a dry run. The request id prevents a second job when the request is retried. */
export async function* readPages(
  jobs: Jobs,
  context: ConnectorContext,
  statement: { query: string; parameters: Parameter[] },
  limits: ReadLimits,
): AsyncGenerator<ResultPage> {
  const meter = new ReadMeter('bigquery', limits);
  let answer = await meter.time(() => translated(jobs, false, () => finishedAnswer(jobs, context, statement)));
  const { jobId = '' } = answer.jobReference ?? {};
  const fields = answer.schema?.fields ?? [];
  if (Number(answer.totalRows) > limits.rows) throw tooManyRows('bigquery', limits.rows);
  for (;;) {
    const bytes = Buffer.byteLength(JSON.stringify(answer.rows));
    meter.add(answer.rows.length, bytes);
    yield { rows: answer.rows, fields, bytes };
    const { pageToken } = answer;
    if (pageToken === undefined) return;
    answer = await meter.time(() => translated(jobs, false, () => nextAnswer(jobs, context, jobId, pageToken)));
  }
}

const waitMs = ({ api }: Jobs): number => Math.min(ANSWER_WITHIN_MS, api.pace.jobTimeoutMs);

const formatOptions = { useInt64Timestamp: true };

async function finishedAnswer(
  jobs: Jobs,
  context: ConnectorContext,
  { query, parameters }: { query: string; parameters: Parameter[] },
): Promise<Answer> {
  const { api } = jobs;
  const { location } = api.destination;
  const request = {
    query,
    location,
    requestId: randomUUID(),
    timeoutMs: waitMs(jobs),
    maxResults: ROWS_PER_ANSWER,
    formatOptions,
  };
  const deadline = performance.now() + api.pace.jobTimeoutMs;
  const json = { ...request, ...jobs.queryOptions(parameters) };
  let answer = read(await api.json(context, { method: 'POST', path: `${api.project}/queries`, json }));
  const { jobId = '' } = answer.jobReference ?? {};
  while (!answer.jobComplete) {
    if (performance.now() > deadline) {
      await jobs.cancel(context, jobId);
      throw neverFinished(jobId);
    }
    answer = await jobs.unlessStopped(context, jobId, () => nextAnswer(jobs, context, jobId, null));
  }
  return { ...answer, jobReference: { jobId } };
}

async function nextAnswer(jobs: Jobs, context: ConnectorContext, jobId: string, pageToken: string | null): Promise<Answer> {
  const { api } = jobs;
  const parameters = new URLSearchParams({
    ...{ location: api.destination.location, timeoutMs: String(waitMs(jobs)), maxResults: String(ROWS_PER_ANSWER) },
    'formatOptions.useInt64Timestamp': 'true',
    ...(pageToken !== null && { pageToken }),
  });
  return read(await api.json(context, { method: 'GET', path: `${api.project}/queries/${jobId}?${parameters.toString()}` }));
}

function read(body: unknown): Answer {
  const parsed = answerSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw notAnAnswer();
}

const notAnAnswer = (): BigQueryFailure =>
  new BigQueryFailure({ status: 200, reason: 'backendError', message: 'an answer that is not a query result' });

const placeOf = ({ api }: Jobs, isDryRun: boolean) => ({
  ...{ destination: api.destination, isDryRun, jobTimeoutMs: api.pace.jobTimeoutMs },
});

async function translated<Result>(jobs: Jobs, isDryRun: boolean, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toSourceError(error, placeOf(jobs, isDryRun));
  }
}
