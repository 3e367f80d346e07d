/**
 * node tools/test-with-database.ts -- <command>: starts PostgreSQL, runs a command with TEST_DATABASE_URL set, and stops
 * PostgreSQL. For one suite: node tools/test-with-database.ts -- npm test -w backend -- users
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startTestDatabaseOrExit } from './postgres/test-database.ts';

const separator = process.argv.indexOf('--');
const [command, ...parameters] = process.argv.slice(separator === -1 ? 2 : separator + 1);
if (!command) throw new Error('Usage: node tools/test-with-database.ts -- <command>');

// Ctrl-C also reaches the command. This process must end after it, to stop the server.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child?.kill(signal));
let child: ReturnType<typeof spawn> | undefined;

const database = await startTestDatabaseOrExit();
try {
  const environment = { ...process.env, TEST_DATABASE_URL: database.url, DATABASE_URL: database.url };
  child = spawn(command, parameters, { stdio: 'inherit', env: environment });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await database.stop();
}
