import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { Metrics } from '../../core/observability/metrics.js';

// SQL: an aggregate over the deliveries of all organizations.
/** A failed attempt does not count: receivers belong to the customers, and one that fails is disabled after five days. */
const OLDEST_DUE = `
  select coalesce(extract(epoch from now() - min(d.next_attempt_at)), 0)::float8 as seconds
    from webhook_deliveries d
    join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id and e.is_enabled and e.deleted_at is null
   where d.state = 'queued' and d.next_attempt_at <= now()`;

@Injectable()
export class WebhookMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const help = 'How long the oldest due delivery to an enabled webhook has waited for its attempt';
    const options = { name: 'webhook_oldest_due_seconds', help };
    this.metrics.addGauge(options, async () => {
      const { rows } = await this.database.pool.query<{ seconds: number }>(OLDEST_DUE);
      return rows.map(({ seconds }) => ({ labels: {}, value: seconds }));
    });
  }
}
