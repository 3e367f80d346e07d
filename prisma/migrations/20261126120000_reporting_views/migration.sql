-- Views for reports on the product's own database. Names end with a version: the columns of a version never change, and a new
-- version is added beside the earlier one. No view contains credentials, hashes of keys, or customer events.
CREATE SCHEMA reporting;
COMMENT ON SCHEMA reporting IS 'Views for reports, for the role report_ro. The columns of a version never change.';

CREATE VIEW reporting.organizations_v1 AS
select o.id as organization_id,
       o.name,
       o.currency,
       o.time_zone,
       o.created_at,
       (select count(*)::int from members m where m.organization_id = o.id) as members,
       (select count(*)::int from connections c where c.organization_id = o.id and c.deleted_at is null) as connections,
       coalesce(s.status::text, 'none') as subscription_status
  from organizations o left join subscriptions s on s.organization_id = o.id where o.deleted_at is null;
COMMENT ON VIEW reporting.organizations_v1 IS 'Organizations that are not deleted.';
COMMENT ON COLUMN reporting.organizations_v1.organization_id IS 'UUIDv7 of the organization.';
COMMENT ON COLUMN reporting.organizations_v1.name IS 'Display name.';
COMMENT ON COLUMN reporting.organizations_v1.currency IS 'Currency of its reports, ISO 4217.';
COMMENT ON COLUMN reporting.organizations_v1.time_zone IS 'Time zone of its reports, as an IANA name.';
COMMENT ON COLUMN reporting.organizations_v1.created_at IS 'When it was created.';
COMMENT ON COLUMN reporting.organizations_v1.members IS 'Number of members.';
COMMENT ON COLUMN reporting.organizations_v1.connections IS 'Number of connections that are not deleted, with those of payments.';
COMMENT ON COLUMN reporting.organizations_v1.subscription_status IS 'Status of the subscription at Stripe; none: there was never one.';

CREATE VIEW reporting.members_v1 AS
select m.organization_id,
       m.user_id,
       u.full_name,
       u.email,
       m.role::text as role,
       m.joined_at,
       u.last_seen_at,
       u.disabled_at is not null as is_disabled
  from members m join users u on u.uid = m.user_id;
COMMENT ON VIEW reporting.members_v1 IS 'Members of organizations, with their role.';
COMMENT ON COLUMN reporting.members_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.members_v1.user_id IS 'Firebase uid.';
COMMENT ON COLUMN reporting.members_v1.full_name IS 'Display name of the user.';
COMMENT ON COLUMN reporting.members_v1.email IS 'E-mail address of the user.';
COMMENT ON COLUMN reporting.members_v1.role IS 'viewer, editor, admin or owner.';
COMMENT ON COLUMN reporting.members_v1.joined_at IS 'When the user joined.';
COMMENT ON COLUMN reporting.members_v1.last_seen_at IS 'When the user last used the product, in any organization; null: not recorded.';
COMMENT ON COLUMN reporting.members_v1.is_disabled IS 'Whether the account is disabled in the whole product.';

CREATE VIEW reporting.subscriptions_v1 AS
select s.organization_id,
       s.status::text as status,
       s.price_id,
       s.trial_ends_at,
       s.current_period_end,
       s.cancel_at_period_end as cancels_at_period_end,
       s.grace_ends_at,
       s.closed_at,
       s.synced_at
  from subscriptions s;
COMMENT ON VIEW reporting.subscriptions_v1 IS 'Subscriptions as of the last sync with Stripe.';
COMMENT ON COLUMN reporting.subscriptions_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.subscriptions_v1.status IS 'Status at Stripe.';
COMMENT ON COLUMN reporting.subscriptions_v1.price_id IS 'Stripe id of the price; null: no subscription.';
COMMENT ON COLUMN reporting.subscriptions_v1.trial_ends_at IS 'End of the trial; null: none.';
COMMENT ON COLUMN reporting.subscriptions_v1.current_period_end IS 'End of the paid period; null: no subscription.';
COMMENT ON COLUMN reporting.subscriptions_v1.cancels_at_period_end IS 'Whether it ends with the paid period.';
COMMENT ON COLUMN reporting.subscriptions_v1.grace_ends_at IS 'Until when an overdue organization keeps its access; null: not overdue.';
COMMENT ON COLUMN reporting.subscriptions_v1.closed_at IS 'When access was closed; null: it is open.';
COMMENT ON COLUMN reporting.subscriptions_v1.synced_at IS 'Last sync with Stripe; null: never.';

CREATE VIEW reporting.connections_v1 AS
select c.organization_id,
       c.id as connection_id,
       c.payment_id,
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
       case when a.state in ('needs_reauth', 'revoked') or da.state in ('needs_reauth', 'revoked') then 'needs_reauth'
       when c.desired = 'paused' then 'paused'
       when ended.state = 'failed' or (d.state <> 'ready' and ended.state is not null) then 'failing'
       when ended.state = 'partial' then 'partial'
       when ended.state = 'unverified' then 'unverified'
       when ended.state is null then 'never_run'
       else 'healthy' end as health,
       covered.through as complete_through,
       case when covered.newest is not null then (now() at time zone 'UTC')::date - 1 - covered.newest end as days_behind,
       (select count(distinct v.day)::int from coverage v
     where v.organization_id = c.organization_id and v.connection_id = c.id and v.day >= c.history_from and v.state in ('missing', 'failed')) as incomplete_days,
       c.history_from,
       c.next_run_at,
       ended.id as last_run_id,
       ended.state::text as last_run_state,
       ended.ended_at as last_run_ended_at,
       (select count(*)::int from runs r
     where r.organization_id = c.organization_id and r.connection_id = c.id and r.track = 'regular' and r.state = 'failed'
       and r.queued_at > coalesce((select max(g.queued_at) from runs g
             where g.organization_id = c.organization_id and g.connection_id = c.id and g.track = 'regular'
               and g.state in ('succeeded', 'partial', 'unverified')), '-infinity')) as failed_runs_in_a_row,
       ended.failure->>'class' as failure_class,
       ended.failure->>'code' as failure_code,
       ended.failure->>'message' as failure_message,
       active.id as active_run_id,
       c.created_at
  from connections c
  join sources s on s.organization_id = c.organization_id and s.id = c.source_id
  join apps a on a.organization_id = s.organization_id and a.id = s.app_id
  join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
  join apps da on da.organization_id = d.organization_id and da.id = d.app_id
  left join lateral (
    select r.id, r.state, r.ended_at, r.failure from runs r
     where r.organization_id = c.organization_id and r.connection_id = c.id and r.ended_at is not null
       and r.track = 'regular' and r.state not in ('cancelled', 'skipped')
     order by r.queued_at desc limit 1) ended on true
  left join lateral (
    select r.id from runs r
     where r.organization_id = c.organization_id and r.connection_id = c.id and r.track = 'regular' and r.ended_at is null limit 1) active on true
  cross join lateral (
    -- As COMPLETE_THROUGH of the API (backend/src/coverage).
    select case when bool_or(edge.day is null) then null else min(edge.day) end as through, min(edge.newest) as newest
      from unnest(c.streams) stream, unnest(s.account_ids) account_id
      left join lateral (
        select account->>'timeZone' as name from jsonb_array_elements(a.accounts) account
         where account->>'externalId' = account_id.account_id limit 1) zone on true
     cross join lateral (
       select least((now() at time zone coalesce(zone.name, 'UTC'))::date - 1, coalesce(
                (select c.history_from - 1 where not exists (
                   select 1 from coverage v
                    where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                      and v.account_id = account_id.account_id and v.day = c.history_from)),
                (select min(v.day) - 1 from coverage v
                  where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                    and v.account_id = account_id.account_id and v.day >= c.history_from
                    and (v.state in ('missing', 'loading', 'failed')
                         or ((v.last_verified_at at time zone coalesce(zone.name, 'UTC'))::date > v.day) is not true)),
                (select max(v.day) from coverage v
                  where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                    and v.account_id = account_id.account_id))) as day,
              (select v.day from coverage v
                where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                  and v.account_id = account_id.account_id and v.state not in ('missing', 'loading', 'failed')
                  and (v.last_verified_at at time zone coalesce(zone.name, 'UTC'))::date > v.day
                order by v.day desc limit 1) as newest
       offset 0) edge) covered
 where c.deleted_at is null;
COMMENT ON VIEW reporting.connections_v1 IS 'Connections that are not deleted, with their health. One row per connection.';
COMMENT ON COLUMN reporting.connections_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.connections_v1.connection_id IS 'UUIDv7 of the connection.';
COMMENT ON COLUMN reporting.connections_v1.payment_id IS 'The payment that it loads; null: an ordinary connection.';
COMMENT ON COLUMN reporting.connections_v1.name IS 'Display name.';
COMMENT ON COLUMN reporting.connections_v1.tags IS 'Tags.';
COMMENT ON COLUMN reporting.connections_v1.source_id IS 'The source.';
COMMENT ON COLUMN reporting.connections_v1.source_name IS 'Display name of the source.';
COMMENT ON COLUMN reporting.connections_v1.source_provider IS 'Provider of the source, such as google_ads.';
COMMENT ON COLUMN reporting.connections_v1.destination_id IS 'The destination.';
COMMENT ON COLUMN reporting.connections_v1.destination_name IS 'Display name of the destination.';
COMMENT ON COLUMN reporting.connections_v1.destination_provider IS 'Provider of the destination, such as postgresql.';
COMMENT ON COLUMN reporting.connections_v1.streams IS 'Names of the selected streams.';
COMMENT ON COLUMN reporting.connections_v1.desired_state IS 'active or paused, as chosen by a user or by the automatic pause.';
COMMENT ON COLUMN reporting.connections_v1.paused_reason IS 'Why it is paused: user, failures, schema_change or import; null: active, or paused by an earlier version.';
COMMENT ON COLUMN reporting.connections_v1.health IS 'The worst that applies: needs_reauth, paused, failing, partial, unverified, never_run or healthy. Late data (stale), runs in progress and a closed subscription are not included: see days_behind, active_run_id and subscriptions_v1.';
COMMENT ON COLUMN reporting.connections_v1.complete_through IS 'Last day up to which every day of every account and stream was read after its end; null: none.';
COMMENT ON COLUMN reporting.connections_v1.days_behind IS 'Days between yesterday (UTC) and the newest complete day; null: no day is complete.';
COMMENT ON COLUMN reporting.connections_v1.incomplete_days IS 'Days of which an account or stream is missing or failed.';
COMMENT ON COLUMN reporting.connections_v1.history_from IS 'First day that is loaded.';
COMMENT ON COLUMN reporting.connections_v1.next_run_at IS 'Next scheduled run; null: paused, or no schedule.';
COMMENT ON COLUMN reporting.connections_v1.last_run_id IS 'The last run that ended, without cancelled and skipped ones and those of backfills; null: none.';
COMMENT ON COLUMN reporting.connections_v1.last_run_state IS 'State of that run.';
COMMENT ON COLUMN reporting.connections_v1.last_run_ended_at IS 'When that run ended.';
COMMENT ON COLUMN reporting.connections_v1.failed_runs_in_a_row IS 'Runs that failed since the last one that did not.';
COMMENT ON COLUMN reporting.connections_v1.failure_class IS 'Kind of failure of the last run: auth, permission, quota, transient, config, schema, destination, data or internal; null: none.';
COMMENT ON COLUMN reporting.connections_v1.failure_code IS 'Stable code of that failure.';
COMMENT ON COLUMN reporting.connections_v1.failure_message IS 'Cause of that failure, as a sentence.';
COMMENT ON COLUMN reporting.connections_v1.active_run_id IS 'The run in progress; null: none.';
COMMENT ON COLUMN reporting.connections_v1.created_at IS 'When it was created.';

CREATE VIEW reporting.runs_v1 AS
select r.organization_id,
       r.id as run_id,
       r.connection_id,
       r.kind::text as kind,
       r.track::text as track,
       r.state::text as state,
       r.window_from as day_from,
       r.window_to as day_to,
       r.queued_at,
       r.started_at,
       r.ended_at,
       extract(epoch from r.started_at - r.queued_at)::float8 as wait_seconds,
       extract(epoch from r.ended_at - r.started_at)::float8 as duration_seconds,
       r.quota_wait_ms / 1000.0::float8 as quota_wait_seconds,
       r.rows_read,
       r.rows_written,
       r.rows_rejected,
       r.bytes,
       r.api_calls,
       r.worker_deaths as worker_crashes,
       r.failure->>'class' as failure_class,
       r.failure->>'code' as failure_code,
       r.failure->>'message' as failure_message,
       r.failure->>'action' as failure_action
  from runs r;
COMMENT ON VIEW reporting.runs_v1 IS 'Runs of connections. One row per run. Runs are stored until their connection is deleted.';
COMMENT ON COLUMN reporting.runs_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.runs_v1.run_id IS 'UUIDv7 of the run.';
COMMENT ON COLUMN reporting.runs_v1.connection_id IS 'The connection.';
COMMENT ON COLUMN reporting.runs_v1.kind IS 'scheduled, manual, backfill, catch_up, repair or test.';
COMMENT ON COLUMN reporting.runs_v1.track IS 'regular, reload or backfill: runs of different tracks can overlap.';
COMMENT ON COLUMN reporting.runs_v1.state IS 'queued, running, waiting, verifying, succeeded (every row was verified), partial, unverified, failed, cancelled or skipped.';
COMMENT ON COLUMN reporting.runs_v1.day_from IS 'First day of the run; null: not planned yet.';
COMMENT ON COLUMN reporting.runs_v1.day_to IS 'Last day of the run; null: not planned yet.';
COMMENT ON COLUMN reporting.runs_v1.queued_at IS 'When it was queued.';
COMMENT ON COLUMN reporting.runs_v1.started_at IS 'When a worker started it; null: it is queued.';
COMMENT ON COLUMN reporting.runs_v1.ended_at IS 'When it ended; null: it has not.';
COMMENT ON COLUMN reporting.runs_v1.wait_seconds IS 'Seconds in the queue.';
COMMENT ON COLUMN reporting.runs_v1.duration_seconds IS 'Seconds from start to end, with pauses.';
COMMENT ON COLUMN reporting.runs_v1.quota_wait_seconds IS 'Seconds in which it waited for the quota of a platform.';
COMMENT ON COLUMN reporting.runs_v1.rows_read IS 'Rows that the source returned.';
COMMENT ON COLUMN reporting.runs_v1.rows_written IS 'Rows that were written to the destination. Unchanged rows are not written.';
COMMENT ON COLUMN reporting.runs_v1.rows_rejected IS 'Rows that the destination rejected.';
COMMENT ON COLUMN reporting.runs_v1.bytes IS 'Bytes that were sent to the destination.';
COMMENT ON COLUMN reporting.runs_v1.api_calls IS 'Requests to the platforms.';
COMMENT ON COLUMN reporting.runs_v1.worker_crashes IS 'Workers that crashed during the run, which was resumed.';
COMMENT ON COLUMN reporting.runs_v1.failure_class IS 'Kind of failure; null: it did not fail.';
COMMENT ON COLUMN reporting.runs_v1.failure_code IS 'Stable code of the failure.';
COMMENT ON COLUMN reporting.runs_v1.failure_message IS 'Cause of the failure, as a sentence.';
COMMENT ON COLUMN reporting.runs_v1.failure_action IS 'The action that resolves the failure.';

CREATE VIEW reporting.run_chunks_v1 AS
select k.organization_id,
       k.id as chunk_id,
       k.run_id,
       k.stream,
       k.account_id,
       k.day_from,
       k.day_to,
       k.state::text as state,
       k.attempts,
       k.rows_read,
       k.rows_found,
       k.cost_micros as cost_micros_read,
       k.cost_found as cost_micros_found,
       k.failure->>'code' as failure_code,
       k.failure->>'message' as failure_message,
       k.ended_at
  from run_slices k;
COMMENT ON VIEW reporting.run_chunks_v1 IS 'Chunks of runs: the days of one stream and account that are read and verified together.';
COMMENT ON COLUMN reporting.run_chunks_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.run_chunks_v1.chunk_id IS 'UUIDv7 of the chunk.';
COMMENT ON COLUMN reporting.run_chunks_v1.run_id IS 'The run.';
COMMENT ON COLUMN reporting.run_chunks_v1.stream IS 'Name of the stream.';
COMMENT ON COLUMN reporting.run_chunks_v1.account_id IS 'The provider''s id of the account.';
COMMENT ON COLUMN reporting.run_chunks_v1.day_from IS 'First day.';
COMMENT ON COLUMN reporting.run_chunks_v1.day_to IS 'Last day.';
COMMENT ON COLUMN reporting.run_chunks_v1.state IS 'pending, running, done, failed or skipped.';
COMMENT ON COLUMN reporting.run_chunks_v1.attempts IS 'Times that it was started.';
COMMENT ON COLUMN reporting.run_chunks_v1.rows_read IS 'Rows that the source returned.';
COMMENT ON COLUMN reporting.run_chunks_v1.rows_found IS 'Rows that the destination contained after the load.';
COMMENT ON COLUMN reporting.run_chunks_v1.cost_micros_read IS 'Cost that the source returned, in millionths of the currency of the account.';
COMMENT ON COLUMN reporting.run_chunks_v1.cost_micros_found IS 'Cost that the destination contained after the load.';
COMMENT ON COLUMN reporting.run_chunks_v1.failure_code IS 'Stable code of the failure; null: none.';
COMMENT ON COLUMN reporting.run_chunks_v1.failure_message IS 'Cause of the failure, as a sentence.';
COMMENT ON COLUMN reporting.run_chunks_v1.ended_at IS 'When it ended; null: it has not.';

CREATE VIEW reporting.daily_rows_v1 AS
select v.organization_id,
       v.connection_id,
       v.stream,
       v.account_id,
       account.name as account_name,
       account.currency,
       account.time_zone as account_time_zone,
       v.day,
       v.state::text as state,
       v.rows,
       v.cost_micros / 1e6 as cost,
       v.clicks,
       v.impressions,
       v.conversions,
       v.revisions,
       v.first_loaded_at,
       v.last_changed_at,
       v.last_verified_at
  from coverage v
  join connections c on c.organization_id = v.organization_id and c.id = v.connection_id and c.deleted_at is null
  join sources s on s.organization_id = c.organization_id and s.id = c.source_id
  join apps a on a.organization_id = s.organization_id and a.id = s.app_id
  left join lateral (
    select account->>'name' as name, account->>'currency' as currency, account->>'timeZone' as time_zone
      from jsonb_array_elements(a.accounts) account where account->>'externalId' = v.account_id limit 1) account on true;
COMMENT ON VIEW reporting.daily_rows_v1 IS 'Rows and amounts by day, as verified at the destination. One row per connection, stream, account and day.';
COMMENT ON COLUMN reporting.daily_rows_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.daily_rows_v1.connection_id IS 'The connection.';
COMMENT ON COLUMN reporting.daily_rows_v1.stream IS 'Name of the stream. Each stream of advertising contains the whole cost: add rows of one stream only.';
COMMENT ON COLUMN reporting.daily_rows_v1.account_id IS 'The provider''s id of the account.';
COMMENT ON COLUMN reporting.daily_rows_v1.account_name IS 'Name of the account; null: the app no longer lists it.';
COMMENT ON COLUMN reporting.daily_rows_v1.currency IS 'Currency of the account, ISO 4217. Never add amounts of different currencies.';
COMMENT ON COLUMN reporting.daily_rows_v1.account_time_zone IS 'Time zone of the days of the account, as an IANA name.';
COMMENT ON COLUMN reporting.daily_rows_v1.day IS 'Calendar day in the account''s time zone.';
COMMENT ON COLUMN reporting.daily_rows_v1.state IS 'missing, loading, provisional (may still change), final, failed, empty_confirmed (verified without rows) or restated.';
COMMENT ON COLUMN reporting.daily_rows_v1.rows IS 'Rows of the day.';
COMMENT ON COLUMN reporting.daily_rows_v1.cost IS 'Cost in units of the currency.';
COMMENT ON COLUMN reporting.daily_rows_v1.clicks IS 'Clicks.';
COMMENT ON COLUMN reporting.daily_rows_v1.impressions IS 'Impressions.';
COMMENT ON COLUMN reporting.daily_rows_v1.conversions IS 'Conversions by the attribution of the platform; null: the stream has none.';
COMMENT ON COLUMN reporting.daily_rows_v1.revisions IS 'Times that a later read changed the day.';
COMMENT ON COLUMN reporting.daily_rows_v1.first_loaded_at IS 'When it was first loaded; null: never.';
COMMENT ON COLUMN reporting.daily_rows_v1.last_changed_at IS 'When a read last changed it; null: never.';
COMMENT ON COLUMN reporting.daily_rows_v1.last_verified_at IS 'When it was last verified at the destination; null: never.';

CREATE VIEW reporting.coverage_gaps_v1 AS
select g.organization_id,
       g.connection_id,
       g.stream,
       g.account_id,
       g.state::text as state,
       min(g.day) as day_from,
       max(g.day) as day_to,
       count(*)::int as days
  from (
    select v.organization_id, v.connection_id, v.stream, v.account_id, v.state, v.day,
           v.day - (row_number() over (partition by v.organization_id, v.connection_id, v.stream, v.account_id, v.state order by v.day))::int as range_of
      from coverage v
      join connections c on c.organization_id = v.organization_id and c.id = v.connection_id and c.deleted_at is null
     where v.state in ('missing', 'failed') and v.day >= c.history_from) g
 group by g.organization_id, g.connection_id, g.stream, g.account_id, g.state, g.range_of;
COMMENT ON VIEW reporting.coverage_gaps_v1 IS 'Ranges of consecutive days that are missing or failed. One row per connection, stream, account, state and range.';
COMMENT ON COLUMN reporting.coverage_gaps_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.coverage_gaps_v1.connection_id IS 'The connection.';
COMMENT ON COLUMN reporting.coverage_gaps_v1.stream IS 'Name of the stream.';
COMMENT ON COLUMN reporting.coverage_gaps_v1.account_id IS 'The provider''s id of the account.';
COMMENT ON COLUMN reporting.coverage_gaps_v1.state IS 'missing or failed.';
COMMENT ON COLUMN reporting.coverage_gaps_v1.day_from IS 'First day of the range.';
COMMENT ON COLUMN reporting.coverage_gaps_v1.day_to IS 'Last day of the range.';
COMMENT ON COLUMN reporting.coverage_gaps_v1.days IS 'Number of days.';

CREATE VIEW reporting.backfills_v1 AS
select b.organization_id,
       b.id as backfill_id,
       b.connection_id,
       b.mode::text as mode,
       b.state::text as state,
       b.streams,
       b.account_ids,
       b.day_from,
       b.day_to,
       k.chunks,
       k.done as chunks_done,
       k.failed as chunks_failed,
       k.rows,
       k.percent,
       b.failure->>'code' as failure_code,
       b.created_at,
       b.started_at,
       b.ended_at
  from backfills b
 cross join lateral (
    select count(*)::int as chunks, count(*) filter (where k.state = 'done')::int as done,
           count(*) filter (where k.state = 'failed')::int as failed, coalesce(sum(k.rows), 0)::bigint as rows,
           coalesce(floor(100.0 * sum(k.day_to - k.day_from + 1) filter (where k.state = 'done') / nullif(sum(k.day_to - k.day_from + 1), 0)), 0)::int as percent
      from backfill_chunks k where k.organization_id = b.organization_id and k.backfill_id = b.id) k;
COMMENT ON VIEW reporting.backfills_v1 IS 'Backfills, reloads of days and re-syncs, with their progress.';
COMMENT ON COLUMN reporting.backfills_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.backfills_v1.backfill_id IS 'UUIDv7 of the backfill.';
COMMENT ON COLUMN reporting.backfills_v1.connection_id IS 'The connection.';
COMMENT ON COLUMN reporting.backfills_v1.mode IS 'fill_missing, replace or resync.';
COMMENT ON COLUMN reporting.backfills_v1.state IS 'scheduled, running, paused, completed, completed_with_errors, failed or cancelled.';
COMMENT ON COLUMN reporting.backfills_v1.streams IS 'Names of the streams.';
COMMENT ON COLUMN reporting.backfills_v1.account_ids IS 'The provider''s ids of the accounts.';
COMMENT ON COLUMN reporting.backfills_v1.day_from IS 'First day, after it was limited to what the platform keeps.';
COMMENT ON COLUMN reporting.backfills_v1.day_to IS 'Last day.';
COMMENT ON COLUMN reporting.backfills_v1.chunks IS 'Number of chunks.';
COMMENT ON COLUMN reporting.backfills_v1.chunks_done IS 'Chunks that are loaded and verified.';
COMMENT ON COLUMN reporting.backfills_v1.chunks_failed IS 'Chunks that failed.';
COMMENT ON COLUMN reporting.backfills_v1.rows IS 'Rows that were loaded.';
COMMENT ON COLUMN reporting.backfills_v1.percent IS 'Share of the days that is loaded, 0 to 100.';
COMMENT ON COLUMN reporting.backfills_v1.failure_code IS 'Stable code of the failure; null: none.';
COMMENT ON COLUMN reporting.backfills_v1.created_at IS 'When it was created.';
COMMENT ON COLUMN reporting.backfills_v1.started_at IS 'When its first chunk started; null: it has not.';
COMMENT ON COLUMN reporting.backfills_v1.ended_at IS 'When it ended; null: it has not.';

CREATE VIEW reporting.conversion_funnel_v1 AS
select v.organization_id,
       v.id as conversion_id,
       v.name,
       a.provider as target_provider,
       n.day,
       sum(n.events)::int as received,
       coalesce(sum(n.events) filter (where n.state in ('ineligible')), 0)::int as ineligible,
       coalesce(sum(n.events) filter (where n.state in ('queued', 'retrying', 'sent')), 0)::int as in_progress,
       coalesce(sum(n.events) filter (where n.state in ('accepted')), 0)::int as accepted,
       coalesce(sum(n.events) filter (where n.state in ('processed', 'adjusted')), 0)::int as processed,
       coalesce(sum(n.events) filter (where n.state in ('unmatched')), 0)::int as unmatched,
       coalesce(sum(n.events) filter (where n.state in ('rejected', 'dead', 'expired')), 0)::int as rejected
  from conversions v
  join conversion_counts n on n.organization_id = v.organization_id and n.conversion_id = v.id
  join apps a on a.organization_id = v.organization_id and a.id = v.target_app_id
 where v.deleted_at is null
 group by v.organization_id, v.id, v.name, a.provider, n.day;
COMMENT ON VIEW reporting.conversion_funnel_v1 IS 'Customer events of conversions by the UTC day of their receipt and their present state.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.conversion_id IS 'The conversion.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.name IS 'Display name of the conversion.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.target_provider IS 'Provider of the ad platform.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.day IS 'UTC day on which the events were received.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.received IS 'All events of the day.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.ineligible IS 'Not sent: too old, without consent or without identifiers.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.in_progress IS 'Queued, waiting for a retry, or sent without a response yet.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.accepted IS 'Accepted by the network, which has not reported a result yet.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.processed IS 'Counted by the network, with those adjusted later.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.unmatched IS 'Processed without a matching click or person.';
COMMENT ON COLUMN reporting.conversion_funnel_v1.rejected IS 'Rejected, given up after retries, or expired before they could be sent.';

CREATE VIEW reporting.payments_v1 AS
select p.organization_id,
       p.id as payment_id,
       p.name,
       p.desired::text as desired_state,
       p.amount_mode::text as amount_mode,
       p.history_from,
       (select count(*)::int from connections c where c.organization_id = p.organization_id and c.payment_id = p.id and c.deleted_at is null) as connections,
       p.last_event_at,
       p.last_webhook_at,
       p.webhook_missing_since,
       p.created_at
  from payments p where p.deleted_at is null;
COMMENT ON VIEW reporting.payments_v1 IS 'Payments: Stripe accounts whose events are loaded.';
COMMENT ON COLUMN reporting.payments_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.payments_v1.payment_id IS 'UUIDv7 of the payment.';
COMMENT ON COLUMN reporting.payments_v1.name IS 'Display name.';
COMMENT ON COLUMN reporting.payments_v1.desired_state IS 'active or paused.';
COMMENT ON COLUMN reporting.payments_v1.amount_mode IS 'gross, or net of fees.';
COMMENT ON COLUMN reporting.payments_v1.history_from IS 'First day that is loaded.';
COMMENT ON COLUMN reporting.payments_v1.connections IS 'Number of destinations.';
COMMENT ON COLUMN reporting.payments_v1.last_event_at IS 'Time of the newest event; null: none yet.';
COMMENT ON COLUMN reporting.payments_v1.last_webhook_at IS 'Last signed webhook; null: none yet.';
COMMENT ON COLUMN reporting.payments_v1.webhook_missing_since IS 'Since when webhooks are missing; null: none is missing.';
COMMENT ON COLUMN reporting.payments_v1.created_at IS 'When it was created.';

CREATE VIEW reporting.recurring_revenue_v1 AS
select q.organization_id,
       q.payment_id,
       q.day,
       q.definition_version,
       amount->>'currency' as currency,
       (amount->>'amountMinor')::numeric / power(10::numeric, (amount->>'decimals')::int) as amount,
       (amount->>'pastDueMinor')::numeric / power(10::numeric, (amount->>'decimals')::int) as past_due,
       (amount->>'endingMinor')::numeric / power(10::numeric, (amount->>'decimals')::int) as ending,
       (amount->>'subscriptions')::int as subscriptions,
       q.computed_at
  from payment_recurring_revenues q cross join lateral jsonb_array_elements(q.currencies) amount;
COMMENT ON VIEW reporting.recurring_revenue_v1 IS 'Monthly recurring revenue (MRR) by day and currency.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.payment_id IS 'The payment.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.day IS 'The UTC day for which it was computed.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.definition_version IS 'Version of the definition of MRR.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.currency IS 'ISO 4217. Never add amounts of different currencies.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.amount IS 'MRR in units of the currency.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.past_due IS 'The part of subscriptions whose last invoice is overdue.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.ending IS 'The part of subscriptions that end with their period.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.subscriptions IS 'Number of subscriptions that are included.';
COMMENT ON COLUMN reporting.recurring_revenue_v1.computed_at IS 'When it was computed.';

CREATE VIEW reporting.alerts_v1 AS
select t.organization_id,
       t.id as alert_id,
       t.kind,
       t.subject_type::text as subject_type,
       t.subject_id,
       t.failure_class,
       t.code,
       t.message,
       t.action,
       t.opened_at,
       t.acknowledged_at,
       t.recovered_at,
       extract(epoch from coalesce(t.recovered_at, now()) - t.opened_at)::float8 as open_seconds
  from alerts t;
COMMENT ON VIEW reporting.alerts_v1 IS 'Alerts: what needed attention, from opening to recovery.';
COMMENT ON COLUMN reporting.alerts_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.alerts_v1.alert_id IS 'UUIDv7 of the alert.';
COMMENT ON COLUMN reporting.alerts_v1.kind IS 'What happened, such as connection.failing.';
COMMENT ON COLUMN reporting.alerts_v1.subject_type IS 'connection, app, destination, webhook_endpoint, conversion or payment.';
COMMENT ON COLUMN reporting.alerts_v1.subject_id IS 'Id of the subject.';
COMMENT ON COLUMN reporting.alerts_v1.failure_class IS 'Kind of failure.';
COMMENT ON COLUMN reporting.alerts_v1.code IS 'Stable code of the failure.';
COMMENT ON COLUMN reporting.alerts_v1.message IS 'The cause, as a sentence.';
COMMENT ON COLUMN reporting.alerts_v1.action IS 'The action that resolves it.';
COMMENT ON COLUMN reporting.alerts_v1.opened_at IS 'When it was opened.';
COMMENT ON COLUMN reporting.alerts_v1.acknowledged_at IS 'When a user acknowledged it; null: nobody has.';
COMMENT ON COLUMN reporting.alerts_v1.recovered_at IS 'When it recovered; null: it is open.';
COMMENT ON COLUMN reporting.alerts_v1.open_seconds IS 'Seconds from opening to recovery, or to now.';

CREATE VIEW reporting.usage_v1 AS
select o.id as organization_id,
       date_trunc('month', r.ended_at at time zone o.time_zone)::date as month,
       count(*)::int as runs,
       count(*) filter (where r.state = 'failed')::int as failed_runs,
       sum(r.rows_read)::bigint as rows_read,
       sum(r.rows_written)::bigint as rows_written,
       sum(r.bytes)::bigint as bytes,
       sum(r.api_calls)::bigint as api_calls
  from organizations o join runs r on r.organization_id = o.id and r.ended_at is not null
 where o.deleted_at is null
 group by o.id, 2;
COMMENT ON VIEW reporting.usage_v1 IS 'Usage by organization and calendar month in the time zone of the organization. Months without a run have no row.';
COMMENT ON COLUMN reporting.usage_v1.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.usage_v1.month IS 'First day of the month.';
COMMENT ON COLUMN reporting.usage_v1.runs IS 'Runs that ended.';
COMMENT ON COLUMN reporting.usage_v1.failed_runs IS 'Runs that failed.';
COMMENT ON COLUMN reporting.usage_v1.rows_read IS 'Rows that the sources returned.';
COMMENT ON COLUMN reporting.usage_v1.rows_written IS 'Rows that were written.';
COMMENT ON COLUMN reporting.usage_v1.bytes IS 'Bytes that were sent to the destinations.';
COMMENT ON COLUMN reporting.usage_v1.api_calls IS 'Requests to the platforms.';

-- The role of reports. It reads these views and nothing else; ROLE=migrate grants it that (grant-report-role.ts). Where the owner of
-- the database cannot create roles, deploy/postgres-roles.sql creates it.
DO $$
BEGIN
  CREATE ROLE report_ro NOLOGIN;
  ALTER ROLE report_ro SET statement_timeout = '60s';
  ALTER ROLE report_ro SET default_transaction_read_only = on;
  ALTER ROLE report_ro SET search_path = reporting;
EXCEPTION
  -- Another database of the server has it already, or is just creating it.
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN RAISE NOTICE 'The role report_ro was not created: run deploy/postgres-roles.sql.';
END $$;
