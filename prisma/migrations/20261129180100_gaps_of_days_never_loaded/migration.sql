SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '60s';

-- Days that the platform no longer has were counted as gaps, although nothing can load them. Objects of a deleted organization stayed in
-- both views until they were deleted permanently.
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
       case when covered.newest is not null then (now() at time zone 'UTC')::date - 1 - covered.newest end as days_behind,
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
CREATE OR REPLACE VIEW reporting.coverage_gaps_v1 AS
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
      join organizations o on o.id = v.organization_id and o.deleted_at is null
      join connections c on c.organization_id = v.organization_id and c.id = v.connection_id and c.deleted_at is null
       and v.stream = any(c.streams)
      join sources s on s.organization_id = c.organization_id and s.id = c.source_id and v.account_id = any(s.account_ids)
      join apps a on a.organization_id = s.organization_id and a.id = s.app_id
     cross join lateral (
       select greatest(c.history_from,
         (date_trunc('month', now() at time zone 'UTC') - make_interval(months => case a.provider when 'google_ads' then 37 when 'meta_ads' then 37 when 'microsoft_ads' then 36 when 'custom' then 2 end))::date
           + extract(day from now() at time zone 'UTC')::int) as day
       offset 0) first
     where v.state in ('missing', 'failed') and v.day >= first.day) g
 group by g.organization_id, g.connection_id, g.stream, g.account_id, g.state, g.range_of;

-- coverage_gaps_v1 has no days without a row of coverage: those that were never loaded.
CREATE VIEW reporting.coverage_gaps_v2 AS
select c.organization_id,
       c.id as connection_id,
       stream.name as stream,
       account.id as account_id,
       gap.state,
       lower(days.range) as day_from,
       upper(days.range) - 1 as day_to,
       upper(days.range) - lower(days.range) as days
  from connections c
  join organizations o on o.id = c.organization_id and o.deleted_at is null
  join sources s on s.organization_id = c.organization_id and s.id = c.source_id
  join apps a on a.organization_id = s.organization_id and a.id = s.app_id
  -- Up to the stored complete_through no day is missing, so that only the days after it are read.
  left join connection_facts f on f.organization_id = c.organization_id and f.connection_id = c.id
   and not exists (select from connection_marks m
                    where m.organization_id = c.organization_id and m.connection_id = c.id and m.has_coverage)
  cross join lateral (
    -- As FIRST_AVAILABLE of the API (backend/src/read-models): the first day of the history that the provider still has.
    select greatest(c.history_from,
      (date_trunc('month', now() at time zone 'UTC') - make_interval(months => case a.provider when 'google_ads' then 37 when 'meta_ads' then 37 when 'microsoft_ads' then 36 when 'custom' then 2 end))::date
        + extract(day from now() at time zone 'UTC')::int) as day
    offset 0) first
  cross join lateral unnest(c.streams) stream(name)
  cross join lateral unnest(s.account_ids) account(id)
  left join lateral (
    select entry->>'timeZone' as name from jsonb_array_elements(a.accounts) entry
     where entry->>'externalId' = account.id limit 1) zone on true
  cross join lateral (
    select greatest(first.day, f.complete_through + 1) as day_from, (now() at time zone coalesce(zone.name, 'UTC'))::date - 1 as day_to
    offset 0) due
  cross join lateral (
    select range_agg(daterange(v.day, v.day, '[]')) filter (where v.state not in ('missing', 'failed')) as loaded,
           range_agg(daterange(v.day, v.day, '[]')) filter (where v.state = 'failed') as failed
      from coverage v
     where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.name and v.account_id = account.id
       and v.day between due.day_from and due.day_to) attempted
  cross join lateral (
    select 'failed' as state, attempted.failed as ranges
    union all
    select 'missing', datemultirange(daterange(due.day_from, due.day_to, '[]')) - coalesce(attempted.loaded, '{}') - coalesce(attempted.failed, '{}')
  ) gap
  cross join lateral unnest(gap.ranges) days(range)
 where c.deleted_at is null and due.day_from <= due.day_to;

COMMENT ON VIEW reporting.coverage_gaps_v2 IS 'Ranges of consecutive days that are missing or failed, also days that were never loaded: from the first day of the history that the platform still has to yesterday in the time zone of the account. One row per connection, stream, account, state and range.';
COMMENT ON COLUMN reporting.coverage_gaps_v2.organization_id IS 'The organization.';
COMMENT ON COLUMN reporting.coverage_gaps_v2.connection_id IS 'The connection.';
COMMENT ON COLUMN reporting.coverage_gaps_v2.stream IS 'Name of the stream.';
COMMENT ON COLUMN reporting.coverage_gaps_v2.account_id IS 'The provider''s id of the account.';
COMMENT ON COLUMN reporting.coverage_gaps_v2.state IS 'missing (never loaded, or to be loaded again) or failed.';
COMMENT ON COLUMN reporting.coverage_gaps_v2.day_from IS 'First day of the range.';
COMMENT ON COLUMN reporting.coverage_gaps_v2.day_to IS 'Last day of the range.';
COMMENT ON COLUMN reporting.coverage_gaps_v2.days IS 'Number of days.';

COMMENT ON VIEW reporting.coverage_gaps_v1 IS 'Ranges of consecutive days that are missing or failed. Does not include days that no run has planned yet: see coverage_gaps_v2. One row per connection, stream, account, state and range.';
COMMENT ON COLUMN reporting.connections_v1.incomplete_days IS 'Days of which an account or stream is missing or failed. Does not include days that no run has planned yet: see coverage_gaps_v2.';
