import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

// The package of the embedded server has no pg_dump and no pg_basebackup, so this uses the functions below them:
// https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP

/** Contents that the server creates again at its start. The log of changes is copied at the end. */
const EMPTY_FOLDERS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const NOT_COPIED = /^(postmaster\.(pid|opts)|server\.log|pg_internal\.init.*|pgsql_tmp.*)$/;
const WAL_FILE = /^[0-9A-F]{24}$/;

/**
 * Copies the files of a running server, which may be in use, so that a server that starts on the copy has every transaction that was
 * committed when this function was called.
 * @param superuserUrl any database of the server
 * @param target a folder that does not exist
 */
export async function backUpCluster(superuserUrl: string, dataDir: string, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  const firstValue = async (sql: string) =>
    (await client.query<{ value: string }>(`select (${sql})::text as value`)).rows[0]?.value ?? '';
  try {
    // Keeps the log of changes from now on. The slot ends with this session.
    await client.query(`select pg_create_physical_replication_slot('tributary_backup_' || pg_backend_pid(), true, true)`);
    const first = await firstValue(`pg_walfile_name(pg_backup_start('tributary', true))`);
    copyFolder(dataDir, target);
    const { rows } = await client.query<{ lsn: string; labelfile: string; spcmapfile: string }>(
      'select * from pg_backup_stop(false)',
    );
    const [stop] = rows;
    if (!stop) throw new Error('The server did not end the backup');
    const last = await firstValue(`pg_walfile_name('${stop.lsn}')`);
    copyChanges(dataDir, target, first, last);
    // With this file, the server applies the log from the start of the backup, not from its last checkpoint.
    writeFileSync(path.join(target, 'backup_label'), stop.labelfile, { mode: 0o600 });
  } finally {
    await client.end();
  }
}

function copyFolder(source: string, target: string): void {
  mkdirSync(target, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    if (NOT_COPIED.test(entry.name)) continue;
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (!entry.isDirectory()) copyIfThere(from, to);
    else if (EMPTY_FOLDERS.has(entry.name)) mkdirSync(to, { mode: 0o700 });
    else copyFolder(from, to);
  }
}

/** The server may delete a file meanwhile. The log of changes then repeats the deletion. */
function copyIfThere(source: string, target: string): void {
  try {
    copyFileSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function copyChanges(dataDir: string, target: string, first: string, last: string): void {
  const files = readdirSync(path.join(dataDir, 'pg_wal')).filter((name) => WAL_FILE.test(name) && name >= first && name <= last);
  if (!files.includes(first) || !files.includes(last))
    throw new Error(`The log of changes from ${first} to ${last} is incomplete`);
  for (const name of files) copyFileSync(path.join(dataDir, 'pg_wal', name), path.join(target, 'pg_wal', name));
}
