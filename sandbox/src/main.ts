import { endOnSignals } from './process.ts';
import { startSandbox } from './server.ts';

/** Runs the sandbox until SIGTERM. Prints its address as one line of JSON. */
const { url, close } = await startSandbox({
  port: Number(process.env.SANDBOX_PORT ?? 0),
  warehouseUrl: process.env.SANDBOX_WAREHOUSE_URL || undefined,
  dataDir: process.env.SANDBOX_DATA_DIR || undefined,
});
console.log(JSON.stringify({ url }));
endOnSignals(close);
