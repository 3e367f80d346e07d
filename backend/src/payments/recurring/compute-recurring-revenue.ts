import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuthorizedApps } from '../../apps/index.js';
import { Entitlements } from '../../billing/index.js';
import { Connectors } from '../../catalog/index.js';
import { PAYMENT_PROVIDER, RECURRING_DEFINITION_VERSION } from '../../connectors/catalog.js';
import { ConnectorError, RetryLater } from '../../connectors/kit/errors.js';
import type { RecurringRevenue } from '../../connectors/kit/recurring-revenue.js';
import { withinTime } from '../../connectors/kit/within-time.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { Database } from '../../core/database/database.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { toFailure } from '../../core/http/failures.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Prisma } from '../../generated/prisma/client.js';
import { computeRecurringRevenue, queueRecurringRevenue } from './recurring-jobs.js';

// SQL: an upsert that keeps the newer value.

const computeRecurringRevenues = defineScheduledJob('compute-recurring-revenues', 'every-night');

/** 10,000 subscriptions are 100 pages. */
const TIMEOUT_MS = 300_000;

/**
 * Computes the recurring revenue of a payment and stores it for the day: after the payment was created or run, after subscriptions
 * changed, and every night, because discounts end without an event.
 */
@Injectable()
export class ComputeRecurringRevenue implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WAITS) private readonly waits: Waits,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly connectors: Connectors,
    private readonly access: AuthorizedApps,
    private readonly entitlements: Entitlements,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(computeRecurringRevenue, async ({ organizationId, paymentId }, { signal }) => {
      if (await this.entitlements.isClosed(organizationId)) return;
      await this.compute(organizationId, paymentId, signal);
    });
    this.jobs.handle(computeRecurringRevenues, () => this.queueAll());
  }

  /** One job for each payment, so that a slow account delays no other. */
  private async queueAll(): Promise<void> {
    // Intentionally over all organizations: it only selects ids.
    const { rows } = await this.database.pool.query<{ id: string; organizationId: string }>(
      `select p.id, p.organization_id as "organizationId" from payments p
         join organizations o on o.id = p.organization_id and o.deleted_at is null
        where p.deleted_at is null and p.desired = 'active'`,
    );
    for (const { id, organizationId } of rows)
      await this.tenants.transaction(organizationId, (query) => queueRecurringRevenue(query, organizationId, id));
  }

  private async compute(organizationId: string, paymentId: string, signal: AbortSignal): Promise<void> {
    const payment = await this.tenants.of(organizationId).payment.findFirst({
      where: { id: paymentId, deletedAt: null, desired: 'active', app: { state: { in: ['connected', 'expiring'] } } },
    });
    if (!payment) return;
    const computedAt = new Date();
    const key = this.access.keyOf({ organizationId, id: payment.appId });
    const stripe = this.connectors.getPaymentSource(PAYMENT_PROVIDER);
    const serviceName = this.connectors.nameOf(PAYMENT_PROVIDER);
    const milliseconds = this.waits.paymentTimeoutMs ?? TIMEOUT_MS;
    try {
      const revenue = await withinTime({ serviceName, milliseconds, signal }, (limited) =>
        stripe.readRecurringRevenue(key, { signal: limited, onRequest: () => undefined }),
      );
      await this.save(organizationId, paymentId, revenue, computedAt);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      this.logger.warn({ err: error, paymentId }, 'the recurring revenue of a payment could not be computed');
      const revenueFailure = { ...toFailure(error) };
      await this.tenants.of(organizationId).payment.updateMany({ where: { id: paymentId }, data: { revenueFailure } });
      // The queue retries the job.
      if (error instanceof RetryLater) throw error;
    }
  }

  /** Of two computations that overlap, the one that began later remains. */
  private async save(
    organizationId: string,
    paymentId: string,
    { currencies, leftOut, uncertain }: RecurringRevenue,
    computedAt: Date,
  ): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      await query(
        `insert into payment_recurring_revenues as stored
           (organization_id, payment_id, day, definition_version, currencies, left_out, uncertain, computed_at)
         values ($1, $2, ($7::timestamptz at time zone 'UTC')::date, $3, $4, $5, $6, $7)
         on conflict (organization_id, payment_id, day) do update
           set definition_version = excluded.definition_version, currencies = excluded.currencies, left_out = excluded.left_out,
               uncertain = excluded.uncertain, computed_at = excluded.computed_at
         where stored.computed_at <= excluded.computed_at`,
        [
          paymentId,
          RECURRING_DEFINITION_VERSION,
          ...[currencies, leftOut, uncertain].map((part) => JSON.stringify(part)),
          computedAt,
        ],
      );
      await transaction.payment.updateMany({ where: { id: paymentId }, data: { revenueFailure: Prisma.DbNull } });
    });
  }
}
