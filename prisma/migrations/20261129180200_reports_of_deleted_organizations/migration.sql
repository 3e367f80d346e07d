SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- Objects of a deleted organization stayed in these views until they were deleted permanently, 30 days later.
CREATE OR REPLACE VIEW reporting.members_v1 AS
select m.organization_id,
       m.user_id,
       u.full_name,
       u.email,
       m.role::text as role,
       m.joined_at,
       u.last_seen_at,
       u.disabled_at is not null as is_disabled
  from members m
  join organizations o on o.id = m.organization_id and o.deleted_at is null
  join users u on u.uid = m.user_id;
CREATE OR REPLACE VIEW reporting.subscriptions_v1 AS
select s.organization_id,
       s.status::text as status,
       s.price_id,
       s.trial_ends_at,
       s.current_period_end,
       s.cancel_at_period_end as cancels_at_period_end,
       s.grace_ends_at,
       s.closed_at,
       s.synced_at
  from subscriptions s
  join organizations o on o.id = s.organization_id and o.deleted_at is null;
CREATE OR REPLACE VIEW reporting.connections_v2 AS
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
  join organizations o on o.id = f.organization_id and o.deleted_at is null
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
CREATE OR REPLACE VIEW reporting.runs_v1 AS
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
  from runs r
  join organizations o on o.id = r.organization_id and o.deleted_at is null;
CREATE OR REPLACE VIEW reporting.run_chunks_v1 AS
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
  from run_slices k
  join organizations o on o.id = k.organization_id and o.deleted_at is null;
CREATE OR REPLACE VIEW reporting.daily_rows_v1 AS
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
  join organizations o on o.id = v.organization_id and o.deleted_at is null
  join connections c on c.organization_id = v.organization_id and c.id = v.connection_id and c.deleted_at is null
  join sources s on s.organization_id = c.organization_id and s.id = c.source_id
  join apps a on a.organization_id = s.organization_id and a.id = s.app_id
  left join lateral (
    select account->>'name' as name, account->>'currency' as currency, account->>'timeZone' as time_zone
      from jsonb_array_elements(a.accounts) account where account->>'externalId' = v.account_id limit 1) account on true;
CREATE OR REPLACE VIEW reporting.backfills_v1 AS
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
  join organizations o on o.id = b.organization_id and o.deleted_at is null
 cross join lateral (
    select count(*)::int as chunks, count(*) filter (where k.state = 'done')::int as done,
           count(*) filter (where k.state = 'failed')::int as failed, coalesce(sum(k.rows), 0)::bigint as rows,
           coalesce(floor(100.0 * sum(k.day_to - k.day_from + 1) filter (where k.state = 'done') / nullif(sum(k.day_to - k.day_from + 1), 0)), 0)::int as percent
      from backfill_chunks k where k.organization_id = b.organization_id and k.backfill_id = b.id) k;
CREATE OR REPLACE VIEW reporting.conversion_funnel_v1 AS
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
  join organizations o on o.id = v.organization_id and o.deleted_at is null
  join conversion_counts n on n.organization_id = v.organization_id and n.conversion_id = v.id
  join apps a on a.organization_id = v.organization_id and a.id = v.target_app_id
 where v.deleted_at is null
 group by v.organization_id, v.id, v.name, a.provider, n.day;
CREATE OR REPLACE VIEW reporting.payments_v1 AS
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
  from payments p
  join organizations o on o.id = p.organization_id and o.deleted_at is null
 where p.deleted_at is null;
CREATE OR REPLACE VIEW reporting.recurring_revenue_v1 AS
select q.organization_id,
       q.payment_id,
       q.day,
       q.definition_version,
       amount->>'currency' as currency,
       (amount->>'amountMinor')::numeric / unit.parts as amount,
       (amount->>'pastDueMinor')::numeric / unit.parts as past_due,
       (amount->>'endingMinor')::numeric / unit.parts as ending,
       (amount->>'subscriptions')::int as subscriptions,
       q.computed_at
  from payment_recurring_revenues q
  join organizations o on o.id = q.organization_id and o.deleted_at is null
 cross join lateral jsonb_array_elements(q.currencies) amount
 cross join lateral (
    -- As decimalsOf of the API (backend/src/connectors/stripe/money.ts).
    select case when upper(amount->>'currency') in ('BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 1::numeric
                when upper(amount->>'currency') in ('BHD', 'JOD', 'KWD', 'OMR', 'TND') then 1000::numeric
                else 100::numeric end as parts) unit;
CREATE OR REPLACE VIEW reporting.alerts_v1 AS
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
  from alerts t
  join organizations o on o.id = t.organization_id and o.deleted_at is null;
