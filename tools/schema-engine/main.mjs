#!/usr/bin/env node
/**
 * Replaces Prisma's native schema engine by the same engine as WebAssembly, from npm, with the binary's protocol.
 * The Prisma CLI downloads the native engine from a host that many networks block. It starts this file instead, because
 * prisma.config.ts sets PRISMA_SCHEMA_ENGINE_BINARY.
 *
 * Plain JavaScript, because the CLI executes the file and the first `node` in PATH may be too old for TypeScript.
 */
import { parseArgs } from 'node:util';
import { checkConnection, createDatabase } from './commands.mjs';
import { describeConnectionError } from './connection-error.mjs';
import { EngineCalls } from './engine-calls.mjs';
import { loadEngine } from './load-engine.mjs';
import { log, serve } from './protocol.mjs';

// Not strict, because the CLI passes flags that are not used here.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true, short: 'd' },
    datasource: { type: 'string' },
    version: { type: 'boolean' },
  },
});
const datasource = typeof values.datasource === 'string' ? JSON.parse(values.datasource) : {};
/** @type {string | undefined} */
const databaseUrl = datasource.url ?? process.env.DATABASE_URL;

if (values.version) {
  console.log(`schema-engine-wasm ${(await loadEngine()).version()}`);
} else if (positionals[0] === 'cli') {
  await runCommand(positionals[1]);
} else {
  const engine = await loadEngine();
  serve(new EngineCalls(engine, /** @type {string[] | undefined} */ (values.datamodels), databaseUrl));
}

/** @param {string | undefined} name */
async function runCommand(name) {
  try {
    if (!databaseUrl) throw new Error('DATABASE_URL is not set');
    if (name === 'can-connect-to-database') await checkConnection(databaseUrl);
    else if (name === 'create-database') await createDatabase(databaseUrl);
    else throw new Error(`unsupported command ${name}`);
  } catch (error) {
    const { errorCode, message } = describeConnectionError(error, databaseUrl);
    process.stderr.write('\n');
    log('ERROR', message, { error_code: errorCode, is_panic: false });
    process.exitCode = 1;
  }
}
