import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../core/database/database.js';
import { isBilled } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { Jobs } from '../core/jobs/jobs.js';

/** Stripe retries an event for three days, and allows manual resends for thirty. Older event ids are not needed. */
const EVENT_RETENTION_DAYS = 35;

/** Nightly job: syncs all subscriptions with Stripe, to correct the effects of lost webhooks. */
@Injectable()
export class ReconcileSubscriptions implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register('reconcile-subscriptions', () => this.reconcile(), 'every-night');
  }

  /**
   * Queues at most ten jobs per second because of Stripe's rate limit. They run one after the other, so that an outage of Stripe
   * blocks one worker slot only. A job that is already queued is not delayed. For deleted organizations the job cancels
   * subscriptions that were not canceled at the deletion.
   */
  async reconcile(): Promise<void> {
    if (!isBilled(this.env)) return;
    // Not limited to one organization, because it only queues jobs by id.
    await this.database.pool.query(
      `select graphile_worker.add_job(task, json_build_object('organizationId', organization_id),
                queue_name => 'reconcile-subscriptions',
                run_at => now() + interval '100 milliseconds' * row_number() over (order by synced_at nulls first),
                job_key => task || ':' || organization_id, job_key_mode => 'preserve_run_at')
         from (select s.organization_id, s.synced_at,
                      case when o.deleted_at is null then 'sync-subscription' else 'end-billing' end as task
                 from subscriptions s join organizations o on o.id = s.organization_id
                where s.customer_id is not null) as billed`,
    );
    await this.database.pool.query('delete from stripe_events where received_at < now() - make_interval(days => $1)', [
      EVENT_RETENTION_DAYS,
    ]);
  }
}
