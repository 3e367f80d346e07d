import pg from 'pg';

/** Idle sessions stay open for the next run of the same destination, because signing in costs more than loading a few rows. */
const IDLE_TIMEOUT_MS = 10_000;
/** Limits how long a changed network or password stays unnoticed. */
const LONGEST_LIFE_SECONDS = 300;
/** Not reached in practice: connections are limited by the lanes per run and the runs per process. */
const MAXIMUM_CONNECTIONS = 200;

/** One use of a pool that runs share. */
export interface SharedPool {
  connect(): Promise<pg.PoolClient>;
  /** Idle sessions are closed automatically. */
  release(): void;
}

const pools = new Map<string, { pool: pg.Pool; users: number }>();

/** The pool of this process with that key, or a new one. The key must contain everything that `config` depends on. */
export function takePool(key: string, config: pg.PoolConfig): SharedPool {
  const shared = pools.get(key) ?? openPool(key, config);
  shared.users += 1;
  let isTaken = true;
  return {
    connect: () => shared.pool.connect(),
    release: () => {
      if (!isTaken) return;
      isTaken = false;
      shared.users -= 1;
      forgetUnused(key);
    },
  };
}

function openPool(key: string, config: pg.PoolConfig): { pool: pg.Pool; users: number } {
  const pool = new pg.Pool({
    ...config,
    max: MAXIMUM_CONNECTIONS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: LONGEST_LIFE_SECONDS,
    allowExitOnIdle: true,
  });
  // A closed connection fails its query, or is replaced if idle. Without listeners its error would crash the process.
  pool.on('error', () => undefined);
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  pool.on('remove', () => forgetUnused(key));
  const shared = { pool, users: 0 };
  pools.set(key, shared);
  return shared;
}

function forgetUnused(key: string): void {
  const shared = pools.get(key);
  if (shared && shared.users === 0 && shared.pool.totalCount === 0) pools.delete(key);
}
