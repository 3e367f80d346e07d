SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- days_behind was -1 for accounts far east of UTC: a day that has ended there may be today in UTC.
CREATE OR REPLACE VIEW reporting.connections_v1 AS
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
       case when covered.through >= c.history_from then covered.through end as complete_through,
       case when covered.newest is not null then greatest(0, (now() at time zone 'UTC')::date - 1 - covered.newest) end as days_behind,
       (select count(distinct v.day)::int from coverage v
     where v.organization_id = c.organization_id and v.connection_id = c.id and v.day >= first.day and v.state in ('missing', 'failed')
       and v.stream = any(c.streams) and v.account_id = any(s.account_ids)) as incomplete_days,
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
  join organizations o on o.id = c.organization_id and o.deleted_at is null
  join sources s on s.organization_id = c.organization_id and s.id = c.source_id
  join apps a on a.organization_id = s.organization_id and a.id = s.app_id
  join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
  join apps da on da.organization_id = d.organization_id and da.id = d.app_id
  cross join lateral (
    -- As FIRST_AVAILABLE of the API (backend/src/read-models): the first day of the history that the provider still has.
    select greatest(c.history_from,
      (date_trunc('month', now() at time zone 'UTC') - make_interval(months => case a.provider when 'google_ads' then 37 when 'meta_ads' then 37 when 'microsoft_ads' then 36 when 'custom' then 2 end))::date
        + extract(day from now() at time zone 'UTC')::int) as day
    offset 0) first
  left join lateral (
    select r.id, r.state, r.ended_at, r.failure from runs r
     where r.organization_id = c.organization_id and r.connection_id = c.id and r.ended_at is not null
       and r.track = 'regular' and r.state not in ('cancelled', 'skipped')
     order by r.queued_at desc limit 1) ended on true
  left join lateral (
    select r.id from runs r
     where r.organization_id = c.organization_id and r.connection_id = c.id and r.track = 'regular' and r.ended_at is null limit 1) active on true
  cross join lateral (
    -- As COMPLETE_THROUGH of the API (backend/src/read-models).
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
                      and v.account_id = account_id.account_id and v.day = first.day)),
                (select first.day + (v.place - 2)::int
                   from (select day, state, last_verified_at, row_number() over (order by day) as place from coverage
                          where organization_id = c.organization_id and connection_id = c.id and stream = stream.stream
                            and account_id = account_id.account_id and day >= first.day) v
                  where v.state in ('missing', 'loading', 'failed')
                     or ((v.last_verified_at at time zone coalesce(zone.name, 'UTC'))::date > v.day) is not true
                     or v.day > first.day + (v.place - 1)::int
                  order by v.day limit 1),
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
       case when covered.through is not null then greatest(0, (now() at time zone 'UTC')::date - 1 - covered.through) end as days_behind,
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

COMMENT ON COLUMN reporting.connections_v1.days_behind IS 'Days between yesterday (UTC) and the newest complete day, at least 0, without accounts that have no complete day; null: no day is complete.';
COMMENT ON COLUMN reporting.connections_v2.days_behind IS 'Days between yesterday (UTC) and complete_through, at least 0, from the day before the history if no day is complete; null: it reads no account.';
