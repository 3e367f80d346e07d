import { createApp } from './create-app.js';
import { SettingsError } from './core/config/env.js';
import { DataKeys } from './core/encryption/data-keys.js';
import { RotateKeys } from './core/encryption/rotate-keys.js';

/** Usage: node dist/src/rotate-keys.js [--data-keys], see docs/operations.md. Starts no worker and no HTTP server. */
try {
  const app = await createApp({ ...process.env, ROLE: 'migrate', METRICS_PORT: '', METRICS_PORT_FILE: '' });
  await app.get(DataKeys).check();
  const withDataKeys = process.argv.includes('--data-keys');
  if (withDataKeys) console.log('This takes two minutes, until all other processes use the new keys.');
  console.log(JSON.stringify(await app.get(RotateKeys).run({ withDataKeys }), null, 2));
  await app.close();
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
