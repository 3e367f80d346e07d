import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { Metrics } from '../../core/observability/metrics.js';

// SQL: an aggregate over the active runs of all organizations.
const ACTIVE_RUNS = `select state::text, count(*)::int as count from runs where ended_at is null group by state`;

@Injectable()
export class RunMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.addGauge(
      { name: 'runs_active', help: 'Runs that have not ended, by state', labelNames: ['state'] },
      async () => {
        const { rows } = await this.database.pool.query<{ state: string; count: number }>(ACTIVE_RUNS);
        return rows.map(({ state, count }) => ({ labels: { state }, value: count }));
      },
    );
  }
}
