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
 */
function runScriptsWhole(connection) {
  const internals = /** @type {ConnectionInternals} */ (/** @type {unknown} */ (connection));
  connection.executeScript = async (script) => {
    try {
      await connection.underlyingDriver().query(script);
    } catch (error) {
      internals.onError(error);
    }
  };
}

/** @param {Connection} connection */
function repaired(connection) {
  readCharColumns(connection);
  runScriptsWhole(connection);
  return connection;
}

/** Opens the database and shadow databases for the engine. */
export class DriverFactory {
  provider = /** @type {const} */ ('postgres');
  adapterName = '@prisma/adapter-pg';
  /** @type {Connection[]} */
  #connections = [];

  /** @param {string} databaseUrl */
  constructor(databaseUrl) {
    this.target = parseDatabaseUrl(databaseUrl);
  }

  async connect() {
    const { connectionString, schema } = this.target;
    const connection = repaired(await new PrismaPg({ connectionString, max: 1 }, { schema }).connect());
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
