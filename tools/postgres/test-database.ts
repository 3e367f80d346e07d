import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { startPostgres } from './start-postgres.ts';

export interface TestDatabase {
  kind: 'given' | 'docker' | 'embedded';
  url: string;
  stop(): Promise<void>;
}

const execute = promisify(execFile);
/** The same image as in docker-compose.yml. */
const IMAGE = 'postgres:18.6@sha256:86c951e05bf56c93d95d397747fb8820ac76cc3bedb78f43abd83eedbe3666ae';
/** Test data does not have to survive a crash. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/** One server for a test run: TEST_DATABASE_URL if set, Docker if TEST_DATABASE=docker, otherwise an embedded server. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { kind: 'given', url: given, stop: async () => {} };
  return process.env.TEST_DATABASE === 'docker' ? startInDocker() : startEmbedded();
}

async function startEmbedded(): Promise<TestDatabase> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-test-'));
  chmodSync(folder, 0o755); // As root, the server runs as another user, which must be able to read the folder.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const server = await startPostgres({ dataDir: path.join(folder, 'data'), databases: ['test'], settings: NOT_DURABLE });
    const stop = async () => {
      await server.stop();
      remove();
    };
    return { kind: 'embedded', url: server.url('test'), stop };
  } catch (error) {
    remove();
    throw error;
  }
}

async function startInDocker(): Promise<TestDatabase> {
  const environment = ['-e', 'POSTGRES_PASSWORD=postgres', '-e', 'POSTGRES_DB=test'];
  const settings = Object.entries(NOT_DURABLE).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const started = await execute('docker', ['run', '-d', '--rm', '-p', '127.0.0.1::5432', ...environment, IMAGE, ...settings]);
  const container = started.stdout.trim();
  const stop = async () => {
    await execute('docker', ['stop', '-t', '1', container]);
  };
  try {
    const { stdout } = await execute('docker', ['port', container, '5432/tcp']);
    const url = `postgresql://postgres:postgres@${stdout.trim().split('\n')[0]}/test`;
    await waitUntilReady(url, 60_000);
    return { kind: 'docker', url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function waitUntilReady(url: string, timeoutMs: number): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(200);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
