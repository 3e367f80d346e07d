import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { supervisePostgres } from './supervise-postgres.ts';
import { startPostgres, stopPostgres, type Postgres } from './start-postgres.ts';

const RESTART_TIMEOUT_MS = 120_000;

let dataDir: string;
let postgres: Postgres;
let messages: string[];

beforeEach(async () => {
  messages = [];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'supervised-postgres-'));
  // If this runs as root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  dataDir = path.join(folder, 'data');
  const settings = { fsync: 'off' };
  postgres = await supervisePostgres({ dataDir, databases: ['product'], settings }, (message) => messages.push(message));
});
afterEach(async () => {
  await postgres.stop();
  await stopPostgres(dataDir);
  rmSync(path.dirname(dataDir), { recursive: true, force: true });
});

async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url('product') });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const serverPid = () => Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);

async function eventually<Value>(check: () => Promise<Value>): Promise<Value> {
  const giveUpAt = Date.now() + RESTART_TIMEOUT_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(100);
    }
  }
}

it.each<NodeJS.Signals>(['SIGKILL', 'SIGQUIT', 'SIGTERM'])(
  'restarts a server that exits after %s, with the same port and data',
  async (signal) => {
    await query('create table numbers (n int)');
    await query('insert into numbers values (7)');
    const before = serverPid();
    process.kill(before, signal);
    await eventually(async () => {
      expect(serverPid()).not.toBe(before);
      expect(await query('select n from numbers')).toEqual([{ n: 7 }]);
    });
    expect(messages).toContain('PostgreSQL exited. Restarting it');
  },
);

it('does not restart a stopped server', async () => {
  await postgres.stop();
  await sleep(1_500);
  expect(existsSync(path.join(dataDir, 'postmaster.pid'))).toBe(false);
  expect(messages).toEqual([]);
});

it('leaves a process alone that got the id of a server that crashed', async () => {
  const file = path.join(dataDir, 'postmaster.pid');
  const lines = readFileSync(file, 'utf8').split('\n').slice(1);
  await postgres.stop();
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    writeFileSync(file, [other.pid, ...lines].join('\n'));
    await stopPostgres(dataDir);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, [other.pid, ...lines].join('\n'));
    const server = await startPostgres({ dataDir });
    expect(server.isReused).toBe(false);
    await server.stop();
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  } finally {
    other.kill('SIGKILL');
  }
});
