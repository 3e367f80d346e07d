import { createApp } from './create-app.js';
import { readEnv, SettingsError } from './core/config/env.js';
import { RotateKeys } from './core/encryption/rotate-keys.js';

/** node dist/src/rotate-keys.js [--data-keys]: docs/operations.md says when. Starts no worker and listens nowhere. */
try {
  const env = readEnv(process.env);
  const app = await createApp({ ...env, ROLE: 'migrate', METRICS_PORT: undefined });
  const withDataKeys = process.argv.includes('--data-keys');
  if (withDataKeys) console.log('This takes two minutes: other processes must have heard of the new keys.');
  console.log(JSON.stringify(await app.get(RotateKeys).run({ withDataKeys }), null, 2));
  await app.close();
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
