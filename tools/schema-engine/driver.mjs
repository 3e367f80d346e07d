import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { parseDatabaseUrl, withDatabase } from './database-url.mjs';

/**
 * Internal members of the adapter that are replaced here. They are not in its published types.
 * @typedef {Awaited<ReturnType<PrismaPg['connect']>>} Connection
 * @typedef {{ fields: { dataTypeID: number }[] }} RawResult
 * @typedef {{ performIO(query: unknown): Promise<RawResult>, onError(error: unknown): never }} ConnectionInternals
 */

/** Type ids of PostgreSQL's catalog: `"char"` (the one-byte type of contype, relkind and others) and `text`. */
const CHAR_TYPE_ID = 18;
const TEXT_TYPE_ID = 25;

/**
 * The adapter has no mapping for `"char"` columns, which the engine reads from the catalog. They are read as text and
 * returned as characters.
 * @param {Connection} connection
 */
function readCharColumns(connection) {
  const internals = /** @type {ConnectionInternals} */ (/** @type {unknown} */ (connection));
  const performIO = internals.performIO.bind(connection);
  const queryRaw = connection.queryRaw.bind(connection);
  /** @type {boolean[]} */
  let isCharColumn = [];
  internals.performIO = async (query) => {
    const result = await performIO(query);
    isCharColumn = result.fields.map((field) => field.dataTypeID === CHAR_TYPE_ID);
    for (const field of result.fields) if (field.dataTypeID === CHAR_TYPE_ID) field.dataTypeID = TEXT_TYPE_ID;
    return result;
  };
  connection.queryRaw = async (query) => {
    const result = await queryRaw(query);
    isCharColumn.forEach((isChar, index) => {
      if (isChar) result.columnTypes[index] = ColumnTypeEnum.Character;
    });
    return result;
  };
}

/**
 * Runs a migration as one simple query on one connection, because the adapter splits a script at every `;`, also inside a
 * string or a function body.
 * @param {Connection} connection
 * @param {string | undefined} records table of migrations, if the scripts are migrations that it records
 */
function runScriptsWhole(connection, records) {
  const internals = /** @type {ConnectionInternals} */ (/** @type {unknown} */ (connection));
  connection.executeScript = async (script) => {
    const driver = connection.underlyingDriver();
    try {
      const end = records && !NOT_ONE_TRANSACTION.test(script) && (await markOneTransaction(driver, records));
      await driver.query(end ? `${script}\n;${end}` : script);
    } catch (error) {
      internals.onError(error);
    }
  };
}

/** PostgreSQL runs these statements outside a transaction only. */
const NOT_ONE_TRANSACTION = /\bconcurrently\b/i;

/**
 * Prisma records the end of a migration in a statement of its own. Here the script records it, so that a process that is killed leaves no
 * migration of which nobody knows whether it was applied. The mark says so to `applyMigrations` of the backend.
 * @param {pg.Pool} driver
 * @param {string} records
 * @returns the statement to add, if the script is a migration
 */
async function markOneTransaction(driver, records) {
  const { rows } = await driver.query('select to_regclass($1) is not null as "isThere"', [records]);
  if (!rows[0].isThere) return undefined;
  const open = 'where finished_at is null and rolled_back_at is null';
  const { rowCount } = await driver.query(`update ${records} set applied_steps_count = -1 ${open}`);
  return rowCount === 1 ? `update ${records} set finished_at = now() ${open}` : undefined;
}

/**
 * @param {Connection} connection
 * @param {string} [records]
 */
function repaired(connection, records) {
  readCharColumns(connection);
  runScriptsWhole(connection, records);
  return connection;
}

/** Opens the database and shadow databases for the engine. */
export class DriverFactory {
  provider = /** @type {const} */ ('postgres');
  adapterName = '@prisma/adapter-pg';
  /** @type {Connection[]} */
  #connections = [];

  /**
   * @param {string} databaseUrl
   * @param {{ isMigrating: boolean }} [options]
   */
  constructor(databaseUrl, { isMigrating } = { isMigrating: false }) {
    this.target = parseDatabaseUrl(databaseUrl);
    this.records = isMigrating ? `"${this.target.schema ?? 'public'}"._prisma_migrations` : undefined;
  }

  async connect() {
    const { connectionString, schema } = this.target;
    const connection = repaired(await new PrismaPg({ connectionString, max: 1 }, { schema }).connect(), this.records);
    return this.#closedOnce(connection, connection.dispose.bind(connection));
  }

  /**
   * Creates and drops a shadow database (the role needs CREATEDB). `shadowDatabaseUrl` is not used.
   * It has its own pool, so that its connections have ended before it is dropped.
   */
  async connectToShadowDb() {
    const name = `prisma_migrate_shadow_db_${randomUUID()}`;
    const admin = new pg.Client({ connectionString: this.target.connectionString });
    await admin.connect();
    await admin.query(`CREATE DATABASE "${name}"`);
    const pool = new pg.Pool({ connectionString: withDatabase(this.target.connectionString, name), max: 1 });
    const connection = repaired(await new PrismaPg(pool, { schema: this.target.schema }).connect());
    return this.#closedOnce(connection, async () => {
      await pool.end();
      await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      await admin.end();
    });
  }

  /**
   * The engine does not await the `dispose` that it calls, and the CLI ends this process after the response. `closeAll` awaits
   * it.
   * @param {Connection} connection
   * @param {() => Promise<void>} close
   */
  #closedOnce(connection, close) {
    /** @type {Promise<void> | undefined} */
    let closing;
    connection.dispose = () => (closing ??= close());
    this.#connections.push(connection);
    return connection;
  }

  /** Without this, the next call would wait for the migration lock that a session of this call still has. */
  async closeAll() {
    await Promise.allSettled(this.#connections.map((connection) => connection.dispose()));
  }
}
