import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { Metrics } from '../../core/observability/metrics.js';

// SQL: an aggregate over the deliveries of all organizations. The index of queued deliveries finds them. Each attempt moves the time of
// the next one, so that it does not show how long a delivery has waited.
const OLDEST = `
  select coalesce(extract(epoch from now() - min(d.created_at)), 0)::float8 as seconds
    from webhook_deliveries d
    join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id and e.is_enabled
   where d.state = 'queued'`;

@Injectable()
export class WebhookMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const help = 'How long the oldest delivery to an enabled webhook has waited since it was stored';
    const options = { name: 'webhook_oldest_due_seconds', help };
    this.metrics.addGauge(options, async () => {
      const { rows } = await this.database.pool.query<{ seconds: number }>(OLDEST);
      return rows.map(({ seconds }) => ({ labels: {}, value: seconds }));
    });
  }
}
