import { providers } from '../connectors/registry.js';

/**
 * SQL condition for a row of coverage: whether the day was read after it ended in the account's time zone. Rows that arrived
 * earlier are stored, but the day was not over.
 */
export const readAfterEnd = (coverage: string, timeZone: string): string =>
  `(${coverage}.last_verified_at at time zone coalesce(${timeZone}, 'UTC'))::date > ${coverage}.day`;

/** `case a.provider when 'google_ads' then 37 … end`; null for providers that keep all days. */
const HISTORY_MONTHS = `case a.provider ${providers
  .flatMap(({ kind, declared }) =>
    kind !== 'destination' && declared.historyMonths ? [[declared.provider, declared.historyMonths]] : [],
  )
  .map(([provider, months]) => `when '${provider}' then ${months}`)
  .join(' ')} end`;

/**
 * SQL for the first day of the history of a connection `c` that the provider of its app `a` still has, as `monthsBefore` computes it.
 * Earlier days cannot be loaded any more.
 */
export const FIRST_AVAILABLE = `greatest(c.history_from,
  (date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${HISTORY_MONTHS}))::date
    + extract(day from now() at time zone 'UTC')::int)`;

/**
 * SQL for the rows `c` of connections, `s` of its source and `a` of the source's app. `through` is the last day up to which every
 * account-day of every selected stream was read after it ended, of the days that the provider still has; null while there is none. `reached` is the same, also for a day that is not
 * over yet: it does not depend on the clock. `newest` is the newest complete day of every account and stream with data: it gets
 * older when data stop coming, but not when one old day is missing.
 */
export const COMPLETE_THROUGH = `
      select case when bool_or(edge.day is null) then null else min(edge.day) end as through, min(edge.reached) as reached,
             min(edge.newest) as newest
        from (select ${FIRST_AVAILABLE} as day offset 0) first, unnest(c.streams) stream, unnest(s.account_ids) account_id
        left join lateral (
          select account->>'timeZone' as name from jsonb_array_elements(a.accounts) account
           where account->>'externalId' = account_id.account_id limit 1) zone on true
       cross join lateral (
         -- A day is complete once it is over in the account's time zone.
         select least((now() at time zone coalesce(zone.name, 'UTC'))::date - 1, loaded.reached) as day, loaded.reached,
                (select v.day from coverage v
                  where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                    and v.account_id = account_id.account_id and v.state not in ('missing', 'loading', 'failed')
                    and ${readAfterEnd('v', 'zone.name')}
                  order by v.day desc limit 1) as newest
           from (select coalesce(
                  (select c.history_from - 1 where not exists (
                     select 1 from coverage v
                      where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                        and v.account_id = account_id.account_id and v.day = first.day)),
                  -- The first day that did not arrive, or that has no row: the next row is not at its place then.
                  (select first.day + (v.place - 2)::int
                     from (select day, state, last_verified_at, row_number() over (order by day) as place from coverage
                            where organization_id = c.organization_id and connection_id = c.id and stream = stream.stream
                              and account_id = account_id.account_id and day >= first.day) v
                    where v.state in ('missing', 'loading', 'failed') or (${readAfterEnd('v', 'zone.name')}) is not true
                       or v.day > first.day + (v.place - 1)::int
                    order by v.day limit 1),
                  (select max(v.day) from coverage v
                    where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                      and v.account_id = account_id.account_id)) as reached
                 -- Evaluated separately: otherwise each day would be read twice.
                 offset 0) loaded
         offset 0) edge`;

/** The last day that is over in the time zones of all selected accounts. */
const YESTERDAY = `(
      select min((now() at time zone coalesce(zone.name, 'UTC'))::date - 1)
        from unnest(s.account_ids) account_id
        left join lateral (
          select account->>'timeZone' as name from jsonb_array_elements(a.accounts) account
           where account->>'externalId' = account_id limit 1) zone on true)`;

/**
 * SQL join: `covered.through` as in `COMPLETE_THROUGH`, from the stored facts of a connection. Only connections without current facts
 * are computed, which reads all of their days.
 */
export const JOIN_COMPLETE_THROUGH = `
    left join connection_facts f on f.organization_id = c.organization_id and f.connection_id = c.id
     and not exists (select from connection_marks m
                      where m.organization_id = c.organization_id and m.connection_id = c.id and m.has_coverage)
   cross join lateral (
      select case when f.complete_through is not null then least(f.complete_through, ${YESTERDAY}) end as through
       where f.connection_id is not null
      union all
      select computed.through from (${COMPLETE_THROUGH}) computed where f.connection_id is null) covered`;
