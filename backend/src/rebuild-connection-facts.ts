import { createApp } from './create-app.js';
import { SettingsError } from './core/config/env.js';
import { ConnectionFacts } from './connections/index.js';

/** Usage: node dist/src/rebuild-connection-facts.js, see docs/operations.md. Starts no worker and no HTTP server. */
try {
  const app = await createApp({ ...process.env, ROLE: 'migrate', METRICS_PORT: '', METRICS_PORT_FILE: '' });
  console.log(JSON.stringify({ connections: await app.get(ConnectionFacts).rebuild() }));
  await app.close();
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
