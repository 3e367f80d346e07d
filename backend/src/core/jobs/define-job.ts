import type { z } from 'zod';
import type { TenantQuery } from '../database/tenant-database.js';
import type { JobName } from './jobs.js';

/** A job with the type of its payload. The schema validates what a job of an older release may contain. */
export interface JobDefinition<Payload extends object> {
  name: JobName;
  schema: z.ZodType<Payload>;
}

export const defineJob = <Payload extends object>(name: JobName, schema: z.ZodType<Payload>): JobDefinition<Payload> => ({
  name,
  schema,
});

export interface QueueOptions {
  /** A job with this key that has not started is replaced. */
  key?: string;
  /** Jobs with the same queue name run one after the other. */
  queue?: string;
  /** Default: now. A job with the same key keeps an earlier time. */
  runAt?: Date;
}

/** Queues a job in the transaction of `query`: it starts only if the transaction commits. */
export async function queueJob<Payload extends object>(
  query: TenantQuery,
  job: JobDefinition<Payload>,
  payload: Payload,
  options: QueueOptions = {},
): Promise<void> {
  await query(
    `select (graphile_worker.add_job($2::text, $3::json, job_key => $5::text, queue_name => $6::text,
              run_at => least(coalesce($4::timestamptz, now()),
                              (select min(j.run_at) from graphile_worker.jobs j where j.key = $5 and j.locked_at is null)))).id
       from organizations where id = $1`,
    [job.name, JSON.stringify(payload), options.runAt ?? null, options.key ?? null, options.queue ?? null],
  );
}
