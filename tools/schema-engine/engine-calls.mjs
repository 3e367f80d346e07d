import { readFileSync } from 'node:fs';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { createDatabase } from './commands.mjs';
import { DriverFactory } from './driver.mjs';
import { log } from './protocol.mjs';

/** Methods whose name differs between the binary and the WebAssembly build. */
const RENAMED = new Map([['getDatabaseVersion', 'version']]);
/** Methods that answer null, not an empty object, when there is nothing to say. */
const ANSWERS_NULL = new Set(['dbExecute', 'reset']);
/** Only the diagnostics open the shadow database in the WebAssembly build; these two then find its schema in the cache. */
const NEEDS_DIAGNOSTIC = new Set(['createMigration', 'evaluateDataLoss']);
/** Commands that need no database (validate, diff of two files) still ask for an address. */
const NO_DATABASE = 'postgresql://127.0.0.1:1/none';

/**
 * @typedef {typeof import('@prisma/schema-engine-wasm/schema_engine_bg')} EngineModule
 * @typedef {{ migrationsList: unknown, filters: unknown }} MigrationParameters
 * @typedef {Record<string, (parameters: unknown) => Promise<unknown>>} EngineMethods
 */

export class EngineCalls {
  /** @type {EngineModule} */
  #engine;
  /**
   * Undefined, not empty, when the CLI names none: the engine panics on an empty list.
   * @type {[string, string][] | undefined}
   */
  #schemaFiles;
  /** @type {string | undefined} */
  #databaseUrl;

  /**
   * @param {EngineModule} engine
   * @param {string[] | undefined} schemaPaths
   * @param {string | undefined} databaseUrl
   */
  constructor(engine, schemaPaths, databaseUrl) {
    this.#engine = engine;
    this.#schemaFiles = schemaPaths?.map((path) => [path, readFileSync(path, 'utf8')]);
    this.#databaseUrl = databaseUrl;
  }

  /**
   * One engine per call: it uses its shadow-database factory up.
   * @param {string} name
   * @param {unknown} parameters
   */
  async call(name, parameters) {
    if (name === 'createDatabase') return createDatabase(this.#databaseUrl ?? NO_DATABASE);
    const method = RENAMED.get(name) ?? name;
    const factory = new DriverFactory(this.#databaseUrl ?? NO_DATABASE);
    const engine = await this.#open(factory);
    const methods = /** @type {EngineMethods} */ (/** @type {unknown} */ (engine));
    if (typeof methods[method] !== 'function') throw new Error(`the schema engine has no method ${method}`);
    try {
      if (NEEDS_DIAGNOSTIC.has(method)) {
        const { migrationsList, filters } = /** @type {MigrationParameters} */ (parameters);
        await methods.devDiagnostic?.({ migrationsList, filters });
      }
      const result = await methods[method](parameters ?? {});
      return result ?? (ANSWERS_NULL.has(method) ? null : {});
    } finally {
      free(engine);
      await factory.closeAll();
    }
  }

  /** @param {DriverFactory} factory */
  #open(factory) {
    /** @param {unknown} message */
    const onLog = (message) => {
      if (process.env.DEBUG) log('INFO', String(message));
    };
    return this.#engine.SchemaEngine.new({ datamodels: this.#schemaFiles }, onLog, bindMigrationAwareSqlAdapterFactory(factory));
  }
}

/** @param {{ free(): void }} engine */
function free(engine) {
  try {
    engine.free();
  } catch {
    // After a panic the engine's memory cannot be freed; the process ends soon.
  }
}
