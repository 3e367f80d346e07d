import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: averages over coverage and the log of runs.

/** Ended runs whose requests are counted. */
const MEASURED_RUNS = 5;
/** Loaded days whose rows are counted. */
const MEASURED_DAYS = 60;

/** Average number of rows of a loaded account-day, by stream. */
export async function rowsPerDay(query: TenantQuery, connectionId: string, streams: string[]): Promise<Map<string, number>> {
  const rows = await query<{ stream: string; rows: number }>(
    `select stream, avg(rows)::float8 as rows from coverage
      where organization_id = $1 and connection_id = $2 and stream = any($3) and day > current_date - ${MEASURED_DAYS}
        and state in ('provisional', 'final', 'restated', 'empty_confirmed')
      group by stream`,
    [connectionId, streams],
  );
  return new Map(rows.map(({ stream, rows: average }) => [stream, average]));
}

/** Average number of requests of a slice. Null until a run of the connection has ended. */
export async function callsPerSlice(query: TenantQuery, connectionId: string): Promise<number | null> {
  const [row] = await query<{ calls: number | null }>(
    `with measured as (
       select id from runs where organization_id = $1 and connection_id = $2 and state = 'succeeded'
        order by queued_at desc limit ${MEASURED_RUNS})
     select (select count(*) from run_log_entries l join measured m on m.id = l.run_id
              where l.organization_id = $1 and l.request is not null)::float8
            / nullif((select count(*) from run_slices s join measured m on m.id = s.run_id where s.organization_id = $1), 0) as calls`,
    [connectionId],
  );
  return row?.calls ?? null;
}
