import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../core/database/database.js';
import { isBilled } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { Jobs } from '../core/jobs/jobs.js';

/** Stripe delivers an event again for three days, and by hand for thirty: later nobody asks whether we had it. */
const EVENTS_KEPT_DAYS = 35;

/** Every night: whatever webhook was lost, our state is Stripe's by the morning. */
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
   * Ten a second at most: Stripe counts calls. One after the other: when Stripe does not answer, they hold one worker and not all.
   * A job that is queued already stays as soon as it is. What a deleted organization still pays is ended, whatever kept that from
   * happening when it was deleted.
   */
  async reconcile(): Promise<void> {
    if (!isBilled(this.env)) return;
    // Over all organizations on purpose: it only hands ids to the queue.
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
      EVENTS_KEPT_DAYS,
    ]);
  }
}
