/**
 * As SQL over a row of coverage: whether the day was read after its end where the account is. Rows that arrived earlier are there, but
 * the day went on.
 */
export const readAfterEnd = (coverage: string, timeZone: string): string =>
  `(${coverage}.last_verified_at at time zone coalesce(${timeZone}, 'UTC'))::date > ${coverage}.day`;

/**
 * As SQL over the rows `c` of connections, `s` of its source and `a` of the source's app: `through` is the last day up to which
 * every account-day of every selected stream was read after its end; null while there is none.
 * `newest` is the newest day that is complete for every one of them that has any: it is older when data stop coming, not when one
 * old day is missing.
 */
export const COMPLETE_THROUGH = `
      select case when bool_or(edge.day is null) then null else min(edge.day) end as through, min(edge.newest) as newest
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
                      and v.account_id = account_id.account_id and (v.state in ('missing', 'loading', 'failed') or (${readAfterEnd('v', 'zone.name')}) is not true)),
                  (select max(v.day) from coverage v
                    where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                      and v.account_id = account_id.account_id))) as day,
                (select v.day from coverage v
                  where v.organization_id = c.organization_id and v.connection_id = c.id and v.stream = stream.stream
                    and v.account_id = account_id.account_id and v.state not in ('missing', 'loading', 'failed')
                    and ${readAfterEnd('v', 'zone.name')}
                  order by v.day desc limit 1) as newest
         -- Kept as a step of its own: else each day would be looked up twice.
         offset 0) edge`;
