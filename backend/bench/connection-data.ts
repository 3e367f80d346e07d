import type pg from 'pg';
import { createRuns, createSettings } from './api-data.ts';

/** Three years. */
export const HISTORY_DAYS = 1_095;
/** Connections whose days are stored with one statement: half a million rows. */
const BATCH = 500;

/**
 * Connections with tags, daily schedules, three ended runs, and three years of loaded days of one account. Every hundredth has a gap,
 * every tenth is paused.
 */
export async function createLongHistories(
  database: pg.ClientBase,
  organizationId: string,
  uid: string,
  count: number,
): Promise<void> {
  await createSettings(database, organizationId, uid, count);
  await createRuns(database, organizationId);
  await database.query('update sources set account_ids = account_ids[1:1] where organization_id = $1', [organizationId]);
  const { rows } = await database.query<{ id: string }>(
    `with numbered as (select id, row_number() over (order by id) as n from connections where organization_id = $1)
     update connections c
        set streams = '{campaign_daily}', history_from = current_date - ${HISTORY_DAYS}, tags = array['Customer ' || n % 40],
            schedule = '{"kind":"daily","atTime":"05:00","timeZone":"Europe/Berlin"}',
            desired = (case when n % 10 = 0 then 'paused' else 'active' end)::desired
       from numbered where c.organization_id = $1 and c.id = numbered.id returning c.id`,
    [organizationId],
  );
  // Without foreign keys and triggers, which take most of the time. The facts are rebuilt afterwards.
  await database.query('set session_replication_role = replica');
  for (let first = 0; first < rows.length; first += BATCH)
    await addDays(
      database,
      organizationId,
      rows.slice(first, first + BATCH).map(({ id }) => id),
    );
  await database.query('set session_replication_role = origin');
}

async function addDays(database: pg.ClientBase, organizationId: string, connectionIds: string[]): Promise<void> {
  await database.query(
    `insert into coverage (organization_id, connection_id, stream, account_id, day, state, rows, first_loaded_at, last_verified_at)
     select c.organization_id, c.id, 'campaign_daily', s.account_ids[1], current_date - ago,
            (case when chosen.place % 100 = 0 and ago = 30 then 'missing' else 'final' end)::coverage_state, 100,
            current_date - ago + interval '2 days', current_date - ago + interval '2 days'
       from unnest($2::uuid[]) with ordinality chosen(id, place)
       join connections c on c.organization_id = $1 and c.id = chosen.id
       join sources s on s.organization_id = c.organization_id and s.id = c.source_id
      cross join generate_series(${HISTORY_DAYS}, 1, -1) ago`,
    [organizationId, connectionIds],
  );
}
