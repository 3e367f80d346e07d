import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import { DEAD_AFTER_SECONDS } from './worker-locks.js';

// SQL: the tables of the queue are not in Prisma's schema.

const JOBS = `
  select count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
         count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now())::int as scheduled,
         count(*) filter (where locked_at is not null)::int as active,
         count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
         coalesce(extract(epoch from now() - min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= now()
           and not exists (select from graphile_worker._private_job_queues q where q.id = job_queue_id and q.locked_at is not null))), 0)::float8
           as "oldestDueSeconds"
    from graphile_worker._private_jobs`;

/** Each process has several rows. Only a worker deletes the rows of crashed ones. */
const ALIVE = `
  select count(distinct description)::int as count from workers where heartbeat_at > now() - make_interval(secs => $1)`;

type Row = Record<'due' | 'scheduled' | 'active' | 'failed' | 'oldestDueSeconds', number>;

@Injectable()
export class QueueMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.addGauge({ name: 'queue_jobs', help: 'Jobs of the queue, by state', labelNames: ['state'] }, async () => {
      const { oldestDueSeconds: _, ...counts } = await this.read();
      return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));
    });
    const oldest = 'How long the oldest due job has waited. Jobs that wait for another job of their queue do not count';
    this.metrics.addGauge({ name: 'queue_oldest_due_seconds', help: oldest }, async () => [
      { labels: {}, value: (await this.read()).oldestDueSeconds },
    ]);
    this.metrics.addGauge({ name: 'workers_alive', help: 'Worker processes that send heartbeats' }, async () => {
      const { rows } = await this.database.pool.query<{ count: number }>(ALIVE, [DEAD_AFTER_SECONDS]);
      return rows.map(({ count }) => ({ labels: {}, value: count }));
    });
  }

  private async read(): Promise<Row> {
    const { rows } = await this.database.pool.query<Row>(JOBS);
    return rows[0] as Row;
  }
}
