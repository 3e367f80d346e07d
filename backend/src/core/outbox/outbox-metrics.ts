import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';

// SQL: an aggregate. The index on kind, state and time answers it.
const OLDEST_DUE = `
  select kind::text, extract(epoch from now() - min(next_attempt_at))::float8 as seconds
    from outbox_messages where state = 'queued' and next_attempt_at <= now() group by kind`;

@Injectable()
export class OutboxMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const options = {
      name: 'outbox_oldest_due_seconds',
      help: 'How long the oldest due mail or analytics event has waited, by kind',
      labelNames: ['kind'],
    };
    this.metrics.addGauge(options, async () => {
      const { rows } = await this.database.pool.query<{ kind: string; seconds: number }>(OLDEST_DUE);
      return rows.map(({ kind, seconds }) => ({ labels: { kind }, value: seconds }));
    });
  }
}
