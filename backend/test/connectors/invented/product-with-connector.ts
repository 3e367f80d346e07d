import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '../../database.js';
import { eventually } from '../../factories.js';
import { freePort } from '../../mail-catcher.js';
import { testSettings } from '../../settings.js';

const builder = path.resolve(import.meta.dirname, '../../../../tools/connector/build-with-connector.ts');

export interface ExtendedProduct {
  url: string;
  database: TestDatabase;
  /** Names of the files that differ from the build, relative to it. */
  addedFiles: string[];
  stop(): Promise<void>;
}

/** The product with one more connector, which `make connector` generates. */
export async function startProductWith(provider: string, settings: Record<string, string>): Promise<ExtendedProduct> {
  const built = execFileSync(process.execPath, [builder, provider], { encoding: 'utf8' });
  const { folder, main, addedFiles } = JSON.parse(built) as { folder: string; main: string; addedFiles: string[] };
  const database = await createTestDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const product = start(main, testSettings(database.url, { ROLE: 'all', PORT: String(port), ...settings }));
  const stop = async () => {
    await end(product);
    await database.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    await eventually(
      () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok || Promise.reject(new Error('not ready')),
          () => product.exitCode !== null,
        ),
      (isReady) => isReady,
    );
    if (product.exitCode !== null) throw new Error(`The product ended with ${product.exitCode}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, database, addedFiles, stop };
}

function start(main: string, settings: Record<string, string>): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [main], { stdio: 'inherit', env: { PATH, ...settings } });
}

async function end(product: ChildProcess): Promise<void> {
  if (product.exitCode !== null || product.signalCode !== null) return;
  product.kill('SIGTERM');
  await once(product, 'exit');
}
