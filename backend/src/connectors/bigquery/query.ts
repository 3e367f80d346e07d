import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import type { ApiRequest } from './api.js';
import { BigQueryFailure } from './failure.js';
import { type Jobs, neverFinished } from './jobs.js';
import type { Parameter } from './sql.js';

/** For a slower query, BigQuery answers without rows; they are then requested again. */
const ANSWER_WITHIN_MS = 10_000;

const resultSchema = z.object({
  jobComplete: z.boolean(),
  jobReference: z.object({ jobId: z.string() }).optional(),
  pageToken: z.string().optional(),
  rows: z.array(z.object({ f: z.array(z.object({ v: z.string().nullable() })) })).default([]),
});

type Result = z.infer<typeof resultSchema>;

/** The rows of a SELECT. Every value is text or null. The request id prevents duplicate queries when the request is retried. */
export async function readRows(
  jobs: Jobs,
  context: ConnectorContext,
  query: string,
  parameters: Parameter[] = [],
): Promise<(string | null)[][]> {
  const { api } = jobs;
  const { location } = api.destination;
  const deadline = performance.now() + api.pace.jobTimeoutMs;
  const rows: (string | null)[][] = [];
  let result = read(await api.json(context, queryRequest(jobs, query, parameters, randomUUID())));
  const { jobId = '' } = result.jobReference ?? {};
  for (;;) {
    rows.push(...result.rows.map(({ f }) => f.map(({ v }) => v)));
    if (result.jobComplete && !result.pageToken) return rows;
    if (performance.now() > deadline) {
      await jobs.cancel(context, jobId);
      throw neverFinished(jobId);
    }
    const parameters = new URLSearchParams({
      location,
      timeoutMs: String(ANSWER_WITHIN_MS),
      ...(result.pageToken && { pageToken: result.pageToken }),
    });
    const path = `${api.project}/queries/${jobId}?${parameters.toString()}`;
    result = read(await jobs.unlessStopped(context, jobId, () => api.json(context, { method: 'GET', path })));
  }
}

export function queryRequest(jobs: Jobs, query: string, parameters: Parameter[], requestId: string): ApiRequest {
  const { destination, project } = jobs.api;
  const options = { location: destination.location, requestId, timeoutMs: ANSWER_WITHIN_MS, ...jobs.queryOptions(parameters) };
  return { method: 'POST', path: `${project}/queries`, json: { query, ...options } };
}

function read(body: unknown): Result {
  const parsed = resultSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new BigQueryFailure({ status: 200, reason: 'backendError', message: 'an answer that is not a query result' });
}
