import { connectorSettings } from './connectors/registry.js';
import { migrateDatabase } from './migrate-database.js';
import { readEnv, SettingsError } from './core/config/env.js';
import { showSourceLines } from './core/observability/source-lines.js';

showSourceLines();

try {
  const env = readEnv(process.env, connectorSettings);
  if (env.ROLE === 'migrate') await migrateDatabase(env);
  else {
    // Loading the modules of the application takes most of the time of a migration without changes.
    const { createApp } = await import('./create-app.js');
    const { DataKeys } = await import('./core/encryption/data-keys.js');
    const app = await createApp(process.env);
    // Before the first job is claimed or the first request served, which would fail.
    await app.get(DataKeys).check();
    if (env.ROLE === 'worker') await app.init();
    else await app.listen(env.PORT, env.HOST);
  }
} catch (error) {
  // The operator fixes an invalid setting. A stack trace does not help.
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
