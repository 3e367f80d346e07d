import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import type { OutboxKind } from '../../generated/prisma/enums.js';
import { Outbox } from './outbox.js';

// SQL: an aggregate. The index on kind, state and time answers it.
const OLDEST_DUE = `
  select kind::text, extract(epoch from now() - min(next_attempt_at))::float8 as seconds
    from outbox_messages where state = 'queued' and next_attempt_at <= now() group by kind`;

@Injectable()
export class OutboxMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    const options = {
      name: 'outbox_oldest_due_seconds',
      help: 'How long the oldest due mail or analytics event has waited, by kind. Kinds without settings have no value',
      labelNames: ['kind'],
    };
    this.metrics.addGauge(options, async () => {
      const { rows } = await this.database.pool.query<{ kind: OutboxKind; seconds: number }>(OLDEST_DUE);
      // Messages of the others wait until the operator enters the settings.
      return rows
        .filter(({ kind }) => this.outbox.canDeliver(kind))
        .map(({ kind, seconds }) => ({ labels: { kind }, value: seconds }));
    });
  }
}
