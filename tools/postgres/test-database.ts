import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DockerNotAvailable, startInDocker } from './docker-database.ts';
import { testDataFolder } from '../test-data.ts';
import { startPostgres } from './start-postgres.ts';

export interface TestDatabase {
  kind: 'given' | 'docker' | 'embedded';
  url: string;
  stop(): Promise<void>;
}

/** Test data does not have to survive a crash, and 11,000 sign-ins with a test password do not have to be slow. */
const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  scram_iterations: '1',
};

type Choice = { kind: 'given'; url: string } | { kind: 'docker' | 'embedded'; url?: undefined };

/** TEST_DATABASE_URL if set, Docker if TEST_DATABASE=docker, otherwise an embedded server. */
export function chooseTestDatabase({ TEST_DATABASE_URL, TEST_DATABASE }: NodeJS.ProcessEnv): Choice {
  if (TEST_DATABASE_URL) return { kind: 'given', url: TEST_DATABASE_URL };
  return { kind: TEST_DATABASE === 'docker' ? 'docker' : 'embedded' };
}

/** One server for a test run. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const { kind, url } = chooseTestDatabase(process.env);
  if (kind === 'given') return { kind, url, stop: async () => {} };
  return kind === 'docker' ? { kind, ...(await startInDocker(TEST_SETTINGS)) } : startEmbedded();
}

/** For commands: without Docker they end with one line. */
export function startTestDatabaseOrExit(): Promise<TestDatabase> {
  return startTestDatabase().catch((error: unknown) => {
    if (!(error instanceof DockerNotAvailable)) throw error;
    console.error(error.message);
    process.exit(1);
  });
}

async function startEmbedded(): Promise<TestDatabase> {
  const folder = mkdtempSync(path.join(testDataFolder(os.tmpdir()), 'tributary-test-'));
  chmodSync(folder, 0o755); // As root, the server runs as another user, which must be able to read the folder.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const server = await startPostgres({ dataDir: path.join(folder, 'data'), databases: ['test'], settings: TEST_SETTINGS });
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
