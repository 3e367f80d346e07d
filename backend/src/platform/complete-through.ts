/**
 * As SQL over the rows `c` of connections, `s` of its source and `a` of the source's app: `through` is the last day up to which
 * every account-day of every selected stream has arrived; null while there is none.
 */
export const COMPLETE_THROUGH = `
      select case when bool_or(edge.day is null) then null else min(edge.day) end as through
        from unnest(c.streams) stream, unnest(s.account_ids) account_id
        left join lateral (
          select account->>'timeZone' as name from jsonb_array_elements(a.accounts) account
           where account->>'externalId' = account_id.account_id limit 1) zone on true
       cross join lateral (
         -- A day is complete once it is over where the account is.
         select least((now() at time zone coalesce(zone.name, 'UTC'))::date - 1, coalesce(
                  (select c.history_from - 1 where not exists (
                     select 1 from coverage v
                      where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                        and v.account_id = account_id.account_id and v.day = c.history_from)),
                  (select min(v.day) - 1 from coverage v
                    where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                      and v.account_id = account_id.account_id and v.state in ('missing', 'loading', 'failed')),
                  (select max(v.day) from coverage v
                    where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                      and v.account_id = account_id.account_id))) as day
         -- Kept as a step of its own: else each day would be looked up twice.
         offset 0) edge`;
