import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Entitlements } from '../../billing/index.js';
import { PaymentConnections } from '../../connections/index.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { queueJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { RereadDays } from '../../sync/index.js';
import { lockPayment } from '../lock-payment.js';
import { keyOf } from './store-events.js';
import { applyPaymentWebhooks } from './webhook-jobs.js';

// SQL: runs in the transaction that locks runs, connections and the payment.

/** A run that works now may have read the days before they changed, so its end is awaited. */
const RETRY_MS = 5_000;

/** Marks the days of stored events to be read again, and starts the runs that read them. */
@Injectable()
export class ApplyWebhooks implements OnModuleInit {
  constructor(
    @Inject(WAITS) private readonly waits: Waits,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly connections: PaymentConnections,
    private readonly reread: RereadDays,
    private readonly entitlements: Entitlements,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(applyPaymentWebhooks, async ({ organizationId, paymentId }) => {
      const isClosed = await this.entitlements.isClosed(organizationId);
      await this.tenants.transaction(organizationId, (query) => this.apply(query, { organizationId, paymentId, isClosed }));
    });
  }

  /** The days of a paused payment are marked too; they are read when it is resumed. */
  private async apply(
    query: TenantQuery,
    { organizationId, paymentId, isClosed }: { organizationId: string; paymentId: string; isClosed: boolean },
  ): Promise<void> {
    const connections = await query<{ id: string }>(
      'select id from connections where organization_id = $1 and payment_id = $2 and deleted_at is null order by id',
      [paymentId],
    );
    if (connections.length === 0) return;
    // Only what is stored now is marked below. Events that arrive meanwhile queue another job.
    const events = await query<{ id: string; days: string[] }>(
      `select id, days::text[] as days from payment_webhook_events
        where organization_id = $1 and payment_id = $2 and applied_at is null order by id limit 10000`,
      [paymentId],
    );
    if (events.length === 0) return;
    const days = [...new Set(events.flatMap((event) => event.days))];
    const connectionIds = connections.map(({ id }) => id);
    const isMarked = await this.reread.within(query, { connectionIds, days }, () => lockPayment(query, paymentId));
    if (!isMarked) {
      const runAt = new Date(Date.now() + (this.waits.paymentRetryMs ?? RETRY_MS));
      return queueJob(query, applyPaymentWebhooks, { organizationId, paymentId }, { key: keyOf(paymentId), runAt });
    }
    await query(
      `update payment_webhook_events set applied_at = now() where organization_id = $1 and payment_id = $2 and id = any($3::text[])`,
      [paymentId, events.map(({ id }) => id)],
    );
    if (!isClosed) await this.connections.startWithin(query, paymentId, 'webhook', null);
  }
}
