import { LIST_LIMITS } from '../core/http/limits.js';
import { readAfterEnd } from './complete-through.js';

// SQL: an aggregate over coverage.

export interface CompletenessRow {
  [column: string]: unknown;
  connectionId: string;
  day: string;
  expected: number;
  complete: number;
  /** When the newest of its account-days was read; null: none was. */
  lastReadAt: Date | null;
  /** The first account-days that are missing, without the names of the accounts. */
  missing: { stream: string; accountId: string; state: 'missing' | 'loading' | 'failed' | 'not_over' }[];
}

/**
 * Counts the account-days of each day that are complete: read after the day ended in the account's calendar. Parameters: ids of
 * connections, and the first and last day of each. Every account-day is one lookup in the primary key of `coverage`.
 */
export const completenessSql = `
  select c.id as "connectionId", pair.day::date::text as day, count(*)::int as expected,
         count(*) filter (where pair.is_complete)::int as complete, max(pair.read_at) as "lastReadAt",
         coalesce((array_agg(pair.missing order by pair.stream, pair.account_id)
                    filter (where not pair.is_complete))[1:${LIST_LIMITS.freshnessMissing}], '{}') as missing
    from unnest($2::uuid[], $3::date[], $4::date[]) as span(connection_id, first, last)
    join connections c on c.organization_id = $1 and c.id = span.connection_id
    join sources s on s.organization_id = c.organization_id and s.id = c.source_id
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
   cross join lateral (
     select date.day, picked.stream, picked.account_id, v.last_verified_at as read_at,
            coalesce(v.state not in ('missing', 'loading', 'failed') and ${readAfterEnd('v', 'zone.name')}, false) as is_complete,
            jsonb_build_object('stream', picked.stream, 'accountId', picked.account_id, 'state',
              case when v.state in ('loading', 'failed') then v.state::text
                   when v.state is null or v.state = 'missing' then 'missing' else 'not_over' end) as missing
       from (select stream, account_id from unnest(c.streams) stream cross join unnest(s.account_ids) account_id) picked
       left join lateral (
         select account->>'timeZone' as name from jsonb_array_elements(a.accounts) account
          where account->>'externalId' = picked.account_id limit 1) zone on true
      cross join generate_series(greatest(span.first, c.history_from), span.last, interval '1 day') date(day)
       left join coverage v on v.organization_id = $1 and v.connection_id = c.id and v.stream = picked.stream
                           and v.account_id = picked.account_id and v.day = date.day::date
                           -- For the planner, which otherwise reads all days of the connection: it does not know how many of them are asked for.
                           and v.day between span.first and span.last) pair
   group by c.id, pair.day order by c.id, pair.day`;
