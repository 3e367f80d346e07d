import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import { Jobs } from './jobs.js';
import { DEAD_AFTER_SECONDS } from './worker-locks.js';

// SQL: the tables of the queue are not in Prisma's schema.

/**
 * Jobs that this version does not handle are counted separately. After a return to an earlier version they wait for the next update,
 * and more workers would not help.
 */
const JOBS = `
  select count(*) filter (where is_handled and locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
         count(*) filter (where is_handled and locked_at is null and attempts < max_attempts and run_at > now())::int as scheduled,
         count(*) filter (where is_handled and locked_at is not null)::int as active,
         count(*) filter (where is_handled and locked_at is null and attempts >= max_attempts)::int as failed,
         count(*) filter (where not is_handled)::int as unknown,
         coalesce(extract(epoch from now() - min(run_at) filter (
           where is_handled and locked_at is null and attempts < max_attempts and run_at <= now()
             and not exists (select from graphile_worker._private_job_queues q where q.id = job_queue_id and q.locked_at is not null))), 0)::float8
           as "oldestDueSeconds"
    from (select jobs.*, tasks.identifier = any($1::text[]) as is_handled
            from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id) jobs`;

/** Each scheduled job has a queue with its name, which is locked while the job is executed. */
const SCHEDULED = `
  select queue_name as job, extract(epoch from now() - locked_at)::float8 as seconds
    from graphile_worker._private_job_queues where queue_name = any($1::text[]) and locked_at is not null`;

/** Each process has several rows. Only a worker deletes the rows of crashed ones. */
const ALIVE = `
  select count(distinct description)::int as count from workers where heartbeat_at > now() - make_interval(secs => $1)`;

type Row = Record<'due' | 'scheduled' | 'active' | 'failed' | 'unknown' | 'oldestDueSeconds', number>;

@Injectable()
export class QueueMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    const states = 'Jobs of the queue, by state; unknown: this version does not handle them';
    this.metrics.addGauge({ name: 'queue_jobs', help: states, labelNames: ['state'] }, async () => {
      const { oldestDueSeconds: _, ...counts } = await this.read();
      return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));
    });
    const oldest = 'How long the oldest due job has waited. Jobs that wait for another job of their queue do not count';
    this.metrics.addGauge({ name: 'queue_oldest_due_seconds', help: oldest }, async () => [
      { labels: {}, value: (await this.read()).oldestDueSeconds },
    ]);
    const running = {
      name: 'scheduled_job_running_seconds',
      help: 'How long a scheduled job has been running',
      labelNames: ['job'],
    };
    this.metrics.addGauge(running, async () => {
      const { rows } = await this.database.pool.query<{ job: string; seconds: number }>(SCHEDULED, [this.jobs.scheduledNames]);
      return rows.map(({ job, seconds }) => ({ labels: { job }, value: seconds }));
    });
    this.metrics.addGauge({ name: 'workers_alive', help: 'Worker processes that send heartbeats' }, async () => {
      const { rows } = await this.database.pool.query<{ count: number }>(ALIVE, [DEAD_AFTER_SECONDS]);
      return rows.map(({ count }) => ({ labels: {}, value: count }));
    });
  }

  private async read(): Promise<Row> {
    const { rows } = await this.database.pool.query<Row>(JOBS, [this.jobs.handledNames]);
    return rows[0] as Row;
  }
}
