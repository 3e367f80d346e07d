import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import { OutboxKind } from '../../generated/prisma/enums.js';
import { Outbox } from './outbox.js';

// SQL: aggregates. The index on kind, state and time finds the messages.
/** Each attempt moves the time of the next one, so that it does not show how long a message has waited. */
const OLDEST = `
  select kind::text, extract(epoch from now() - min(created_at))::float8 as value
    from outbox_messages where state = 'queued' and kind = any($1::outbox_kind[]) group by kind`;
/** Also kinds without a failure, so that the first one is an increase. */
const FAILED = `
  select kind::text, (select count(*) from outbox_messages m where m.kind = kinds.kind and m.state = 'failed')::float8 as value
    from unnest($1::outbox_kind[]) as kinds (kind)`;

@Injectable()
export class OutboxMetrics implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    const labelNames = ['kind'];
    const oldest = 'How long the oldest mail or analytics event has waited, by kind. Kinds without settings have no value';
    // Messages of the other kinds wait until the operator enters the settings.
    this.metrics.addGauge({ name: 'outbox_oldest_due_seconds', help: oldest, labelNames }, () =>
      this.read(OLDEST, [Object.values(OutboxKind).filter((kind) => this.outbox.canDeliver(kind))]),
    );
    const failed = 'Mails and analytics events that are not sent any more, by kind. The log has the reason';
    this.metrics.addGauge({ name: 'outbox_messages_failed', help: failed, labelNames }, () =>
      this.read(FAILED, [Object.values(OutboxKind)]),
    );
  }

  private async read(text: string, parameters: unknown[]): Promise<{ labels: { kind: string }; value: number }[]> {
    const { rows } = await this.database.pool.query<{ kind: string; value: number }>(text, parameters);
    return rows.map(({ kind, value }) => ({ labels: { kind }, value }));
  }
}
