import { readFileSync } from 'node:fs';
import { endOnSignals } from './process.ts';
import { startSandbox } from './server.ts';

const { SANDBOX_WAREHOUSE_URL: given, SANDBOX_WAREHOUSE_URL_FILE: file } = process.env;
const warehouseUrl = given || (file && readFileSync(file, 'utf8').trim()) || undefined;

/** Runs the sandbox until SIGTERM. Prints its address as one line of JSON. */
const { url, close } = await startSandbox({
  port: Number(process.env.SANDBOX_PORT ?? 0),
  warehouseUrl,
  dataDir: process.env.SANDBOX_DATA_DIR || undefined,
});
console.log(JSON.stringify({ url }));
endOnSignals(close);
