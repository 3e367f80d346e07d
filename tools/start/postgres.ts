import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findServerUser, isReachableByAll } from '../postgres/server-user.ts';
import { PortInUse, type Postgres } from '../postgres/start-postgres.ts';
import { supervisePostgres } from '../postgres/supervise-postgres.ts';
import { accountUrl, allowConnections, prepareRoles, type Account } from '../postgres/roles.ts';
import type { DataFolder } from './data-folder.ts';
import type { Plan } from './plan.ts';
import { replacePort } from './ports.ts';

/** The product's database, and the demo's destination. */
const PRODUCT_DATABASE = 'tributary';
const WAREHOUSE_DATABASE = 'warehouse';

/** Connection URLs on the instance's server. */
export interface Databases {
  /** Connects as the role that only reads and writes rows. */
  product: string;
  /** The same database as the role that applies migrations. */
  productOwner: string;
  /** Connects as the owner of this database, which has no access to the product's database. */
  warehouse: string;
  /** Connects as superuser. The sandbox needs it for faults (event triggers). The product does not get this URL. */
  warehouseForFaults: string;
}

/**
 * Usually part of the data folder. PostgreSQL does not run as root: if root starts it in a folder that other users cannot
 * read (such as its home), the data is in /var/lib/tributary.
 */
export function postgresFolder(data: DataFolder): string {
  if (!findServerUser() || isReachableByAll(data.root)) return data.postgres;
  const name = createHash('sha256').update(data.root).digest('hex').slice(0, 12);
  return path.join('/var/lib/tributary', name);
}

/** Starts PostgreSQL and restarts it when it exits, until it is stopped. Another program may have taken its port since it was chosen. */
export async function startInstancePostgres({ data, ports, secrets }: Plan, say: (message: string) => void): Promise<Postgres> {
  const dataDir = postgresFolder(data);
  mkdirSync(path.dirname(dataDir), { recursive: true });
  const options = {
    dataDir,
    password: secrets.postgresPassword,
    databases: [PRODUCT_DATABASE, WAREHOUSE_DATABASE],
    settings: { max_connections: '200' },
  };
  try {
    return await supervisePostgres({ ...options, port: ports.postgres }, say);
  } catch (error) {
    if (!(error instanceof PortInUse)) throw error;
    say(await replacePort(data.portsFile, ports, 'postgres'));
    return supervisePostgres({ ...options, port: ports.postgres }, say);
  }
}

/** Creates the roles, also in a data folder of an earlier version, whose databases belong to the superuser. */
export async function prepareDatabases(postgres: Pick<Postgres, 'url'>, secrets: Plan['secrets']): Promise<Databases> {
  const owner: Account = { role: 'tributary_owner', password: secrets.ownerPassword };
  const application: Account = { role: 'tributary_app', password: secrets.applicationPassword };
  const warehouse: Account = { role: 'warehouse', password: secrets.warehousePassword };
  const [productUrl, warehouseUrl] = [postgres.url(PRODUCT_DATABASE), postgres.url(WAREHOUSE_DATABASE)];
  // Resets a sandbox fault that makes the database reject connections. The fault must end with the instance.
  await allowConnections(postgres.url('postgres'), WAREHOUSE_DATABASE);
  await prepareRoles(productUrl, owner, application);
  await prepareRoles(warehouseUrl, warehouse);
  return {
    product: accountUrl(productUrl, application),
    productOwner: accountUrl(productUrl, owner),
    warehouse: accountUrl(warehouseUrl, warehouse),
    warehouseForFaults: warehouseUrl,
  };
}

/** PostgreSQL's immediate shutdown: it recovers at the next start, and releases its shared memory (unlike SIGKILL). */
export function killInstancePostgres(data: DataFolder): void {
  try {
    const [pid] = readFileSync(path.join(postgresFolder(data), 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGQUIT');
  } catch {
    // Already stopped, or not started yet.
  }
}

export function removePostgresFolder(data: DataFolder): void {
  rmSync(postgresFolder(data), { recursive: true, force: true });
}
