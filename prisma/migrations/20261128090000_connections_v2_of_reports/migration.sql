SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- connections_v1 computes its own health from all days. It knows no late data, so a connection that the web app shows as stale is healthy
-- there. This version reads the stored facts of the list.
CREATE VIEW reporting.connections_v2 AS
select c.organization_id,
       c.id as connection_id,
       c.name,
       c.tags,
       s.id as source_id,
       s.name as source_name,
       a.provider as source_provider,
       d.id as destination_id,
       d.name as destination_name,
       da.provider as destination_provider,
       c.streams,
       c.desired::text as desired_state,
       c.paused_reason,
       (array['needs_reauth', 'failing', 'stale', 'partial', 'unverified', 'rate_limited', 'backfilling', 'healthy', 'never_run', 'paused'])[f.severity + 1] as health,
       case when covered.through >= c.history_from then covered.through end as complete_through,
       (now() at time zone 'UTC')::date - 1 - covered.through as days_behind,
       f.newest_complete as newest_complete_day,
       f.accounts_missing as incomplete_accounts,
       c.history_from,
       c.next_run_at,
       ended.id as last_run_id,
       ended.state::text as last_run_state,
       ended.ended_at as last_run_ended_at,
       f.failed_in_a_row as failed_runs_in_a_row,
       ended.failure->>'class' as failure_class,
       ended.failure->>'code' as failure_code,
       ended.failure->>'message' as failure_message,
       active.id as active_run_id,
       c.created_at,
       f.recheck_at <= now() is true or exists (
         select from connection_marks m where m.organization_id = c.organization_id and m.connection_id = c.id) as has_changed
  from connection_facts f
  join connections c on c.organization_id = f.organization_id and c.id = f.connection_id and c.deleted_at is null
  join sources s on s.organization_id = c.organization_id and s.id = c.source_id
  join apps a on a.organization_id = s.organization_id and a.id = s.app_id
  join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
  join apps da on da.organization_id = d.organization_id and da.id = d.app_id
  left join runs ended on ended.organization_id = f.organization_id and ended.id = f.last_run_id
  left join runs active on active.organization_id = f.organization_id and active.id = f.active_run_id and active.ended_at is null
  cross join lateral (
    -- A day is complete once it is over in the time zones of all accounts.
    select case when f.complete_through is not null then least(f.complete_through, min((now() at time zone coalesce(zone.name, 'UTC'))::date) - 1) end as through
      from unnest(s.account_ids) account_id
      left join lateral (
        select account->>'timeZone' as name from jsonb_array_elements(a.accounts) account
         where account->>'externalId' = account_id limit 1) zone on true) covered;

COMMENT ON VIEW reporting.connections_v2 IS 'Connections that are not deleted, with the health that the web app shows. Without the connections of payments, which are in connections_v1. One row per connection.';
COMMENT ON COLUMN reporting.connections_v2.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.connections_v2.connection_id IS 'UUIDv7 of the connection.';
COMMENT ON COLUMN reporting.connections_v2.name IS 'Display name.';
COMMENT ON COLUMN reporting.connections_v2.tags IS 'Tags.';
COMMENT ON COLUMN reporting.connections_v2.source_id IS 'The source.';
COMMENT ON COLUMN reporting.connections_v2.source_name IS 'Display name of the source.';
COMMENT ON COLUMN reporting.connections_v2.source_provider IS 'Provider of the source, such as google_ads.';
COMMENT ON COLUMN reporting.connections_v2.destination_id IS 'The destination.';
COMMENT ON COLUMN reporting.connections_v2.destination_name IS 'Display name of the destination.';
COMMENT ON COLUMN reporting.connections_v2.destination_provider IS 'Provider of the destination, such as postgresql.';
COMMENT ON COLUMN reporting.connections_v2.streams IS 'Names of the selected streams.';
COMMENT ON COLUMN reporting.connections_v2.desired_state IS 'active or paused, as chosen by a user or by the automatic pause.';
COMMENT ON COLUMN reporting.connections_v2.paused_reason IS 'Why it is paused: user, failures, schema_change or import; null: active, or paused by an earlier version.';
COMMENT ON COLUMN reporting.connections_v2.health IS 'As the web app shows it, worst first: needs_reauth, failing, stale, partial, unverified, rate_limited, backfilling, healthy, never_run or paused. A closed subscription is not included: see subscriptions_v1.';
COMMENT ON COLUMN reporting.connections_v2.complete_through IS 'Last day up to which every day of every account and stream was read after its end; null: none.';
COMMENT ON COLUMN reporting.connections_v2.days_behind IS 'Days between yesterday (UTC) and complete_through, from the day before the history if no day is complete; null: it reads no account.';
COMMENT ON COLUMN reporting.connections_v2.newest_complete_day IS 'Newest day that is complete for every account and stream with data, also if earlier days are not; null: none.';
COMMENT ON COLUMN reporting.connections_v2.incomplete_accounts IS 'Accounts with a missing or failed day.';
COMMENT ON COLUMN reporting.connections_v2.history_from IS 'First day that is loaded.';
COMMENT ON COLUMN reporting.connections_v2.next_run_at IS 'Next scheduled run; null: paused, or no schedule.';
COMMENT ON COLUMN reporting.connections_v2.last_run_id IS 'The last run that ended, without cancelled and skipped ones and those of backfills; null: none.';
COMMENT ON COLUMN reporting.connections_v2.last_run_state IS 'State of that run.';
COMMENT ON COLUMN reporting.connections_v2.last_run_ended_at IS 'When that run ended.';
COMMENT ON COLUMN reporting.connections_v2.failed_runs_in_a_row IS 'Runs that failed since the last one that did not.';
COMMENT ON COLUMN reporting.connections_v2.failure_class IS 'Kind of failure of the last run: auth, permission, quota, transient, config, schema, destination, data or internal; null: none.';
COMMENT ON COLUMN reporting.connections_v2.failure_code IS 'Stable code of that failure.';
COMMENT ON COLUMN reporting.connections_v2.failure_message IS 'Cause of that failure, as a sentence.';
COMMENT ON COLUMN reporting.connections_v2.active_run_id IS 'The run in progress; null: none.';
COMMENT ON COLUMN reporting.connections_v2.created_at IS 'When it was created.';
COMMENT ON COLUMN reporting.connections_v2.has_changed IS 'Whether it has changed since its health and its days were computed. That is repeated within a minute.';
