/** `make reset`: stops a running instance and empties its folder. */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { endProcess } from '../processes/end-process.ts';
import { identify } from '../processes/identity.ts';
import { ProcessRecord } from '../processes/process-record.ts';
import { stopPostgres } from '../postgres/start-postgres.ts';
import { inRepository } from '../repository.ts';
import { openDataFolder } from './data-folder.ts';
import { postgresFolder, removePostgresFolder } from './postgres.ts';

/** Longer than the launcher gives its children in turn. */
const STOP_TIMEOUT_MS = 60_000;

const { values } = parseArgs({ options: { data: { type: 'string', default: inRepository('.data') } } });
const data = openDataFolder(values.data);
const record = new ProcessRecord(data.processesFile);
const launcher = record.findRunningLauncher();
if (launcher) {
  console.log(`Stopping the instance that runs (process ${launcher})`);
  await endProcess(identify(launcher), STOP_TIMEOUT_MS);
}
await record.endStale();
await stopPostgres(postgresFolder(data));
removePostgresFolder(data);
rmSync(data.root, { recursive: true, force: true });
console.log(`${data.root} is empty: make start begins anew`);
