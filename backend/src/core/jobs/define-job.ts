import { z } from 'zod';
import type { TenantQuery } from '../database/tenant-database.js';

// SQL: calls the queue's functions in the transaction of the job's cause.

/** Schedules in UTC. */
export const SCHEDULES = { 'every-minute': '* * * * *', 'every-quarter-hour': '*/15 * * * *', 'every-night': '17 3 * * *' };

/**
 * The slots that execute the job. Jobs that take minutes and wait for other servers have separate slots, so that they do not delay
 * other jobs. Comparisons of whole tables or accounts share theirs (`audits`).
 */
export type Slots = 'runs' | 'audits' | 'conversions' | 'webhooks' | 'housekeeping';

export interface JobOptions {
  /** The job is also queued at these times, without a payload. */
  schedule?: keyof typeof SCHEDULES;
  /** Default: housekeeping. */
  slots?: Slots;
}

/** A job with the type of its payload. The schema validates what a job of an older release may contain. */
export interface JobDefinition<Payload extends object> {
  name: string;
  schema: z.ZodType<Payload>;
  options: JobOptions;
}

export const defineJob = <Payload extends object>(
  name: string,
  schema: z.ZodType<Payload>,
  options: JobOptions = {},
): JobDefinition<Payload> => ({ name, schema, options });

/** A job that is queued by its schedule only. */
export const defineScheduledJob = (name: string, schedule: keyof typeof SCHEDULES): JobDefinition<object> =>
  defineJob(name, z.object({}), { schedule });

export interface QueueOptions {
  /** A job with this key that has not started is replaced. */
  key?: string;
  /** Jobs with the same queue name run one after the other. */
  queue?: string;
  /** Default: now. A job with the same key keeps an earlier time. */
  runAt?: Date;
}

/**
 * A job with the same key that a worker locks while `add_job` waits for it is neither replaced nor followed by another one: the
 * queue's functions then return nothing. The second call finds it locked and adds a job that runs after it.
 */
const MOST_CALLS = 5;

/**
 * Queues a job in the transaction of `query`: it starts only if the transaction commits. `query` may be `withoutOrganization`.
 * Nothing is queued for an organization that does not exist.
 */
export async function queueJob<Payload extends object>(
  query: TenantQuery,
  job: JobDefinition<Payload>,
  payload: Payload,
  options: QueueOptions = {},
): Promise<void> {
  const parameters = [job.name, JSON.stringify(payload), options.runAt ?? null, options.key ?? null, options.queue ?? null];
  for (let call = 1; call <= MOST_CALLS; call++) {
    const [queued] = await query<{ id: string | null }>(
      `select (graphile_worker.add_job($2::text, $3::json, job_key => $5::text, queue_name => $6::text,
                run_at => least(coalesce($4::timestamptz, now()),
                                (select min(j.run_at) from graphile_worker.jobs j where j.key = $5 and j.locked_at is null)))).id
        where $1::uuid is null or exists (select from organizations where id = $1::uuid)`,
      parameters,
    );
    if (queued?.id !== null) return;
  }
  throw new Error(`The job ${job.name} could not be queued.`);
}

export interface QueuedJob<Payload extends object> extends QueueOptions {
  payload: Payload;
  /** Type smallint. A lower one begins earlier. */
  priority?: number;
}

/**
 * Queues many jobs with one statement, in the transaction of `query`.
 * @param keepsTime a job with the same key that has not started keeps its time; otherwise it gets the new one
 */
export async function queueJobs<Payload extends object>(
  query: TenantQuery,
  job: JobDefinition<Payload>,
  jobs: QueuedJob<Payload>[],
  { keepsTime }: { keepsTime: boolean } = { keepsTime: false },
): Promise<void> {
  let missing = jobs;
  for (let call = 1; missing.length > 0 && call <= MOST_CALLS; call++) {
    const queued = await addJobs(query, job, missing, keepsTime);
    missing = missing.filter(({ key }) => key !== undefined && !queued.has(key));
    if (missing.length > 0 && queued.size === 0 && !(await isKnown(query))) return;
  }
  if (missing.length > 0) throw new Error(`${missing.length} jobs ${job.name} could not be queued.`);
}

/** Whether the organization of the query exists, or the query has none. */
async function isKnown(query: TenantQuery): Promise<boolean> {
  const found = await query('select 1 where $1::uuid is null or exists (select from organizations where id = $1::uuid)');
  return found.length > 0;
}

/** Returns the keys of the jobs that were queued. */
async function addJobs<Payload extends object>(
  query: TenantQuery,
  { name }: JobDefinition<Payload>,
  jobs: QueuedJob<Payload>[],
  keepsTime: boolean,
): Promise<Set<string | null>> {
  const added = await query<{ key: string | null }>(
    `select key from graphile_worker.add_jobs((
       select array_agg(($2::text, new.payload::json, new.queue_name, new.run_at::timestamptz, null, new.job_key, new.priority, null)
                          ::graphile_worker.job_spec order by new.place)
         from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::int[])
              with ordinality as new(payload, queue_name, run_at, job_key, priority, place)
        where $1::uuid is null or exists (select from organizations where id = $1::uuid)), job_key_preserve_run_at => $8::boolean)`,
    [
      name,
      jobs.map(({ payload }) => JSON.stringify(payload)),
      jobs.map(({ queue }) => queue ?? null),
      jobs.map(({ runAt }) => runAt?.toISOString() ?? null),
      jobs.map(({ key }) => key ?? null),
      jobs.map(({ priority }) => priority ?? null),
      keepsTime,
    ],
  );
  return new Set(added.map(({ key }) => key));
}
