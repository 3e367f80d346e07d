import type pg from 'pg';

interface Loaded {
  schema: string;
  table: string;
  rows: number;
}

/** Tables counted with one statement: each is locked until its end, and the server has few locks. */
const BATCH = 200;

/** Tables of succeeded runs that do not contain the rows that the product has verified. */
export async function findLostRows(database: pg.Pool, warehouse: pg.Pool): Promise<string[]> {
  const tables = await listLoaded(database);
  const lost: string[] = [];
  for (let first = 0; first < tables.length; first += BATCH) {
    const batch = tables.slice(first, first + BATCH);
    const counts = batch.map(
      ({ schema, table }, place) => `select ${place} as place, count(*)::int as rows from "${schema}"."${table}"`,
    );
    const { rows } = await warehouse.query<{ place: number; rows: number }>(counts.join(' union all '));
    for (const found of rows) {
      const loaded = batch[found.place];
      if (loaded && loaded.rows !== found.rows)
        lost.push(`${loaded.schema}.${loaded.table} has ${found.rows} of ${loaded.rows} rows`);
    }
  }
  return lost;
}

/** Proof that a loss is found. */
export async function plantLoss(database: pg.Pool, warehouse: pg.Pool): Promise<void> {
  const [first] = await listLoaded(database);
  if (!first) return;
  const table = `"${first.schema}"."${first.table}"`;
  await warehouse.query(`delete from ${table} where ctid = (select ctid from ${table} limit 1)`);
}

async function listLoaded(database: pg.Pool): Promise<Loaded[]> {
  const { rows } = await database.query<Loaded>(
    `select d.settings->>'schema' as schema, (d.settings->>'tablePrefix') || 'google_ads_' || v.stream as table, sum(v.rows)::int as rows
       from simulation.due u
       join runs r on r.organization_id = u.organization_id and r.connection_id = u.connection_id
                  and r.kind = 'scheduled' and r.state = 'succeeded' and r.queued_at >= u.due_at
       join connections c on c.organization_id = u.organization_id and c.id = u.connection_id
       join destinations d on d.organization_id = c.organization_id and d.id = c.destination_id
       join coverage v on v.organization_id = c.organization_id and v.connection_id = c.id
      group by 1, 2 order by 1, 2`,
  );
  return rows;
}
