import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findServerUser, isReachableByAll } from '../postgres/server-user.ts';
import { startPostgres, type Postgres } from '../postgres/start-postgres.ts';
import type { DataFolder } from './data-folder.ts';
import type { Plan } from './plan.ts';

/** The product's own database, and the one the demo loads into. */
export const PRODUCT_DATABASE = 'tributary';
export const WAREHOUSE_DATABASE = 'warehouse';

/**
 * Beside everything else, unless this is root in a folder that no other user may enter (its home): PostgreSQL never runs as
 * root, so its data then goes where its user can reach them.
 */
export function postgresFolder(data: DataFolder): string {
  if (!findServerUser() || isReachableByAll(data.root)) return data.postgres;
  const name = createHash('sha256').update(data.root).digest('hex').slice(0, 12);
  return path.join('/var/lib/tributary', name);
}

export function startInstancePostgres({ data, ports, secrets }: Plan): Promise<Postgres> {
  const dataDir = postgresFolder(data);
  mkdirSync(path.dirname(dataDir), { recursive: true });
  return startPostgres({
    dataDir,
    port: ports.postgres,
    password: secrets.postgresPassword,
    databases: [PRODUCT_DATABASE, WAREHOUSE_DATABASE],
    settings: { max_connections: '200' },
  });
}

/** The immediate shutdown of PostgreSQL: it recovers at the next start, and unlike SIGKILL leaves no shared memory. */
export function killInstancePostgres(data: DataFolder): void {
  try {
    const [pid] = readFileSync(path.join(postgresFolder(data), 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGQUIT');
  } catch {
    // Gone already, or not up yet.
  }
}

export function removePostgresFolder(data: DataFolder): void {
  rmSync(postgresFolder(data), { recursive: true, force: true });
}
