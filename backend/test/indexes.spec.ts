import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.js';

const LOOKUP = 'The organization is not known before the row is found.';
const JOB = 'A job reads the rows of all organizations.';
const USER = 'A user is looked up in all organizations.';

/** Indexes of tables with an organization that do not start with it, with the reason. */
const WITHOUT_ORGANIZATION: Record<string, string> = {
  api_keys_created_by_idx: USER,
  api_keys_key_hash_key: LOOKUP,
  app_events_at_idx: JOB,
  app_share_links_token_hash_key: LOOKUP,
  apps_next_probe_at_idx: JOB,
  audit_events_repeat_key_key: 'A key of the product itself, of any organization.',
  connection_facts_recheck_at_idx: JOB,
  connections_next_run_at_idx: JOB,
  conversions_next_run_at_idx: JOB,
  freshness_badges_token_hash_key: LOOKUP,
  freshness_days_check_at_idx: JOB,
  invitations_email_idx: USER,
  invitations_inviter_id_sent_at_idx: USER,
  members_user_id_idx: USER,
  organization_logos_id_key: LOOKUP,
  outbox_messages_kind_state_next_attempt_at_idx: JOB,
  outbox_messages_once_key_key: 'A key of the product itself, of any organization.',
  outbox_messages_sequence_state_id_idx: JOB,
  outbox_messages_user_id_created_at_idx: USER,
  payment_webhook_events_stored_at_idx: JOB,
  provider_requests_day_idx: JOB,
  push_endpoints_key_id_key: LOOKUP,
  push_events_received_at_idx: JOB,
  push_receipts_received_at_idx: JOB,
  run_log_entries_pkey: 'A sequence number; the time is the key of the partitions.',
  runs_queued_at_ended_at_idx: 'Reports read the runs of a period in all organizations.',
  runs_turn_queued: JOB,
  runs_with_follow_up: JOB,
  source_readings_expires_at_idx: JOB,
  stripe_events_received_at_idx: JOB,
  submissions_id_key: LOOKUP,
  submissions_state_updated_at_idx: JOB,
  subscriptions_customer_id_key: LOOKUP,
  webhook_deliveries_created_at_idx: JOB,
  webhook_deliveries_due: JOB,
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.stop());

describe('the indexes', () => {
  it('begin with the columns of each foreign key', async () => {
    const without = await database.query<{ name: string }>(
      `select c.conname as name from pg_constraint c
        where c.contype = 'f' and c.connamespace = 'public'::regnamespace
          and not exists (
            select from pg_index i
             where i.indrelid = c.conrelid and i.indpred is null and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`,
    );
    expect(without).toEqual([]);
  });

  it('begin with the organization, with listed exceptions and primary keys of an id', async () => {
    const others = await database.query<{ name: string }>(
      `select i.relname as name
         from pg_index x
         join pg_class i on i.oid = x.indexrelid
         join pg_class t on t.oid = x.indrelid and t.relnamespace = 'public'::regnamespace
         join pg_attribute o on o.attrelid = t.oid and o.attname = 'organization_id'
        where x.indkey[0] <> o.attnum and not (x.indisprimary and x.indnkeyatts = 1)
        order by i.relname`,
    );
    expect(others.map(({ name }) => name)).toEqual(Object.keys(WITHOUT_ORGANIZATION).sort());
  });
});
