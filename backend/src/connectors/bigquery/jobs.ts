import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import type { ApiRequest, BigQueryApi } from './api.js';
import { isTransient } from './errors.js';
import { BigQueryFailure } from './failure.js';
import type { Parameter } from './sql.js';

const FIRST_POLL_MS = 50;
const POLL_GROWTH = 1.6;
/** Per job. Each attempt has its own id, because the id of a failed job cannot be reused. */
const ATTEMPTS = 8;
/** Time limit for canceling a job after the caller was aborted. */
const CANCEL_MS = 5_000;
const BYTES_PER_GIB = 2n ** 30n;

const jobSchema = z.object({
  status: z.object({
    state: z.enum(['PENDING', 'RUNNING', 'DONE']),
    // `errors` alone are warnings. Only `errorResult` means that the job failed.
    errorResult: z.object({ reason: z.string().default(''), message: z.string().default('') }).optional(),
  }),
  statistics: z.object({ load: z.object({ outputRows: z.string().optional() }).optional() }).optional(),
});

export type Job = z.infer<typeof jobSchema>;

export function readJob(body: unknown): Job {
  const parsed = jobSchema.safeParse(body);
  if (!parsed.success) throw new BigQueryFailure({ status: 200, reason: 'backendError', message: 'an answer that is not a job' });
  return parsed.data;
}

/** Runs jobs with ids chosen here, so that after a lost answer the job is looked up instead of repeated. */
export class Jobs {
  readonly api: BigQueryApi;
  /** Number of ids used per base name. */
  private readonly used = new Map<string, number>();

  constructor(api: BigQueryApi) {
    this.api = api;
  }

  /**
   * The next id that BigQuery does not have. An older job with the same base is from a worker that crashed; it is canceled if it
   * still runs.
   */
  async freeId(context: ConnectorContext, base: string): Promise<string> {
    for (;;) {
      const number = (this.used.get(base) ?? 0) + 1;
      this.used.set(base, number);
      const jobId = `${base}_${number}`;
      const found = await this.api.find(context, this.pathOf(jobId));
      if (found === null) return jobId;
      if (readJob(found).status.state !== 'DONE') await this.cancel(context, jobId);
    }
  }

  /**
   * Starts a job until it succeeds or fails permanently. `start` is called with a new id each time; `first` is a free id.
   * `inTurn` holds the mutex during each job but not between retries, so that a job that keeps failing does not block the others.
   */
  async run(
    context: ConnectorContext,
    base: string,
    start: (jobId: string) => Promise<Job | null>,
    { first, inTurn = (work) => work() }: { first?: string; inTurn?: (work: () => Promise<Job>) => Promise<Job> } = {},
  ): Promise<Job> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTurn(async () => {
          const jobId = attempt === 1 && first ? first : await this.freeId(context, base);
          const beganAt = performance.now();
          return this.unlessStopped(context, jobId, async () =>
            this.finish(context, jobId, await this.started(context, jobId, start), beganAt),
          );
        });
      } catch (error) {
        const isOver = attempt >= ATTEMPTS || context.signal.aborted || !isJobFailure(error);
        if (isOver || !isTransient(error)) throw error;
        await this.api.pause(context, attempt);
      }
    }
  }

  runQuery(
    context: ConnectorContext,
    base: string,
    query: string,
    parameters: Parameter[],
    inTurn?: (work: () => Promise<Job>) => Promise<Job>,
  ): Promise<Job> {
    const start = async (jobId: string) => readJob(await this.api.json(context, this.queryJobRequest(jobId, query, parameters)));
    return this.run(context, base, start, { ...(inTurn && { inTurn }) });
  }

  queryJobRequest(jobId: string, query: string, parameters: Parameter[]): ApiRequest {
    const configuration = { query: { query, ...this.queryOptions(parameters) }, ...this.jobOptions('replace') };
    return { method: 'POST', path: `${this.api.project}/jobs`, json: { configuration, jobReference: this.reference(jobId) } };
  }

  queryOptions(parameters: Parameter[]): Record<string, unknown> {
    return {
      useLegacySql: false,
      maximumBytesBilled: String(BigInt(this.api.destination.maximumGibPerQuery) * BYTES_PER_GIB),
      parameterMode: 'NAMED',
      queryParameters: parameters.map(({ name, type, value }) => ({ name, parameterType: { type }, parameterValue: { value } })),
    };
  }

  /** BigQuery stops the job of a crashed worker automatically. An open transaction would block all others. */
  jobOptions(purpose: string): Record<string, unknown> {
    return { labels: { tributary: purpose }, jobTimeoutMs: String(this.api.pace.jobTimeoutMs) };
  }

  reference(jobId: string): Record<string, string> {
    const { projectId, location } = this.api.destination;
    return { projectId, jobId, location };
  }

  /** Cancels the jobs of a base name and waits for their end. A job that was canceled may still succeed. */
  async endAll(context: ConnectorContext, base: string): Promise<void> {
    for (let number = 1; ; number++) {
      const jobId = `${base}_${number}`;
      const found = await this.api.find(context, this.pathOf(jobId));
      if (found === null) return;
      if (readJob(found).status.state === 'DONE') continue;
      await this.cancel(context, jobId);
      await this.ended(context, jobId, null);
    }
  }

  async cancel(context: ConnectorContext, jobId: string): Promise<void> {
    const path = this.pathOf(jobId).replace('?', '/cancel?');
    await this.api.json(context, { method: 'POST', path }).catch((error: unknown) => {
      if (!(error instanceof BigQueryFailure) || error.status !== 404) throw error;
    });
  }

  /**
   * Cancels the job of a run that is canceled, paused or lost to another worker. The job would otherwise hold locks and cost
   * money.
   */
  async unlessStopped<Result>(context: ConnectorContext, jobId: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      // A failed cancel is ignored: BigQuery stops the job at its own time limit.
      if (context.signal.aborted)
        await this.cancel({ signal: AbortSignal.timeout(CANCEL_MS), onRequest: () => undefined }, jobId).catch(() => undefined);
      throw error;
    }
  }

  /** 409 means that an earlier attempt without an answer did arrive, because the id was free before. */
  private async started(
    context: ConnectorContext,
    jobId: string,
    start: (jobId: string) => Promise<Job | null>,
  ): Promise<Job | null> {
    try {
      return await start(jobId);
    } catch (error) {
      if (error instanceof BigQueryFailure && error.status === 409) return null;
      throw error;
    }
  }

  private async finish(context: ConnectorContext, jobId: string, started: Job | null, beganAt: number): Promise<Job> {
    const { jobTimeoutMs } = this.api.pace;
    const job = await this.ended(context, jobId, started);
    const { errorResult } = job.status;
    // BigQuery applies the same limit itself and may stop the job first.
    if (errorResult?.reason === 'stopped' && performance.now() - beganAt >= jobTimeoutMs) throw neverFinished(jobId);
    if (errorResult) throw new BigQueryFailure({ status: 200, ...errorResult });
    return job;
  }

  private async ended(context: ConnectorContext, jobId: string, started: Job | null): Promise<Job> {
    const deadline = performance.now() + this.api.pace.jobTimeoutMs;
    let job = started;
    for (let waitMs = FIRST_POLL_MS; job?.status.state !== 'DONE'; waitMs *= POLL_GROWTH) {
      if (performance.now() > deadline) {
        await this.cancel(context, jobId);
        throw neverFinished(jobId);
      }
      if (job)
        await delay(Math.min(waitMs, this.api.pace.pollMs), undefined, { signal: context.signal }).catch(() =>
          context.signal.throwIfAborted(),
        );
      job = readJob(await this.api.json(context, { method: 'GET', path: this.pathOf(jobId) }));
    }
    return job;
  }

  private pathOf(jobId: string): string {
    return `${this.api.project}/jobs/${jobId}?location=${encodeURIComponent(this.api.destination.location)}`;
  }
}

/** Not retried immediately: the next job would most likely take as long. */
export const neverFinished = (jobId: string): BigQueryFailure =>
  new BigQueryFailure({ status: 0, reason: 'jobNeverFinished', message: jobId });

/** The job itself failed, and a new one may succeed. Failed requests were already retried. */
function isJobFailure(error: unknown): boolean {
  return error instanceof BigQueryFailure && error.status === 200;
}
