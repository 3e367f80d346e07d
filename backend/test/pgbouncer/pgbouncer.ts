import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { eventually } from '../factories.js';
import { freePort } from '../mail-catcher.js';

/** Debian installs it where only root's PATH leads. */
const PROGRAM = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin']
  .map((folder) => path.join(folder, 'pgbouncer'))
  .find((file) => existsSync(file));

export const isInstalled = PROGRAM !== undefined;

export interface PgBouncer {
  /** The database behind the pooler. */
  url: string;
  stop(): Promise<void>;
}

/**
 * PgBouncer in transaction mode. Each transaction of a client gets another one of three sessions, whose application name ends with the address of
 * the client, unlike that of a direct session.
 */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pgbouncer-'));
  // As root, it runs as another user.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  writeFileSync(file, configuration(new URL(databaseUrl), port));
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(PROGRAM ?? '', ['-q', ...asUser, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href;
  await eventually(
    () => canConnect(url),
    (isReady) => isReady,
  );
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

function configuration(server: URL, port: number): string {
  const { hostname, port: serverPort, username, password, pathname } = server;
  const name = pathname.slice(1);
  return `[databases]
${name} = host=${hostname} port=${serverPort} dbname=${name} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
application_name_add_host = 1
server_round_robin = 1
max_client_conn = 100
log_connections = 0
log_disconnections = 0
`;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
