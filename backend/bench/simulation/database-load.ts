import type pg from 'pg';

/** Counters of pg_stat_database, and the position of the WAL in bytes. */
const COUNTERS = {
  commits: 'xact_commit',
  rollbacks: 'xact_rollback',
  rowsReturned: 'tup_returned',
  rowsFetched: 'tup_fetched',
  rowsInserted: 'tup_inserted',
  rowsUpdated: 'tup_updated',
  rowsDeleted: 'tup_deleted',
  blocksHit: 'blks_hit',
  blocksRead: 'blks_read',
  activeMs: 'active_time',
  walBytes: `pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')`,
};
type Counters = Record<keyof typeof COUNTERS, number>;
const NAMES = Object.keys(COUNTERS) as (keyof typeof COUNTERS)[];

export interface DatabaseLoad extends Counters {
  seconds: number;
  averageActiveSessions: number;
  cacheHitRatio: number;
}

export interface Statement {
  text: string;
  calls: number;
  totalMs: number;
}

export interface Sessions {
  open: number;
  active: number;
}

const TOP_STATEMENTS = 5;
const SHOWN_CHARACTERS = 120;

export async function readCounters(database: pg.Pool): Promise<Counters> {
  const columns = NAMES.map((name) => `(${COUNTERS[name]})::float8 as "${name}"`).join(', ');
  const { rows } = await database.query<Counters>(`select ${columns} from pg_stat_database where datname = current_database()`);
  return rows[0] as Counters;
}

export function loadBetween(before: Counters, after: Counters, seconds: number): DatabaseLoad {
  const difference = Object.fromEntries(NAMES.map((name) => [name, after[name] - before[name]])) as Counters;
  const { blocksHit, blocksRead, activeMs } = difference;
  return {
    ...difference,
    seconds,
    averageActiveSessions: activeMs / 1_000 / seconds,
    cacheHitRatio: blocksHit / Math.max(1, blocksHit + blocksRead),
  };
}

/** Of all clients of the server, including the simulation; active without this query. */
export async function readSessions(database: pg.Pool): Promise<Sessions> {
  const { rows } = await database.query<Sessions>(
    `select count(*)::int as open, count(*) filter (where state = 'active' and pid <> pg_backend_pid())::int as active
       from pg_stat_activity where backend_type = 'client backend'`,
  );
  return rows[0] as Sessions;
}

/** False if the server does not have pg_stat_statements. */
export function resetStatements(database: pg.Pool): Promise<boolean> {
  return database.query('create extension if not exists pg_stat_statements; select pg_stat_statements_reset()').then(
    () => true,
    () => false,
  );
}

/** By total time, without the statements of the simulation. */
export async function readTopStatements(database: pg.Pool): Promise<Statement[]> {
  const { rows } = await database.query<Statement>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::float8, total_exec_time as "totalMs"
       from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and query not like '%simulation.%' and query not like '%pg_stat_%' and query not like 'select graphile_worker.add_job($1, %'
      order by total_exec_time desc limit ${TOP_STATEMENTS}`,
  );
  return rows.map((row) => ({ ...row, text: row.text.trim().slice(0, SHOWN_CHARACTERS) }));
}
