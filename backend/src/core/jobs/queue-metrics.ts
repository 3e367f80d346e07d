import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';

// SQL: the tables of the queue are not in Prisma's schema.

const JOBS = `
  select count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
         count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now())::int as scheduled,
         count(*) filter (where locked_at is not null)::int as active,
         count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
         coalesce(extract(epoch from now() - min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= now())), 0)::float8
           as "oldestDueSeconds"
    from graphile_worker._private_jobs`;

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
    this.metrics.addGauge({ name: 'queue_oldest_due_seconds', help: 'How long the oldest due job has waited' }, async () => [
      { labels: {}, value: (await this.read()).oldestDueSeconds },
    ]);
  }

  private async read(): Promise<Row> {
    const { rows } = await this.database.pool.query<Row>(JOBS);
    return rows[0] as Row;
  }
}
