import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../platform/database.js';
import { Jobs } from '../platform/jobs.js';
import { PUSH_EVENT_DAYS, PUSH_RECEIPT_DAYS } from './push-limits.js';

/** Ends what is of no more use, over all organizations: it only goes by age. */
@Injectable()
export class ForgetOldAuthorizations implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register('forget-authorizations', () => this.forget(), 'every-minute');
  }

  async forget(): Promise<void> {
    const { pool } = this.database;
    await pool.query('update oauth_states set held_grant = null where held_grant is not null and held_until < now()');
    await pool.query(`delete from oauth_states where expires_at < now() - interval '1 day'`);
    await pool.query(`delete from app_share_links where expires_at < now() - interval '30 days'`);
    // Who authorised an app last is told for as long as it is there.
    await pool.query(
      `delete from app_events old where old.at < now() - interval '90 days'
          and (old.event not in ('connected', 'reconnected')
               or exists (select 1 from app_events newer
                           where newer.organization_id = old.organization_id and newer.app_id = old.app_id
                             and newer.event in ('connected', 'reconnected') and newer.id > old.id))`,
    );
    await pool.query('delete from provider_requests where day < current_date - 31');
    await pool.query('delete from push_events where received_at < now() - make_interval(days => $1)', [PUSH_EVENT_DAYS]);
    await pool.query('delete from push_receipts where received_at < now() - make_interval(days => $1)', [PUSH_RECEIPT_DAYS]);
  }
}
