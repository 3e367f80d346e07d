import { rmSync } from 'node:fs';
import { endProcess } from '../processes/end-process.ts';
import { identify } from '../processes/identity.ts';
import { ProcessRecord } from '../processes/process-record.ts';
import { stopPostgres } from '../postgres/start-postgres.ts';
import { openDataFolder } from './data-folder.ts';
import { postgresFolder, removePostgresFolder } from './postgres.ts';

/** Longer than a launcher waits for all its processes to stop. */
const STOP_TIMEOUT_MS = 60_000;

/** Stops all processes that use the folder, and deletes it. */
export async function emptyDataFolder(folder: string, say: (message: string) => void = () => {}): Promise<void> {
  const data = openDataFolder(folder);
  const record = new ProcessRecord(data.processesFile);
  const launcher = record.findRunningLauncher();
  if (launcher) {
    say(`Stopping the running instance (process ${launcher})`);
    await endProcess(identify(launcher), STOP_TIMEOUT_MS);
  }
  await record.endStale();
  await stopPostgres(postgresFolder(data));
  removePostgresFolder(data);
  rmSync(data.root, { recursive: true, force: true });
}
