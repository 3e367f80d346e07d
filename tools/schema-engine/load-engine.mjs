import { readFileSync } from 'node:fs';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

/** @type {string | undefined} */
let panicMessage;

/** Message of the engine's panic. A panic inside an asynchronous call does not settle its promise. */
export const lastPanic = () => panicMessage;

/** Loads the engine with Node alone. The package's own loader needs a bundler. */
export async function loadEngine() {
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      /** @param {string} message */
      set_message(message) {
        panicMessage = message;
      },
    },
  });
  const address = new URL('schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const { instance } = await WebAssembly.instantiate(readFileSync(address), { './schema_engine_bg.js': { ...engine } });
  engine.__wbg_set_wasm(instance.exports);
  /** @type {() => void} */ (instance.exports.__wbindgen_start)();
  return engine;
}
