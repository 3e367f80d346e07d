// SQL: the facts of many connections are replaced by one statement.

/**
 * Locks the totals until the end of the transaction, so that the facts of an organization are computed by one process at a time. Returns the
 * database's time, with which `recheck_at` is compared; nothing if the organization is gone.
 */
export const LOCK_TOTALS = `
  insert into connection_totals (organization_id) select id from organizations where id = $1
  on conflict (organization_id) do update set organization_id = excluded.organization_id
  returning now() as now`;

/**
 * Removes the oldest marks and returns their connections with their number, and those whose health may have become stale. Connections without facts
 * need all of them. Later statements of the transaction see every change whose mark was removed.
 */
export const TAKE_MARKS = `
  with taken as (
    delete from connection_marks
     where organization_id = $1 and id in (select id from connection_marks where organization_id = $1 order by id limit $2)
    returning connection_id, has_coverage),
  late as (
    select connection_id, false as has_coverage from connection_facts
     where organization_id = $1 and recheck_at <= now() order by recheck_at limit $2)
  select changed.connection_id as id, count(*)::int as count,
         bool_or(changed.has_coverage) or not exists (
           select from connection_facts f where f.organization_id = $1 and f.connection_id = changed.connection_id) as "hasCoverage"
    from (select * from taken union all select * from late) changed
   group by changed.connection_id`;

const COLUMNS = [
  'severity', 'is_paused', 'recheck_at', 'name', 'search_text', 'tags', 'source_app_id', 'destination_app_id', 'complete_through',
  'newest_complete', 'accounts_missing', 'rows_by_day', 'last_run_id', 'failed_in_a_row', 'active_run_id',
] as const; // prettier-ignore

/** A row of `connection_facts`. */
export type StoredFacts = Record<(typeof COLUMNS)[number] | 'connection_id', unknown>;

const listed = (prefix: string): string => COLUMNS.map((name) => `${prefix}${name}`).join(', ');

/**
 * Each row gets a new revision, also if no fact differs: the list also shows what is not stored.
 * Parameters: rows as JSON, and ids of connections that have no facts any more. Returns how many facts differed.
 */
export const SAVE_FACTS = `
  with gone as (
    delete from connection_facts where organization_id = $1 and connection_id = any($3::uuid[]) returning 1),
  computed as (
    select connection_id, ${listed('')}, pg_current_xact_id()::text::bigint as revision
      from jsonb_populate_recordset(null::connection_facts, $2::jsonb)),
  different as (
    select from computed n left join connection_facts f on f.organization_id = $1 and f.connection_id = n.connection_id
     where f.connection_id is null or (${listed('f.')}) is distinct from (${listed('n.')})),
  saved as (
    insert into connection_facts (organization_id, connection_id, ${listed('')}, revision)
    select $1, connection_id, ${listed('')}, revision from computed
    on conflict (organization_id, connection_id) do update set (${listed('')}, revision) = row(${listed('excluded.')}, excluded.revision))
  select ((select count(*) from gone) + (select count(*) from different))::int as changed`;

/** The filter for tags offers at most this many. */
const MAX_TAGS = 200;

export const SAVE_TOTALS = `
  update connection_totals
     set counts = (select coalesce(jsonb_object_agg(severity, count), '{}')
                     from (select severity, count(*)::int from connection_facts where organization_id = $1 group by severity) counted),
         tags = array(select distinct tag collate "C" from connection_facts f, unnest(f.tags) tag
                       where f.organization_id = $1 order by 1 limit ${MAX_TAGS})
   where organization_id = $1`;
