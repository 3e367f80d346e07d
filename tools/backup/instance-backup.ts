import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readJsonFile } from '../json-file.ts';
import { findServerUser, type ServerUser } from '../postgres/server-user.ts';
import { SUPERUSER } from '../postgres/start-postgres.ts';
import { ProcessRecord } from '../processes/process-record.ts';
import { openDataFolder, type DataFolder } from '../start/data-folder.ts';
import { postgresFolder } from '../start/postgres.ts';
import { backUpCluster } from './back-up-cluster.ts';

const CLUSTER = 'postgres';
/** Without these, credentials cannot be decrypted, users cannot sign in, and destinations lead to another port. */
const filesOf = (data: DataFolder): string[] => [data.secretsFile, data.portsFile, data.portfolioFile, data.auth, data.sandbox];

/** Backs up a running instance. The folder contains its secrets. */
export async function backUpInstance(dataFolder: string, target: string): Promise<void> {
  const data = openDataFolder(dataFolder);
  if (existsSync(target)) throw new Error(`${target} exists. Choose another folder`);
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const cluster = postgresFolder(data);
  await backUpCluster(superuserUrl(data, cluster), cluster, path.join(partial, CLUSTER));
  for (const file of filesOf(data).filter((one) => existsSync(one)))
    cpSync(file, path.join(partial, path.basename(file)), { recursive: true });
  renameSync(partial, target);
}

function superuserUrl(data: DataFolder, cluster: string): string {
  const secrets = readJsonFile<{ postgresPassword: string }>(data.secretsFile);
  const processFile = path.join(cluster, 'postmaster.pid');
  if (!secrets || !existsSync(processFile)) throw new Error(`No instance runs in ${data.root}. Start it with make start`);
  const port = readFileSync(processFile, 'utf8').split('\n')[3];
  return `postgresql://${SUPERUSER}:${encodeURIComponent(secrets.postgresPassword)}@127.0.0.1:${port}/postgres`;
}

/** Restores into an empty data folder. The next start recovers the database. */
export function restoreInstance(backup: string, dataFolder: string): void {
  if (!existsSync(path.join(backup, CLUSTER, 'backup_label'))) throw new Error(`${backup} is not a complete backup`);
  const data = openDataFolder(dataFolder);
  if (new ProcessRecord(data.processesFile).findRunningLauncher())
    throw new Error('An instance is running. Stop it with Ctrl-C first');
  const cluster = postgresFolder(data);
  if (existsSync(cluster)) throw new Error(`${data.root} has data. Move it away, or delete it with make reset`);
  const partial = `${cluster}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(path.dirname(cluster), { recursive: true });
  cpSync(path.join(backup, CLUSTER), partial, { recursive: true });
  // PostgreSQL does not start on a folder that others can read.
  chmodSync(partial, 0o700);
  const user = findServerUser();
  if (user) changeOwners(partial, user);
  for (const file of filesOf(data).filter((one) => existsSync(path.join(backup, path.basename(one)))))
    cpSync(path.join(backup, path.basename(file)), file, { recursive: true });
  renameSync(partial, cluster);
}

function changeOwners(folder: string, user: ServerUser): void {
  chownSync(folder, user.uid, user.gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(folder, name), user.uid, user.gid);
}
