import { readFileSync } from 'node:fs';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { createDatabase } from './commands.mjs';
import { DriverFactory } from './driver.mjs';
import { log } from './protocol.mjs';

/** Methods whose name differs between the binary and the WebAssembly build. */
const RENAMED = new Map([['getDatabaseVersion', 'version']]);
/** Methods that return null instead of an empty object. */
const ANSWERS_NULL = new Set(['dbExecute', 'reset']);
/** In the WebAssembly build only the diagnostics open the shadow database. These two methods then use its cached schema. */
const NEEDS_DIAGNOSTIC = new Set(['createMigration', 'evaluateDataLoss']);
/** Commands that need no database (validate, diff of two files) still require a URL. */
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
   * Undefined if the CLI passes none, because the engine panics on an empty list.
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
   * Creates one engine per call, because it can use its shadow-database factory only once.
   * @param {string} name
   * @param {unknown} parameters
   */
  async call(name, parameters) {
    if (name === 'createDatabase') return createDatabase(this.#databaseUrl ?? NO_DATABASE);
    const method = RENAMED.get(name) ?? name;
    const factory = new DriverFactory(this.#databaseUrl ?? NO_DATABASE, { isMigrating: name === 'applyMigrations' });
    const engine = await this.#open(factory);
    const methods = /** @type {EngineMethods} */ (/** @type {unknown} */ (engine));
    if (typeof methods[method] !== 'function') throw new Error(`The schema engine has no method ${method}`);
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
    // After a panic the engine's memory cannot be freed. The process ends anyway.
  }
}
