import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../core/database/database.js';
import { withoutOrganization } from '../core/outbox/outbox.js';
import { isBilled } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { defineScheduledJob, queueJobs } from '../core/jobs/define-job.js';
import { endBilling, endKey, syncKey, syncSubscription } from './subscription-jobs.js';
import { Jobs } from '../core/jobs/jobs.js';

const reconcileSubscriptions = defineScheduledJob('reconcile-subscriptions', 'every-night');

/** Stripe retries an event for three days, and allows manual resends for thirty. Older event ids are not needed. */
const EVENT_RETENTION_DAYS = 35;
const DAY_MS = 86_400_000;
/** Ten jobs per second. */
const BETWEEN_MS = 100;

/** Nightly job: syncs all subscriptions with Stripe, to correct the effects of lost webhooks. */
@Injectable()
export class ReconcileSubscriptions implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(reconcileSubscriptions, () => this.reconcile());
  }

  /**
   * Queues at most ten jobs per second because of Stripe's rate limit. They run one after the other, so that an outage of Stripe
   * blocks one worker slot only. A job that is already queued is not delayed. For deleted organizations the job cancels
   * subscriptions that were not canceled at the deletion.
   */
  async reconcile(): Promise<void> {
    if (!isBilled(this.env)) return;
    // Not limited to one organization, because it only queues jobs by id.
    const billed = await this.database.prisma.subscription.findMany({
      where: { customerId: { not: null } },
      select: { organizationId: true, organization: { select: { deletedAt: true } } },
      orderBy: { syncedAt: { sort: 'asc', nulls: 'first' } },
    });
    const now = Date.now();
    const jobs = billed.map(({ organizationId, organization }, index) => ({
      isEnded: organization.deletedAt !== null,
      payload: { organizationId },
      key: organization.deletedAt ? endKey(organizationId) : syncKey(organizationId),
      queue: 'reconcile-subscriptions',
      runAt: new Date(now + index * BETWEEN_MS),
    }));
    await this.database.transaction(async (sql) => {
      const query = withoutOrganization(sql);
      await queueJobs(query, endBilling, jobs.filter(({ isEnded }) => isEnded), { keepsTime: true }); // prettier-ignore
      await queueJobs(query, syncSubscription, jobs.filter(({ isEnded }) => !isEnded), { keepsTime: true }); // prettier-ignore
    });
    const receivedAt = { lt: new Date(Date.now() - EVENT_RETENTION_DAYS * DAY_MS) };
    await this.database.prisma.stripeEvent.deleteMany({ where: { receivedAt } });
  }
}
