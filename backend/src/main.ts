import { connectorSettings } from './connectors/registry.js';
import { migrateDatabase } from './migrate-database.js';
import { type Env, readEnv } from './core/config/env.js';
import { showSourceLines } from './core/observability/source-lines.js';
import { describeStartFailure } from './start-failure.js';

showSourceLines();
let env: Env | undefined;
try {
  env = readEnv(process.env, connectorSettings);
  if (env.ROLE === 'migrate') await migrateDatabase(env);
  else {
    // Loading the modules of the application takes most of the time of a migration without changes.
    const { startProcess } = await import('./start-process.js');
    await startProcess(env);
  }
} catch (error) {
  console.error(describeStartFailure(error, env));
  process.exit(1);
}
