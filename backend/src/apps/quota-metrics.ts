import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../core/database/database.js';
import { Metrics } from '../core/observability/metrics.js';

// SQL: an aggregate over the apps of all organizations, with the time of the database.
const PAUSED = `
  select provider, count(*)::int as count from apps where quota_paused_until > now() and deleted_at is null group by provider`;

@Injectable()
export class QuotaMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const options = {
      name: 'apps_paused_for_quota',
      help: 'Apps whose runs wait for quota, by provider',
      labelNames: ['provider'],
    };
    this.metrics.addGauge(options, async () => {
      const { rows } = await this.database.pool.query<{ provider: string; count: number }>(PAUSED);
      return rows.map(({ provider, count }) => ({ labels: { provider }, value: count }));
    });
  }
}
