import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { alreadyExists, BigQueryError, notFound, type JobError } from './errors.ts';
import { numberOf, type BigQueryFaults } from './faults.ts';
import type { Principal } from './principals.ts';
import type { Cell } from './sql/run-script.ts';
import type { SqlType } from './sql/types.ts';
import type { Store } from './store.ts';

/** Durations of the PENDING and RUNNING states, long enough to be observed. */
const pendingMs = 5;
const runningMs = 20;
/** A cancellation is answered at once and takes effect later. https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/cancel */
const cancelingMs = 10;
/** Poll interval of a job that waits for another one. */
const queuedMs = 10;

export interface Job {
  projectId: string;
  jobId: string;
  location: string;
  user: string;
  configuration: Record<string, unknown>;
  state: 'PENDING' | 'RUNNING' | 'DONE';
  error: JobError | null;
  /** The error and its causes. A successful job can have some too. */
  errors: JobError[];
  createdAtMs: number;
  startedAtMs: number | null;
  endedAtMs: number | null;
  statistics: Record<string, unknown>;
}

/** The work of a job, depending on its type. */
export interface Work {
  resource: 'load' | 'query';
  /** The table that faults can name. */
  table?: string | undefined;
  /** Tables in which rows are changed or deleted. Other jobs that change them must wait. */
  mutates: string[];
  /** A transaction does not wait: it is aborted. */
  isTransaction: boolean;
  /** `beforeApplying`: between the reads of the job and its changes. Throws if the job was stopped meanwhile. */
  run(beforeApplying: () => Promise<void>): Promise<JobOutcome> | JobOutcome;
}

export interface JobOutcome {
  statistics: Record<string, unknown>;
  warnings?: JobError[];
  rows?: { columns: { name: string; type: SqlType }[]; cells: Cell[][] } | null;
}

/** A job that fails with more than one error. */
export class JobFailed extends Error {
  readonly errors: [JobError, ...JobError[]];

  constructor(errors: [JobError, ...JobError[]]) {
    super(errors[0].message);
    this.errors = errors;
  }
}

/** The job has ended before it changed anything. */
class JobStopped extends Error {}

const interrupted: JobError = { reason: 'backendError', message: 'The job was interrupted because the sandbox was restarted.' };

/** Jobs by id and their states from PENDING to DONE. Ids are never reused. */
export class Jobs {
  readonly #store: Store;
  readonly #faults: BigQueryFaults;
  readonly #jobs = new Map<string, Job>();
  readonly #rows = new WeakMap<Job, NonNullable<JobOutcome['rows']>>();
  readonly #mutating = new Map<string, Job>();
  readonly #finished = new WeakMap<Job, PromiseWithResolvers<null>>();

  constructor(store: Store, faults: BigQueryFaults) {
    this.#store = store;
    this.#faults = faults;
  }

  insert(
    request: Pick<Job, 'projectId' | 'location' | 'configuration'> & { jobId?: string },
    principal: Principal,
    work: Work,
  ): Job {
    const jobId = request.jobId ?? `job_${randomUUID().replaceAll('-', '')}`;
    if (!/^[A-Za-z0-9_-]{1,1024}$/.test(jobId))
      throw new BigQueryError(
        400,
        'invalid',
        `Invalid job ID "${jobId}". Job IDs must be alphanumeric (plus underscores and dashes).`,
      );
    const { projectId, location } = request;
    if (this.#find(projectId, location, jobId)) throw alreadyExists(`Job ${projectId}:${location}.${jobId}`);
    const job: Job = {
      ...request,
      jobId,
      user: principal.email,
      state: 'PENDING',
      error: null,
      errors: [],
      createdAtMs: this.#store.nowMs,
      startedAtMs: null,
      endedAtMs: null,
      statistics: {},
    };
    this.#jobs.set(keyOf(job), job);
    this.#store.writeDocument('job', keyOf(job), job);
    this.#finished.set(job, Promise.withResolvers<null>());
    setTimeout(() => this.#start(job, work), pendingMs);
    return job;
  }

  /** Jobs outside of the US and EU are found only with their location. */
  get(projectId: string, location: string | null, jobId: string): Job {
    const places = location === null ? ['US', 'EU'] : [location];
    const job = places.map((place) => this.#find(projectId, place, jobId)).find((found) => found !== undefined);
    if (!job) throw notFound(`Job ${projectId}:${location === null ? '' : `${location}.`}${jobId}`);
    return job;
  }

  list(projectId: string): Job[] {
    return [...this.#jobs.values()].filter((job) => job.projectId === projectId).reverse();
  }

  rowsOf(job: Job): JobOutcome['rows'] {
    return this.#rows.get(job) ?? null;
  }

  /** Waits for the end, but not for long. */
  async wait(job: Job, timeoutMs: number): Promise<void> {
    const timer = Promise.withResolvers<null>();
    const timeout = setTimeout(() => timer.resolve(null), timeoutMs);
    await Promise.race([this.#finished.get(job)?.promise, timer.promise]);
    clearTimeout(timeout);
  }

  /** The job can still succeed. */
  cancel(job: Job): void {
    const resource = job.configuration.load === undefined ? 'query' : 'load';
    if (this.#faults.strike('cancel_too_late', { endpoint: 'api', resource, projectId: job.projectId })) return;
    const message = 'Job execution was cancelled: User requested cancellation';
    setTimeout(() => this.#fail(job, [{ reason: 'stopped', message }]), cancelingMs);
  }

  #find(projectId: string, location: string, jobId: string): Job | undefined {
    const key = keyOf({ projectId, location, jobId });
    const job = this.#jobs.get(key) ?? (this.#store.readDocument('job', key) as Job | undefined);
    if (!job || this.#jobs.has(key)) return job;
    if (job.state !== 'DONE')
      Object.assign(job, { state: 'DONE', error: interrupted, errors: [interrupted], endedAtMs: this.#store.nowMs });
    this.#jobs.set(key, job);
    return job;
  }

  #start(job: Job, work: Work): void {
    if (job.state !== 'PENDING') return;
    const isBusy = work.mutates.some((table) => this.#mutating.has(table));
    if (isBusy && !work.isTransaction) return void setTimeout(() => this.#start(job, work), queuedMs);
    const occasion = {
      endpoint: 'api',
      resource: work.resource,
      projectId: job.projectId,
      ...(work.table && { table: work.table }),
    };
    Object.assign(job, { state: 'RUNNING', startedAtMs: this.#store.nowMs });
    const error = this.#faults.jobError(occasion);
    if (error) return this.#fail(job, [error]);
    if (isBusy || (work.isTransaction && this.#faults.strike('concurrent_update', occasion)))
      return this.#fail(job, [aborted(work)]);
    for (const table of work.mutates) this.#mutating.set(table, job);
    if (this.#faults.strike('job_never_finishes', occasion)) return this.#limit(job);
    const slow = this.#faults.strike('slow_job', occasion);
    // It has read its rows as soon as it is shown as RUNNING.
    if (slow) return void this.#work(job, work, numberOf(slow, 'delayMs', 2_000));
    setTimeout(() => void this.#work(job, work, 0), runningMs);
  }

  /** A job can set its own time limit. */
  #limit(job: Job): void {
    const { jobTimeoutMs } = job.configuration;
    const message = 'Job execution was cancelled: Job timed out';
    if (jobTimeoutMs !== undefined)
      setTimeout(() => this.#fail(job, [{ reason: 'stopped', message }]), Number(jobTimeoutMs)).unref();
  }

  async #work(job: Job, work: Work, applyAfterMs: number): Promise<void> {
    try {
      // Canceled in the meantime: nothing to do.
      if (job.state !== 'RUNNING') return;
      const {
        statistics,
        warnings = [],
        rows,
      } = await work.run(async () => {
        if (applyAfterMs > 0) await delay(applyAfterMs);
        if (job.state !== 'RUNNING') throw new JobStopped();
      });
      if (rows) this.#rows.set(job, rows);
      Object.assign(job, { statistics, errors: warnings });
      this.#finish(job);
    } catch (error) {
      if (error instanceof JobStopped) return;
      if (error instanceof JobFailed) this.#fail(job, error.errors);
      else if (error instanceof BigQueryError) this.#fail(job, [error.asJobError]);
      else {
        console.error(error);
        this.#fail(job, [{ reason: 'internalError', message: `The sandbox itself failed: ${String(error)}` }]);
      }
    }
  }

  #fail(job: Job, errors: [JobError, ...JobError[]]): void {
    if (job.state === 'DONE') return;
    Object.assign(job, { error: errors[0], errors });
    this.#finish(job);
  }

  #finish(job: Job): void {
    if (job.state === 'DONE') return;
    Object.assign(job, { state: 'DONE', endedAtMs: this.#store.nowMs });
    for (const [table, holder] of this.#mutating) if (holder === job) this.#mutating.delete(table);
    this.#store.writeDocument('job', keyOf(job), job);
    this.#finished.get(job)?.resolve(null);
  }
}

function keyOf({ projectId, location, jobId }: Pick<Job, 'projectId' | 'location' | 'jobId'>): string {
  return `${projectId}:${location}.${jobId}`;
}

function aborted({ mutates }: Work): JobError {
  const table = mutates[0] ?? 'the table';
  const message = `Query error: Transaction is aborted due to concurrent update against table ${table}. Transaction ID: ${randomUUID()}`;
  return { reason: 'invalidQuery', location: 'query', message };
}

export function resourceOf(job: Job, baseUrl: string): Record<string, unknown> {
  const { projectId, jobId, location, configuration, state, error, errors, statistics } = job;
  const kinds = ['load', 'query'].find((kind) => configuration[kind] !== undefined) ?? 'unknown';
  return {
    kind: 'bigquery#job',
    etag: Buffer.from(`${jobId}.${state}`).toString('base64'),
    id: keyOf(job),
    selfLink: `${baseUrl}/bigquery-api/bigquery/v2/projects/${projectId}/jobs/${jobId}?location=${location}`,
    user_email: job.user,
    configuration: { ...configuration, jobType: kinds.toUpperCase() },
    jobReference: { projectId, jobId, location },
    statistics: {
      creationTime: String(job.createdAtMs),
      ...(job.startedAtMs !== null && { startTime: String(job.startedAtMs) }),
      ...(job.endedAtMs !== null && { endTime: String(job.endedAtMs) }),
      ...statistics,
    },
    status: { ...(error && { errorResult: error }), ...(errors.length > 0 && { errors }), state },
  };
}
