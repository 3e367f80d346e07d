import type pg from 'pg';

/** Multiples of it, without their whole part, are spread evenly (the golden ratio). */
const SPREAD = 0.618033988749895;

/**
 * Chooses when each connection is due, once within the window, at whole ticks. Half of an organization's connections are due at one time of
 * its own, as when a team schedules all of them at 05:00; the others are spread over the window.
 */
export async function planDueTimes(
  database: pg.Pool,
  organizationIds: string[],
  { windowMs, tickMs }: { windowMs: number; tickMs: number },
): Promise<void> {
  await database.query(`create schema simulation`);
  await database.query(
    `create table simulation.due as
     with numbered as (
       select c.organization_id, c.id as connection_id, o.place,
              row_number() over (order by o.place, c.name) as n,
              row_number() over (partition by c.organization_id order by c.name) as own
         from unnest(${literal(organizationIds)}::uuid[]) with ordinality o(id, place)
         join connections c on c.organization_id = o.id)
     select organization_id, connection_id,
            (floor(mod(((case when own % 2 = 0 then place else n end) * ${SPREAD})::numeric, 1) * ${Math.round(windowMs / tickMs)})
              * ${tickMs})::float8 as after_ms, null::timestamptz(3) as due_at
       from numbered`,
  );
  await database.query('create unique index on simulation.due (organization_id, connection_id)');
}

/** "create table as" takes no parameters. */
const literal = (ids: string[]): string => `'{${ids.join(',')}}'`;

/** Sets the schedules of all connections. The window starts now. */
export async function setDueTimes(database: pg.Pool): Promise<void> {
  await database.query(`update simulation.due set due_at = now() + after_ms * interval '1 millisecond'`);
  await database.query(
    `update connections c set next_run_at = d.due_at from simulation.due d
      where c.organization_id = d.organization_id and c.id = d.connection_id`,
  );
  // As autovacuum would have by the time that schedules are due.
  await database.query('analyze simulation.due, connections');
}

/**
 * The product selects due connections once a minute, which is one tick in the compressed day. Not while a selection is in progress: it
 * usually ends within the minute, but not within a tick, and a second one would select the same connections.
 */
export async function selectDue(database: pg.Pool): Promise<void> {
  await database.query(
    `select graphile_worker.add_job('schedule-due', job_key => 'schedule-due')
      where not exists (select from graphile_worker.jobs where task_identifier = 'schedule-due' and attempts < max_attempts)`,
  );
}

/** Runs that have not started do not start any more. */
export async function stopStarting(database: pg.Pool): Promise<void> {
  await database.query('update connections set next_run_at = null where next_run_at is not null');
  await database.query(
    `select graphile_worker.complete_jobs(array(
       select j.id from graphile_worker.jobs j join runs r on j.key = 'run:' || r.id
        where j.locked_at is null and r.state = 'queued' and r.started_at is null))`,
  );
}
