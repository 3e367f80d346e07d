import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Entitlements } from '../../billing/index.js';
import { PaymentConnections } from '../../connections/index.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { dateToDay } from '../../core/database/days.js';
import { TenantDatabase, type TenantWork } from '../../core/database/tenant-database.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { RereadDays } from '../../sync/index.js';
import { lockPayment } from '../lock-payment.js';
import { applyPaymentWebhooks, queueApplyWebhooks } from './webhook-jobs.js';

/** A run that works now may have read the days before they changed, so its end is awaited. */
const RETRY_MS = 5_000;
/** Events that are applied together. The rest is applied by the next job. */
const MOST_EVENTS = 10_000;

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
      await this.tenants.write(organizationId, (transaction, query) =>
        this.apply({ transaction, query }, { organizationId, paymentId, isClosed }),
      );
    });
  }

  /** The days of a paused payment are marked too; they are read when it is resumed. */
  private async apply(
    { transaction, query }: TenantWork,
    { organizationId, paymentId, isClosed }: { organizationId: string; paymentId: string; isClosed: boolean },
  ): Promise<void> {
    const connections = await transaction.connection.findMany({
      where: { paymentId, deletedAt: null },
      orderBy: { id: 'asc' },
      select: { id: true },
    });
    if (connections.length === 0) return;
    // Only what is stored now is marked below. Events that arrive meanwhile queue another job.
    const events = await transaction.paymentWebhookEvent.findMany({
      where: { paymentId, appliedAt: null },
      orderBy: { id: 'asc' },
      take: MOST_EVENTS,
      select: { id: true, days: true },
    });
    if (events.length === 0) return;
    const days = [...new Set(events.flatMap((event) => event.days.map(dateToDay)))];
    const connectionIds = connections.map(({ id }) => id);
    const isMarked = await this.reread.within(query, { connectionIds, days }, () => lockPayment(query, paymentId));
    if (!isMarked) {
      const runAt = new Date(Date.now() + (this.waits.paymentRetryMs ?? RETRY_MS));
      return queueApplyWebhooks(query, organizationId, paymentId, runAt);
    }
    const where = { paymentId, id: { in: events.map(({ id }) => id) } };
    await transaction.paymentWebhookEvent.updateMany({ where, data: { appliedAt: new Date() } });
    if (events.length === MOST_EVENTS) await queueApplyWebhooks(query, organizationId, paymentId);
    if (!isClosed) await this.connections.startWithin({ transaction, query }, paymentId, 'webhook', null);
  }
}
