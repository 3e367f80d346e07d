import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../core/database/database.js';
import { Jobs } from '../core/jobs/jobs.js';
import { PUSH_EVENT_DAYS, PUSH_RECEIPT_DAYS } from '../custom-apps/index.js';

const MAX_EVENT_BATCH = 10_000;

/** Deletes old data over all organizations, by age only. */
@Injectable()
export class DeleteOldAppData implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register('forget-authorizations', () => this.deleteOld(), 'every-minute');
  }

  async deleteOld(): Promise<void> {
    const { pool } = this.database;
    await pool.query('update oauth_states set held_grant = null where held_grant is not null and held_until < now()');
    await pool.query(`delete from oauth_states where expires_at < now() - interval '1 day'`);
    await pool.query(`delete from app_share_links where expires_at < now() - interval '30 days'`);
    // The last sign-in of an app is kept as long as the app.
    await pool.query(
      `delete from app_events old where old.at < now() - interval '90 days'
          and (old.event not in ('connected', 'reconnected')
               or exists (select 1 from app_events newer
                           where newer.organization_id = old.organization_id and newer.app_id = old.app_id
                             and newer.event in ('connected', 'reconnected') and newer.id > old.id))`,
    );
    await pool.query('delete from provider_requests where day < current_date - 31');
    while ((await this.deleteEvents()) === MAX_EVENT_BATCH);
    await pool.query('delete from push_receipts where received_at < now() - make_interval(days => $1)', [PUSH_RECEIPT_DAYS]);
  }

  /**
   * Deletes a batch of expired events and lowers their endpoints' counts. Batches are small, because senders wait for these
   * locks.
   */
  private async deleteEvents(): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `with old as (
         select id from push_events where received_at < now() - make_interval(days => $1)
          order by received_at limit $2 for update skip locked),
       gone as (delete from push_events e using old where e.id = old.id returning e.organization_id, e.app_id),
       counted as (
         update push_endpoints p set events_kept = p.events_kept - expired.events
           from (select organization_id, app_id, count(*)::int as events from gone group by organization_id, app_id) expired
          where p.organization_id = expired.organization_id and p.app_id = expired.app_id)
       select from gone`,
      [PUSH_EVENT_DAYS, MAX_EVENT_BATCH],
    );
    return rowCount ?? 0;
  }
}
