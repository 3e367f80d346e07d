import pg from 'pg';

/** Past days with runs. */
export const HISTORY_DAYS = 90;
/** Days that a run reads again, as far as the history of a connection reaches. */
const LOOKBACK_DAYS = 30;

/**
 * Writes the runs that the connection would have had in the past 90 days, from the rows that its real run has verified: each
 * figure is the sum of the days of that run, as the destination holds them now. The days that a run would have changed later have
 * their settled numbers. Does nothing if the connection has past runs already.
 */
export async function writeRunHistory(databaseUrl: string, connectionId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`set time zone 'UTC'`);
    await client.query('begin');
    // Locks out a run that starts in the meantime.
    await client.query('select 1 from connections where id = $1 for update', [connectionId]);
    const past = `select 1 from runs where connection_id = $1 and queued_at < now() - interval '30 days' limit 1`;
    if ((await client.query(past, [connectionId])).rowCount === 0) await write(client, connectionId);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function write(client: pg.Client, connectionId: string): Promise<void> {
  await client.query(PLAN, [connectionId, HISTORY_DAYS, LOOKBACK_DAYS]);
  for (const statement of [RUNS, SLICES, SUMS]) await client.query(statement);
  for (const statement of [LOADED_AT, RELABEL, CREATED_AT]) await client.query(statement, [connectionId]);
  await client.query('drop table planned, planned_slices');
}

/** One run a day at six o'clock, from the real run of the connection. The time varies by up to a minute and a half. */
const PLAN = `
  create temporary table planned on commit drop as
  select uuidv7(at - now()) as id, at, real.*, day = first_day as is_first, day - 1 as day_to,
         case when day = first_day then history_from else greatest(history_from, day - $3::int) end as day_from
    from (select c.organization_id, c.id as connection_id, c.history_from, c.created_by, r.id as real_id, r.plan_ms,
                 r.state, r.failure, r.attempts,
                 greatest(current_date - $2::int, c.history_from + 2) as first_day,
                 extract(epoch from r.ended_at - r.started_at) / greatest(r.rows_read, 1) as seconds_per_row,
                 r.bytes::numeric / greatest(r.rows_read, 1) as bytes_per_row
            from connections c
            join lateral (select * from runs r where r.connection_id = c.id and r.rows_read > 0 and r.ended_at is not null
                           order by r.queued_at limit 1) r on true
           where c.id = $1) real
   cross join lateral generate_series(first_day, current_date - 1, interval '1 day') with ordinality as d(moment, place)
   cross join lateral (select moment::date as day,
                              moment::date + interval '6 hours' + (hashtext(moment::text || real_id) & 255) * interval '350 ms' as at) times`;

const RUNS = `
  insert into runs (id, organization_id, connection_id, kind, trigger, actor, window_from, window_to, state, step, failure, plan_ms,
                    is_initial_load, queued_at, started_at, ended_at, lease_epoch, attempts)
  select id, organization_id, connection_id, case when is_first then 'manual' else 'scheduled' end::run_kind,
         case when is_first then 'first_run' else 'schedule' end, case when is_first then created_by end, day_from, day_to,
         state, 'commit', failure, plan_ms, is_first, at, at + interval '40 ms', at + interval '40 ms', 1, '[]'
    from planned`;

/** One slice for each stream and account. Their rows are those of coverage. */
const SLICES = `
  create temporary table planned_slices on commit drop as
  select p.id as run_id, p.organization_id, v.stream, v.account_id, min(v.day) as day_from, max(v.day) as day_to,
         sum(v.rows) as rows, sum(v.cost_micros) as cost, p.at, p.bytes_per_row,
         row_number() over (partition by p.id order by v.stream, v.account_id) as place,
         sum(sum(v.rows)) over (partition by p.id order by v.stream, v.account_id) * p.seconds_per_row as ended_after
    from planned p
    join coverage v on v.organization_id = p.organization_id and v.connection_id = p.connection_id
     and v.day between p.day_from and p.day_to and v.state not in ('missing', 'loading', 'failed')
   group by p.id, p.organization_id, v.stream, v.account_id, p.at, p.bytes_per_row, p.seconds_per_row`;

const SUMS = `
  with stored as (
    insert into run_slices (id, organization_id, run_id, stream, account_id, day_from, day_to, state, attempts, rows_read, rows_found,
                            cost_micros, cost_found, bytes, ended_at)
    select uuidv7(at - now() + place * interval '1 ms'), organization_id, run_id, stream, account_id, day_from, day_to, 'done', 1, rows, rows,
           cost, cost, (rows * bytes_per_row)::bigint, at + (0.4 + ended_after) * interval '1 second'
      from planned_slices returning run_id, rows_read, cost_micros, bytes, ended_at),
  sums as (
    select run_id, sum(rows_read) as rows, sum(cost_micros) as cost, sum(bytes) as bytes, count(*) as slices, max(ended_at) as ended_at
      from stored group by run_id)
  update runs r
     set rows_read = rows, rows_written = rows, bytes = s.bytes, api_calls = slices + 4, ended_at = s.ended_at + interval '200 ms',
         progress_at = s.ended_at,
         attempts = jsonb_build_array(jsonb_build_object('n', 1, 'startedAt', r.started_at, 'endedAt', s.ended_at + interval '200 ms', 'failure', null)),
         verify = jsonb_build_object('rows', true, 'cost', true,
           'expected', jsonb_build_object('rows', rows, 'costMicros', cost::text),
           'found', jsonb_build_object('rows', rows, 'costMicros', cost::text))
    from sums s where r.id = s.run_id`;

/** A day was first loaded by the run after its end. */
const LOADED_AT = `
  update coverage v
     set first_loaded_at = least(v.first_loaded_at, greatest(p.first_at, v.day + interval '1 day 6 hours')),
         last_changed_at = least(v.last_changed_at, greatest(p.first_at, v.day + interval '1 day 6 hours'))
    from (select min(at) as first_at from planned) p
   where v.connection_id = $1 and v.first_loaded_at is not null`;

/** The real run is not the first one any more: it has loaded all past days again, as a backfill that a user requests. */
const RELABEL = `update runs set trigger = 'user', kind = 'backfill', is_initial_load = false where connection_id = $1 and trigger = 'first_run' and queued_at > now() - interval '1 day'`;

const CREATED_AT = `
  with created as (select organization_id, source_id, destination_id, (select min(at) from planned) as at from connections where id = $1),
  of_source as (
    update sources s set created_at = least(s.created_at, c.at) from created c where s.id = c.source_id returning s.app_id, c.at),
  of_destination as (
    update destinations d set created_at = least(d.created_at, c.at) from created c where d.id = c.destination_id returning d.app_id, c.at),
  of_apps as (
    update apps a set created_at = least(a.created_at, x.at)
      from (select app_id, min(at) as at from (select * from of_source union all select * from of_destination) u group by app_id) x
     where a.id = x.app_id)
  update connections set created_at = (select at from created) where id = $1`;
