import { execFile, execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from '../ports.ts';
import { preparePrograms } from './binaries.ts';
import { findServerUser, isReachableByAll, type ServerUser } from './server-user.ts';

export interface PostgresOptions {
  dataDir: string;
  /** Undefined: a free port. A server that already runs on this data keeps its port. */
  port?: number;
  databases?: string[];
  password?: string;
  /** postgresql.conf settings, by name. */
  settings?: Record<string, string>;
}

export interface Postgres {
  url(database: string): string;
  port: number;
  pid: number;
  /** True if the server of a killed launcher was still running on this data. */
  isReused: boolean;
  stop(): Promise<void>;
}

/** Another program listens on the port. */
export class PortInUse extends Error {}

export const SUPERUSER = 'postgres';
const START_TIMEOUT_SECONDS = 60;
const execute = promisify(execFile);

/** Starts PostgreSQL 18 from npm. Needs no Docker and no installed server, and also works as root. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const dataDir = path.resolve(options.dataDir);
  const password = options.password ?? 'postgres';
  const user = findServerUser();
  const run = programRunner(user);
  const control = (...parameters: string[]) => run('pg_ctl', ['-D', dataDir, ...parameters]);
  if (!existsSync(dataDir)) await initialize(dataDir, user, password, options.settings);
  removeStaleServerFile(dataDir);
  const isReused = await control('status').then(
    () => true,
    () => false,
  );
  // pg_ctl starts the server in its own session, so that Ctrl-C does not end it before its clients.
  if (!isReused) await startServer(control, dataDir, options.port ?? (await findFreePort()), options.settings);
  const { pid, port } = readServerFile(dataDir);
  const url = (database: string) => `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  await createDatabases(url('postgres'), options.databases ?? []);
  const stop = () => stopPostgres(dataDir);
  return { url, port, pid, isReused, stop };
}

/** Stops the server that runs on this data, also if another process started it. */
export async function stopPostgres(dataDir: string): Promise<void> {
  removeStaleServerFile(dataDir);
  if (!existsSync(path.join(dataDir, 'postmaster.pid'))) return;
  await programRunner(findServerUser())('pg_ctl', ['-D', dataDir, 'stop', '-m', 'fast', '-w', '-t', '30']).catch(
    (error: Error) => {
      // The file is from a crashed server. There is nothing to stop.
      if (!/No such process|not running/i.test(error.message)) throw error;
    },
  );
}

/** Renames the folder when it is complete, so that an interrupted initdb starts again. */
async function initialize(dataDir: string, user: ServerUser | null, password: string, settings?: Record<string, string>) {
  const partial = `${dataDir}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  if (user) changeOwner(partial, user);
  await withPasswordFile(password, user, (file) =>
    programRunner(user)('initdb', [...initParameters(partial, settings), `--pwfile=${file}`]),
  );
  renameSync(partial, dataDir);
}

function programRunner(user: ServerUser | null) {
  const pathOf = preparePrograms(user);
  // PostgreSQL reports an error if the server's user cannot read the current folder.
  const options = { uid: user?.uid, gid: user?.gid, cwd: os.tmpdir(), env: { ...process.env, LC_ALL: 'C' } };
  return (program: 'initdb' | 'pg_ctl', parameters: string[]) => execute(pathOf(program), parameters, options);
}

function changeOwner(folder: string, user: ServerUser): void {
  if (!isReachableByAll(path.dirname(folder))) {
    throw new Error(
      `PostgreSQL runs as "${user.name}" (never as root), and this user cannot read ${folder}. Choose another folder`,
    );
  }
  chownSync(folder, user.uid, user.gid);
}

function initParameters(dataDir: string, settings: Record<string, string> = {}): string[] {
  const parameters = ['-D', dataDir, '-U', SUPERUSER, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'];
  return settings.fsync === 'off' ? [...parameters, '--no-sync'] : parameters;
}

async function withPasswordFile(password: string, user: ServerUser | null, use: (file: string) => Promise<unknown>) {
  const file = path.join(os.tmpdir(), `postgres-password-${process.pid}`);
  writeFileSync(file, password, { mode: 0o600 });
  if (user) chownSync(file, user.uid, user.gid);
  try {
    await use(file);
  } finally {
    rmSync(file, { force: true });
  }
}

async function startServer(
  control: (...parameters: string[]) => Promise<unknown>,
  dataDir: string,
  port: number,
  settings: Record<string, string> = {},
): Promise<void> {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), ...settings };
  const serverOptions = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`);
  const logFile = path.join(dataDir, 'server.log');
  // The log is continued: what earlier starts wrote is no cause of this one.
  const logged = readText(logFile).length;
  try {
    await control('start', '-w', '-t', String(START_TIMEOUT_SECONDS), '-l', logFile, '-o', serverOptions.join(' '));
  } catch (cause) {
    const log = readText(logFile).slice(logged);
    const message = `PostgreSQL did not start: ${log.slice(-800) || String(cause)}`;
    throw /could not bind .*Address already in use/.test(log) ? new PortInUse(message, { cause }) : new Error(message, { cause });
  }
}

const readText = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** postmaster.pid contains the process id in line 1 and the port in line 4. */
function readServerFile(dataDir: string): { pid: number; port: number } {
  const lines = readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** The system reuses process ids, and pg_ctl would signal any process that has the id of a server that crashed. */
function removeStaleServerFile(dataDir: string): void {
  if (!existsSync(path.join(dataDir, 'postmaster.pid')) || process.platform === 'win32') return;
  if (!isServerOf(readServerFile(dataDir).pid, dataDir)) rmSync(path.join(dataDir, 'postmaster.pid'), { force: true });
}

/** The current folder of a server is its data folder, also after the folder was moved. */
function isServerOf(pid: number, dataDir: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir);
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(path.resolve(dataDir));
  } catch (error) {
    // Root may not see the folder of another user's process in a container. A server must not lose its file while it runs.
    const isHidden = (error as NodeJS.ErrnoException).code === 'EACCES';
    return isHidden && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  }
}

async function createDatabases(adminUrl: string, names: string[]): Promise<void> {
  if (names.length === 0) return;
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const name of names) {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    }
  } finally {
    await client.end();
  }
}
