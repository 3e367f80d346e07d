import type pg from 'pg';

/** Each connection is due once, and has one scheduled run from then on. Earlier runs are those of the preparation. */
const DUE_AND_RUNS = `
  simulation.due d left join runs r
    on r.organization_id = d.organization_id and r.connection_id = d.connection_id and r.kind = 'scheduled'
   and r.queued_at >= d.due_at`;

export interface Progress {
  due: number;
  started: number;
  ended: number;
  failed: number;
  /** Due connections whose run has not started. */
  backlog: number;
  oldestDueSeconds: number;
}

export async function readProgress(database: pg.Pool): Promise<Progress> {
  const { rows } = await database.query<Progress>(
    `select count(*) filter (where d.due_at <= now())::int as due, count(r.started_at)::int as started, count(r.ended_at)::int as ended,
            count(*) filter (where r.ended_at is not null and r.state <> 'succeeded')::int as failed,
            count(*) filter (where d.due_at <= now() and r.started_at is null)::int as backlog,
            coalesce(extract(epoch from now() - min(d.due_at) filter (where d.due_at <= now() and r.started_at is null)), 0)::float8
              as "oldestDueSeconds"
       from ${DUE_AND_RUNS}`,
  );
  return rows[0] as Progress;
}

export async function readStartDelays(database: pg.Pool): Promise<{ organizationId: string; delay: number }[]> {
  const { rows } = await database.query<{ organizationId: string; delay: number }>(
    `select d.organization_id as "organizationId", extract(epoch from r.started_at - d.due_at)::float8 as delay
       from ${DUE_AND_RUNS} where r.started_at is not null`,
  );
  return rows;
}

/** Messages of failed runs, most frequent first. */
export async function listFailures(database: pg.Pool): Promise<string[]> {
  const { rows } = await database.query<{ text: string }>(
    `select count(*) || ' ' || r.state || coalesce(': ' || (r.failure->>'code'), '') as text
       from ${DUE_AND_RUNS} where r.ended_at is not null and r.state <> 'succeeded'
      group by r.state, r.failure->>'code' order by count(*) desc limit 5`,
  );
  return rows.map(({ text }) => text);
}
