import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ConnectorContext } from '../kit/contract.js';
import type { BigQueryApi } from './api.js';
import { isPassing } from './errors.js';
import { BigQueryFailure } from './failure.js';
import type { Parameter } from './sql.js';

const FIRST_POLL_MS = 50;
const POLL_GROWTH = 1.6;
/** Of one job, each under an id of its own: the id of a failed job is burned. */
const ATTEMPTS = 8;
/** For cancelling a job when the caller has already stopped. */
const CANCEL_MS = 5_000;
const BYTES_PER_GIB = 2n ** 30n;

const jobSchema = z.object({
  status: z.object({
    state: z.enum(['PENDING', 'RUNNING', 'DONE']),
    // `errors` alone are warnings: only this one says that the job failed.
    errorResult: z.object({ reason: z.string().default(''), message: z.string().default('') }).optional(),
  }),
  statistics: z.object({ load: z.object({ outputRows: z.string().optional() }).optional() }).optional(),
});

export type Job = z.infer<typeof jobSchema>;

export function readJob(body: unknown): Job {
  const parsed = jobSchema.safeParse(body);
  if (!parsed.success) throw new BigQueryFailure({ status: 200, reason: 'backendError', message: 'an answer that is no job' });
  return parsed.data;
}

/** Jobs with ids of our own, so that a lost answer is looked up instead of repeated. */
export class Jobs {
  readonly api: BigQueryApi;
  /** By the base of an id: how many numbers were used. */
  private readonly used = new Map<string, number>();

  constructor(api: BigQueryApi) {
    this.api = api;
  }

  /**
   * The next id that BigQuery does not know. An older job of the same name is one of ours whose worker has forgotten it: it is
   * cancelled if it still runs.
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
   * Starts a job until it succeeds or fails permanently. `start` is called with a new id each time; `first` is one that is free.
   * `inTurn` holds each job, and not the pauses between them: a job that fails again and again must not hold up the others.
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
        if (isOver || !isPassing(error)) throw error;
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
    const start = async (jobId: string) => {
      const configuration = { query: { query, ...this.queryOptions(parameters) }, ...this.jobOptions('replace') };
      const json = { configuration, jobReference: this.reference(jobId) };
      return readJob(await this.api.json(context, { method: 'POST', path: `${this.api.project}/jobs`, json }));
    };
    return this.run(context, base, start, { ...(inTurn && { inTurn }) });
  }

  queryOptions(parameters: Parameter[]): Record<string, unknown> {
    return {
      useLegacySql: false,
      maximumBytesBilled: String(BigInt(this.api.destination.maximumGibPerQuery) * BYTES_PER_GIB),
      parameterMode: 'NAMED',
      queryParameters: parameters.map(({ name, type, value }) => ({ name, parameterType: { type }, parameterValue: { value } })),
    };
  }

  /** BigQuery ends a job of a worker that is gone by itself: a transaction left open would hold up everybody's. */
  jobOptions(purpose: string): Record<string, unknown> {
    return { labels: { tributary: purpose }, jobTimeoutMs: String(this.api.pace.jobTimeoutMs) };
  }

  reference(jobId: string): Record<string, string> {
    const { projectId, location } = this.api.destination;
    return { projectId, jobId, location };
  }

  async cancel(context: ConnectorContext, jobId: string): Promise<void> {
    const path = this.pathOf(jobId).replace('?', '/cancel?');
    await this.api.json(context, { method: 'POST', path }).catch((error: unknown) => {
      if (!(error instanceof BigQueryFailure) || error.status !== 404) throw error;
    });
  }

  /** A run that is cancelled, paused or lost to another worker leaves no job behind, which would hold locks and cost money. */
  async unlessStopped<Result>(context: ConnectorContext, jobId: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      // Not the reason of a failure: BigQuery ends the job by itself, after its own limit.
      if (context.signal.aborted)
        await this.cancel({ signal: AbortSignal.timeout(CANCEL_MS), onRequest: () => undefined }, jobId).catch(() => undefined);
      throw error;
    }
  }

  /** 409 means that a try whose answer was lost did arrive: the id was free a moment ago. */
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
    const deadline = performance.now() + jobTimeoutMs;
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
    const { errorResult } = job.status;
    // BigQuery applies the same limit itself, and may be first.
    if (errorResult?.reason === 'stopped' && performance.now() - beganAt >= jobTimeoutMs) throw neverFinished(jobId);
    if (errorResult) throw new BigQueryFailure({ status: 200, ...errorResult });
    return job;
  }

  private pathOf(jobId: string): string {
    return `${this.api.project}/jobs/${jobId}?location=${encodeURIComponent(this.api.destination.location)}`;
  }
}

/** Not of the kind that is started again at once: the next job would most likely take as long. */
export const neverFinished = (jobId: string): BigQueryFailure =>
  new BigQueryFailure({ status: 0, reason: 'jobNeverFinished', message: jobId });

/** The job itself failed, and a new one may not. Requests have been tried again already. */
function isJobFailure(error: unknown): boolean {
  return error instanceof BigQueryFailure && error.status === 200;
}
